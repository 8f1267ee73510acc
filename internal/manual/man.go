package manual

import (
	"fmt"
	"go/doc/comment"
	"io"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

// Man writes the man page of a program, section 1: its commands by their groups, each with
// its flags but those that its help hides, and then further sections, which are roff. The
// date of the release is as 2006-01-02, or empty when it is unknown.
func Man(w io.Writer, app *kong.Application, version, date, sections string) error {
	err := execute(w, "man.tmpl", roff, struct {
		*kong.Application
		Version, Date string
	}{app, version, date})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, sections)
	return err
}

// roff are what the template of the man page calls.
var roff = template.FuncMap{
	"help":     HelpText,
	"without":  strings.TrimSuffix,
	"upper":    strings.ToUpper,
	"escaped":  escaped,
	"argument": func(text string) string { return strings.ReplaceAll(escaped(text), `"`, `\(dq`) },
	"text":     func(text string) string { return lines(text, strings.TrimSpace) },
	"detail":   detail,
}

// lines are the lines of a text, each behind a line break. roff must not read one as a macro.
func lines(text string, trim func(string) string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = escaped(trim(line))
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		out.WriteString("\n" + line)
	}
	return out.String()
}

// detail is the longer text of a command, which kong reads as Go reads a doc comment:
// paragraphs, and indented lines that stay as they are.
func detail(text string) string {
	var parser comment.Parser
	plain := comment.Printer{TextWidth: -1}
	var blocks []string
	for _, block := range parser.Parse(text).Content {
		if code, ok := block.(*comment.Code); ok {
			end := func(line string) string { return strings.TrimRight(line, "\n") }
			blocks = append(blocks, "\n.RS \"4\"\n.EX"+lines(code.Text, end)+"\n.EE\n.RE")
		} else {
			paragraph := plain.Text(&comment.Doc{Content: []comment.Block{block}})
			blocks = append(blocks, lines(string(paragraph), strings.TrimSpace))
		}
	}
	return strings.Join(blocks, "\n.PP")
}

// escape replaces what roff or a reader of man pages would change. A bare hyphen would be
// typeset as a Unicode hyphen, which no shell accepts.
var escape = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// escaped escapes a text for roff.
func escaped(text string) string {
	var out strings.Builder
	for _, letter := range escape.Replace(text) {
		if letter > '~' {
			fmt.Fprintf(&out, `\[u%04X]`, letter)
		} else {
			out.WriteRune(letter)
		}
	}
	return out.String()
}
