package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"frontdesk/contract"
	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/manual"
	"frontdesk/internal/signing"
)

// groups are the headings under which --help and the man page list the commands.
var groups = []kong.Group{
	{Key: "service", Title: "Service:"},
	{Key: "owner", Title: "What came in:"},
	{Key: "client", Title: "Client of a running service:"},
	{Key: "program", Title: "This program:"},
}

// newParser reads the command line.
func newParser(ctx context.Context, std streams) *kong.Kong {
	return kong.Must(&commands{},
		kong.Name(contract.Product),
		kong.Description("A business's public front for AI agents and developers."),
		kong.ExplicitGroups(groups),
		kong.PostBuild(arrange),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(manual.HelpText),
		kong.Writers(std.out, std.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.Bind(std, client.NewTerminal(std.out, std.err, os.Getenv)),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(signing.NewVerifier(), (*client.Verifier)(nil)),
	)
}

// settled are the commands that take every setting of serve. Their help names its
// help in place of a list: a setting is explained in one place.
var settled = []string{"check", "doctor"}

// arrange hides what the help shall not list, and keeps kong from listing flags
// under the group of their command.
func arrange(k *kong.Kong) error {
	settings := config.Settings{}.Describe()
	for _, node := range k.Model.Leaves(false) {
		for _, flag := range node.Flags {
			flag.Group = nil
			isSetting := slices.ContainsFunc(settings, func(s config.Setting) bool { return slices.Contains(flag.Envs, s.Name) })
			flag.Hidden = isSetting && slices.Contains(settled, node.Name)
		}
	}
	return nil
}

// misused tells what is wrong with a command line, and where its help is. Without a
// command it is the help itself.
func misused(parser *kong.Kong, err error, w io.Writer) {
	wrong, ok := errors.AsType[*kong.ParseError](err)
	if ok && len(wrong.Context.Args) == 0 {
		parser.Stdout = w
		_ = wrong.Context.PrintUsage(false) // nobody is left to tell
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
