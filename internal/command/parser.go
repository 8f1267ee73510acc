package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/manual"
	"frontdesk/internal/signing"
)

// groups are the headings under which --help and the man page list the commands.
var groups = []kong.Group{
	{Key: "service", Title: "Service:"},
	{Key: "owner", Title: "Requests and questions:"},
	{Key: "client", Title: "Client of a running service:"},
	{Key: "program", Title: "This program:"},
}

// newParser reads the command line.
func newParser(ctx context.Context, std Streams) *kong.Kong {
	terminal := client.NewTerminal(std.Out, std.Err, os.Getenv)
	terminal.Offline = offline{}
	return kong.Must(&commands{},
		kong.Name(contract.Product),
		kong.Description("A business's public front for AI agents and developers."),
		kong.Vars{"samples": strings.Join(content.SampleNames(), ", ")},
		kong.ExplicitGroups(groups),
		kong.PostBuild(arrange),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(manual.HelpText),
		kong.Writers(std.Out, std.Err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.Bind(std, terminal),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(signing.NewVerifier(), (*client.Verifier)(nil)),
	)
}

// takesAllSettings are the commands that take every setting of serve. Their help
// refers to the help of serve, where each setting is explained.
var takesAllSettings = []string{"check", "doctor", "notify"}

// arrange adds the details of the commands, hides the flags that help does not list, and
// keeps kong from listing flags under the group of their command.
func arrange(k *kong.Kong) error {
	settings := config.Settings{}.Describe()
	k.Model.Detail = details[k.Model.Name]
	for _, node := range k.Model.Leaves(false) {
		node.Detail = details[node.Name]
		for _, flag := range node.Flags {
			flag.Group = nil
			isSetting := slices.ContainsFunc(settings, func(s config.Setting) bool { return slices.Contains(flag.Envs, s.Name) })
			flag.Hidden = flag.Hidden || isSetting && slices.Contains(takesAllSettings, node.Name)
		}
	}
	return nil
}

// printUsageError says what is wrong with a command line and where its help is.
// Without a command it prints the help itself.
func printUsageError(parser *kong.Kong, err error, w io.Writer) {
	wrong, ok := errors.AsType[*kong.ParseError](err)
	if ok && len(wrong.Context.Args) == 0 {
		parser.Stdout = w
		_ = wrong.Context.PrintUsage(false) // there is nowhere else to report an error
		return
	}
	fmt.Fprintf(w, "%s: %v\n", contract.Product, err)
	usage := contract.Product
	if ok && wrong.Context.Selected() != nil {
		usage = wrong.Context.Selected().FullPath()
		fmt.Fprintf(w, "usage: %s %s\n", contract.Product, wrong.Context.Selected().Summary())
	}
	fmt.Fprintf(w, "help:  %s --help\n", usage)
}
