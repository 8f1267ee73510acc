package manual

import (
	"fmt"
	"go/doc/comment"
	"strings"
)

// roff is a document in the macros of man(7).
type roff struct{ strings.Builder }

// macro writes a line of a macro and its arguments.
func (r *roff) macro(name string, args ...string) {
	r.WriteString("." + name)
	for _, arg := range args {
		r.WriteString(` "` + strings.ReplaceAll(escaped(arg), `"`, `\(dq`) + `"`)
	}
	r.WriteByte('\n')
}

// raw writes a line of roff.
func (r *roff) raw(line string) { r.WriteString(line + "\n") }

// text writes running text and keeps its line breaks.
func (r *roff) text(text string) {
	for line := range strings.Lines(text) {
		r.line(strings.TrimSpace(line))
	}
}

// line writes one line of text, which roff must not read as a macro.
func (r *roff) line(text string) {
	text = escaped(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	r.raw(text)
}

func (r *roff) bold(text string) { r.raw(`\fB` + escaped(text) + `\fR`) }

// term writes a term and its meaning, indented.
func (r *roff) term(term, meaning string) {
	r.macro("TP")
	r.bold(term)
	r.text(meaning)
}

// detail writes the longer text of a command, which kong reads as Go reads a doc
// comment: paragraphs, and indented lines that stay as they are.
func (r *roff) detail(text string) {
	var parser comment.Parser
	plain := comment.Printer{TextWidth: -1}
	for i, block := range parser.Parse(text).Content {
		if i > 0 {
			r.macro("PP")
		}
		code, ok := block.(*comment.Code)
		if !ok {
			r.text(string(plain.Text(&comment.Doc{Content: []comment.Block{block}})))
			continue
		}
		r.macro("RS", "4")
		r.macro("EX")
		for line := range strings.Lines(code.Text) {
			r.line(strings.TrimRight(line, "\n"))
		}
		r.macro("EE")
		r.macro("RE")
	}
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
