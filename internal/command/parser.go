package command

import (
	"cmp"
	"context"
	_ "embed" // the details
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/signing"
)

// detailsText are the texts below the usage in the help of each command, and of the
// program: a line "== NAME" and the text.
//
//go:embed details.txt
var detailsText string

// flagsText holds the help of commands, arguments and flags; that of the settings is in help.txt
// of package config. A flag without a command belongs to several commands.
//
//go:embed flags.txt
var flagsText string

// settingsHelp replaces the list of settings in the help of a command that takes them
// all.
const settingsHelp = "It takes every flag and variable of frontdesk serve; frontdesk serve --help lists them."

// details returns the text for each command, and for the program.
func details() map[string]string {
	texts := map[string]string{}
	for part := range strings.SplitSeq(strings.ReplaceAll("\n"+detailsText, "${settings}", settingsHelp), "\n== ") {
		name, text, _ := strings.Cut(part, "\n")
		texts[name] = strings.TrimSpace(text)
	}
	return texts
}

// groups are the headings under which --help lists the commands.
var groups = []kong.Group{
	{Key: "service", Title: "Service:"},
	{Key: "owner", Title: "Requests and questions:"},
	{Key: "client", Title: "Client of a running service:"},
	{Key: "program", Title: "This program:"},
}

// newParser reads the command line.
func newParser(ctx context.Context, std Streams, own Own) *kong.Kong {
	all := &commands{}
	for _, mail := range []*config.MailServer{
		&all.Serve.MailServer, &all.Check.MailServer, &all.Doctor.MailServer, &all.Notify.MailServer,
		&all.Inquiries.MailServer,
	} {
		mail.Sender = own.Sender
	}
	terminal := client.NewTerminal(std.Out, std.Err, os.Getenv)
	terminal.Offline, terminal.Locate = offline, locate
	return kong.Must(all,
		kong.Name(contract.Product),
		kong.Description("A business's public front for AI agents and developers."),
		kong.Vars{"samples": strings.Join(content.SampleNames(), ", "), "vectors_file": content.VectorsFile},
		kong.ExplicitGroups(groups),
		kong.PostBuild(arrange),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(helpText),
		kong.Writers(std.Out, std.Err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.Bind(std, terminal, own),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(signing.NewVerifier(), (*client.Verifier)(nil)),
	)
}

// helpText is the --help text of a flag or an argument: its description, its default unless
// that gives it already, and its variable.
func helpText(v *kong.Value) string {
	text := v.Help
	if v.HasDefault && v.Default != "" && !v.IsBool() && !strings.Contains(text, "Default:") {
		text += " Default: " + v.Default + "."
	}
	if len(v.Tag.Envs) == 0 {
		return text
	}
	return strings.TrimSuffix(text, ".") + " ($" + strings.Join(v.Tag.Envs, ", $") + ")."
}

// takesAllSettings are the commands that take every setting of serve. Their help
// refers to the help of serve, where each setting is explained.
var takesAllSettings = []string{"check", "doctor", "notify"}

// arrange adds the texts of the commands, groups the settings in the help of serve, and
// hides the flags that help does not list: those that the help of serve explains, and the
// files of secrets, which it explains together.
func arrange(k *kong.Kong) error {
	settings, details, texts := config.Settings{}.Describe(), details(), config.ParseHelp(flagsText)
	places := map[*kong.Flag]int{} // by group; 0 for flags without one
	k.Model.Detail = details[k.Model.Name]
	for _, node := range k.Model.Leaves(false) {
		node.Help, node.Detail = texts[node.Name], details[node.Name]
		for _, argument := range node.Positional {
			argument.Help = texts[node.Name+" "+argument.Name]
		}
		for _, flag := range node.Flags {
			flag.Help = cmp.Or(flag.Help, texts[node.Name+" --"+flag.Name])
			flag.Group = nil // else kong lists it under the group of its command
			i := slices.IndexFunc(settings, func(s config.Setting) bool { return slices.Contains(flag.Envs, s.Name) })
			if i < 0 {
				flag.Help = cmp.Or(flag.Help, texts["--"+flag.Name])
				continue
			}
			flag.Help = cmp.Or(flag.Help, settings[i].Help)
			flag.Hidden = flag.Hidden || slices.Contains(takesAllSettings, node.Name) ||
				strings.HasSuffix(settings[i].Name, config.FileSuffix)
			if node.Name == "serve" {
				group := config.GroupIndex(settings[i].Group)
				flag.Group = &kong.Group{Key: settings[i].Group, Title: config.Groups[group].Title + ":"}
				places[flag] = 1 + group
			}
		}
		slices.SortStableFunc(node.Flags, func(a, b *kong.Flag) int { return places[a] - places[b] })
	}
	return nil
}

// noValue matches kong's errors for a flag without its value: at the end of the line, or before another flag.
var noValue = regexp.MustCompile(`^(--\S+): (?:expected \w+ value but got|missing value,) .*?(; perhaps try .*)?$`)

// printUsageError says what is wrong with a command line and where its help is.
// Without a command it prints the help itself.
func printUsageError(parser *kong.Kong, err error, w io.Writer) {
	wrong, ok := errors.AsType[*kong.ParseError](err)
	if ok && len(wrong.Context.Args) == 0 {
		parser.Stdout = w
		_ = wrong.Context.PrintUsage(false) // there is nowhere else to report an error
		return
	}
	fmt.Fprintf(w, "%s: %s\n", contract.Product, noValue.ReplaceAllString(err.Error(), "$1 needs a value$2"))
	usage := contract.Product
	if ok && wrong.Context.Selected() != nil {
		usage = wrong.Context.Selected().FullPath()
		fmt.Fprintf(w, "usage: %s %s\n", contract.Product, wrong.Context.Selected().Summary())
	}
	fmt.Fprintf(w, "help:  %s --help\n", usage)
}
