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
	Serve   serveCmd   `cmd:"" group:"service" help:"Run the service."`
	Init    initCmd    `cmd:"" group:"service" help:"Write the sample content into a folder, to make it your own."`
	Check   checkCmd   `cmd:"" group:"service" help:"Check content and settings, with file and line of every fault."`
	Fmt     fmtCmd     `cmd:"" group:"service" help:"Write the YAML files of a content folder in one form, as the owner's pages do."`
	Doctor  doctorCmd  `cmd:"" group:"service" help:"Check everything that a service depends on: settings, content, mail server, model, addresses."`
	Eval    evalCmd    `cmd:"" group:"service" help:"Measure the answers to questions whose entries are known."`
	Notify  notifyCmd  `cmd:"" group:"service" help:"Send a test mail, and a test notification to each target that is set."`
	Reload  reloadCmd  `cmd:"" group:"service" help:"Make the running service read its content again, and wait for the verdict."`
	Listing listingCmd `cmd:"" group:"service" help:"Print the server.json that lists the MCP server in the MCP registry."`
	Conform conformCmd `cmd:"" group:"service" help:"Check a running service against the contract."`

	Inquiries     inquiriesCmd     `cmd:"" group:"owner" help:"List the pilot requests that came in, show or delete one."`
	Questions     questionsCmd     `cmd:"" group:"owner" help:"List questions without a good answer, and correct the content by them."`
	History       historyCmd       `cmd:"" group:"owner" help:"List the changes of the content, and show one."`
	Undo          undoCmd          `cmd:"" group:"owner" help:"Reverse a change of the content."`
	Erase         eraseCmd         `cmd:"" group:"owner" help:"Delete everything that is stored of one person."`
	AdminLink     adminLinkCmd     `cmd:"" name:"admin-link" group:"owner" help:"Print a link that signs you in to the owner's pages."`
	Workspaces    workspacesCmd    `cmd:"" group:"owner" help:"List the draft workspaces of started trials."`
	Import        importCmd        `cmd:"" group:"owner" help:"Draft a faq.yaml from a FAQ page, or from CSV."`
	Export        exportCmd        `cmd:"" group:"owner" help:"Write everything that is stored as JSON lines."`
	ImportRecords importRecordsCmd `cmd:"" name:"import-records" group:"owner" help:"Add the records of an export to the database."`
	Backup        backupCmd        `cmd:"" group:"owner" help:"Write everything that is kept into one file, while the service runs."`
	Restore       restoreCmd       `cmd:"" group:"owner" help:"Put a backup in place."`
	Migrate       migrateCmd       `cmd:"" group:"owner" help:"Bring the database of an older version up to date."`

	client.Commands `group:"client"`

	Version    versionCmd    `cmd:"" group:"program" help:"Show the version, commit and date of this program."`
	Completion completionCmd `cmd:"" group:"program" help:"Write the completion of a shell."`
}

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
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

// printJSON prints what a command shows with --json.
func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
