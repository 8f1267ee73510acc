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

	"github.com/alecthomas/kong"
	"github.com/rs/zerolog"

	"frontdesk/cli"
	"frontdesk/contract"
	"frontdesk/signing"
)

// commands are the subcommands: the service, the owner's and the client's.
type commands struct {
	Serve      serveCmd      `cmd:"" help:"Run the service."`
	Init       initCmd       `cmd:"" help:"Write the sample content into a folder, to make it your own."`
	Check      checkCmd      `cmd:"" help:"Check content and settings, with file and line of every fault."`
	Doctor     doctorCmd     `cmd:"" help:"Examine a service: settings, content, mail server, model, addresses, clock."`
	Eval       evalCmd       `cmd:"" help:"Measure the answers on questions whose entries are known."`
	Inquiries  inquiriesCmd  `cmd:"" help:"List the pilot requests that came in."`
	Questions  questionsCmd  `cmd:"" help:"List the questions that no entry answered, or make one an alternate of an entry."`
	Workspaces workspacesCmd `cmd:"" help:"List the draft workspaces of started trials."`
	Export     exportCmd     `cmd:"" help:"Write everything that is stored as JSON lines."`
	Backup     backupCmd     `cmd:"" help:"Copy the database into a file while the service runs."`
	Conform    conformCmd    `cmd:"" help:"Check a running service against the contract."`
	Version    versionCmd    `cmd:"" help:"Show the version of this program."`

	cli.Commands
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
	parser := kong.Must(&commands{},
		kong.Name(contract.Product),
		kong.Description("A business's public front for AI agents and developers."),
		kong.UsageOnError(),
		kong.Writers(std.out, std.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.Bind(std, cli.NewTerminal(std.out, std.err, os.Getenv)),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(signing.NewVerifier(), (*cli.Verifier)(nil)),
	)
	command, err := parser.Parse(args)
	if err != nil {
		parser.Errorf("%v", err)
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
	if exit, ok := errors.AsType[*cli.ExitError](err); ok {
		code, err = exit.Code, exit.Err
	}
	if err != nil {
		fmt.Fprintf(w, "%s: %v\n", contract.Product, err)
	}
	return code
}
