// Package command is the command line: the commands of the service, of its owner
// and of its clients.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/client"
	"frontdesk/mailer"
	"frontdesk/routes"
)

// commands are the subcommands: the service's, the owner's and the client's.
type commands struct {
	serviceCommands `group:"service"`
	ownerCommands   `group:"owner"`
	client.Commands `group:"client"`

	Version    versionCmd    `cmd:"" group:"program"`
	Completion completionCmd `cmd:"" group:"program"`
}

type serviceCommands struct {
	Serve   serveCmd   `cmd:""`
	Init    initCmd    `cmd:""`
	Check   checkCmd   `cmd:""`
	Fmt     fmtCmd     `cmd:""`
	Doctor  doctorCmd  `cmd:""`
	Eval    evalCmd    `cmd:""`
	Notify  notifyCmd  `cmd:""`
	Reload  reloadCmd  `cmd:""`
	Listing listingCmd `cmd:""`
	Conform conformCmd `cmd:""`
}

type ownerCommands struct {
	Inquiries     inquiriesCmd     `cmd:""`
	Questions     questionsCmd     `cmd:""`
	History       historyCmd       `cmd:""`
	Undo          undoCmd          `cmd:""`
	Erase         eraseCmd         `cmd:""`
	AdminLink     adminLinkCmd     `cmd:""`
	Workspaces    workspacesCmd    `cmd:""`
	Import        importCmd        `cmd:""`
	Export        exportCmd        `cmd:""`
	ImportRecords importRecordsCmd `cmd:""`
	Backup        backupCmd        `cmd:""`
	Restore       restoreCmd       `cmd:""`
	Migrate       migrateCmd       `cmd:""`
}

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

func (s Streams) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(s.Out, format, args...)
	return err
}

// Own is what a custom main adds to the program (package desk).
type Own struct {
	routes.Own
	Sender mailer.Sender // of every mail; nil for the mail server of the settings
}

// Main runs the command line of the process and exits with its code.
func Main(own Own) {
	zerolog.TimeFieldFormat = app.TimeFormat
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(Run(ctx, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}, own))
}

// exited carries the exit code out of kong, which calls an exit function for
// --help instead of returning.
type exited int

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, args []string, std Streams, own Own) (code int) {
	defer func() {
		if value := recover(); value != nil {
			early, ok := value.(exited)
			if !ok {
				panic(value)
			}
			code = int(early)
		}
	}()
	parser := newParser(ctx, std, own)
	command, err := parser.Parse(args)
	if err != nil {
		printUsageError(parser, err, std.Err)
		return client.ExitUsage
	}
	return exitCode(command.Run(), std.Err)
}

// exitCode prints what a command failed with, unless it has done so itself.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return 0
	}
	code := client.ExitRefused
	if exit, ok := errors.AsType[*client.ExitError](err); ok {
		code, err = exit.Code, exit.Err
	}
	if err != nil {
		fmt.Fprintf(w, "%s: %v\n", contract.Product, err)
	}
	return code
}

// usageError is an error that means wrong usage.
func usageError(err error) error { return &client.ExitError{Code: client.ExitUsage, Err: err} }

// printJSON prints what a command shows with --json.
func (s Streams) printJSON(value any) error {
	encoder := json.NewEncoder(s.Out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
