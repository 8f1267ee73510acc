// Command frontdesk is a business's public front for AI agents and developers:
// catalog, approved answers and pilot requests over HTTP, and the command-line
// client for them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/client"
)

// commands are the subcommands: the service's, the owner's and the client's.
type commands struct {
	Serve   serveCmd   `cmd:"" group:"service" help:"Run the service."`
	Init    initCmd    `cmd:"" group:"service" help:"Write the sample content into a folder, to make it your own."`
	Check   checkCmd   `cmd:"" group:"service" help:"Check content and settings, with file and line of every fault."`
	Doctor  doctorCmd  `cmd:"" group:"service" help:"Examine a service: settings, content, mail server, model, addresses, clock."`
	Eval    evalCmd    `cmd:"" group:"service" help:"Measure the answers on questions whose entries are known."`
	Conform conformCmd `cmd:"" group:"service" help:"Check a running service against the contract."`

	Inquiries  inquiriesCmd  `cmd:"" group:"owner" help:"List the pilot requests that came in."`
	Questions  questionsCmd  `cmd:"" group:"owner" help:"List the questions that no entry answered, or make one an alternate of an entry."`
	Workspaces workspacesCmd `cmd:"" group:"owner" help:"List the draft workspaces of started trials."`
	Export     exportCmd     `cmd:"" group:"owner" help:"Write everything that is stored as JSON lines."`
	Backup     backupCmd     `cmd:"" group:"owner" help:"Copy the database into a file while the service runs."`

	client.Commands `group:"client"`

	Version    versionCmd    `cmd:"" group:"program" help:"Show the version, commit and date of this program."`
	Completion completionCmd `cmd:"" group:"program" help:"Write the completion of a shell."`
	Man        manCmd        `cmd:"" group:"program" help:"Write the man page."`
}

// Help is kong's text below the usage.
func (commands) Help() string {
	return "It publishes a catalog, answers questions with approved text and nothing else, and takes pilot requests that reach a person by mail: over HTTP, over MCP and as a site.\n\n" +
		"Example:\n\n\tfrontdesk serve                         # the sample content, on http://localhost:8080\n" +
		"\tfrontdesk ask \"What does it cost?\"      # in another terminal"
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	zerolog.TimeFieldFormat = timeFormat
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// Exit codes of the owner's commands (decisions); the client's are cli's.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// exited carries the exit code out of kong, which calls an exit function for
// --help instead of returning.
type exited int

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, std streams) (code int) {
	defer func() {
		if value := recover(); value != nil {
			early, ok := value.(exited)
			if !ok {
				panic(value)
			}
			code = int(early)
		}
	}()
	parser := newParser(ctx, std)
	command, err := parser.Parse(args)
	if err != nil {
		misused(parser, err, std.err)
		return exitUsage
	}
	return exitCode(command.Run(), std.err)
}

// exitCode prints what a command failed with, unless it has done so itself.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return exitDone
	}
	code := exitFailed
	if exit, ok := errors.AsType[*client.ExitError](err); ok {
		code, err = exit.Code, exit.Err
	}
	if err != nil {
		fmt.Fprintf(w, "%s: %v\n", contract.Product, err)
	}
	return code
}
