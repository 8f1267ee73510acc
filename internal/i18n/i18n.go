// Package i18n holds the service's own texts for people in every supported language:
// the frame of the pages, forms and their errors, mails, dates and prices. They are in
// messages/LANGUAGE.yaml, those for the owner in messages/owner/LANGUAGE.yaml, and what is
// answered from the catalog in messages/facts/LANGUAGE.yaml: one file a language, with the
// same keys in all of them. English is the source.
//
// A message is a format string of golang.org/x/text/message, which formats numbers for
// the language. Where it addresses its reader and the language has two ways to do so, it
// has a text for each tone.
package i18n

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/message"
)

//go:embed messages
var files embed.FS

// Tones in which texts address their reader, as in German Sie and du.
const (
	Formal   = "formal"
	Informal = "informal"
)

// usual returns the tone of a language's texts where none is chosen.
func usual(language string) string {
	if language == "it" {
		return Informal
	}
	return Formal
}

// source is the language from which the messages are translated.
const source = "en"

// Languages lists the languages of the messages, sorted.
var Languages = sync.OnceValue(func() []string {
	languages, _ := fs.Glob(files, "messages/*.yaml") // its only error is a bad pattern
	for i, name := range languages {
		languages[i] = strings.TrimSuffix(path.Base(name), ".yaml")
	}
	return languages
})

// Printer writes messages in one language.
type Printer struct {
	Language string // of the messages: one of Languages
	tag      string // as it was asked for
	messages map[string]string
	printer  *message.Printer // of numbers
	plurals  language.Tag     // whose rules count
	html     bool             // amounts and ranges have no-break characters
	digits   map[string]int   // the least that amounts of a currency have after the point
}

var (
	printersMu sync.Mutex
	printers   = map[[2]string]*Printer{} // by tag and tone
)

// For returns the printer of a language tag, in the usual tone. A language without
// messages uses those of its base language ("de" for "de-AT"), else English.
func For(tag string) *Printer { return WithTone(tag, "") }

// WithTone is For in one of the tones; an empty one is the usual tone of the language.
func WithTone(tag, tone string) *Printer {
	printersMu.Lock()
	defer printersMu.Unlock()
	key := [2]string{tag, tone}
	if known := printers[key]; known != nil {
		return known
	}
	base, formats := baseOf(tag), language.Make(tag)
	if base == "" {
		base, formats = source, language.English
	}
	p := &Printer{
		Language: base, tag: tag, messages: messagesOf(base, cmp.Or(tone, usual(base))),
		printer: message.NewPrinter(formats), plurals: formats,
	}
	if base == "pt" { // the texts are European
		p.plurals = language.EuropeanPortuguese
	}
	printers[key] = p
	return p
}

// Speaks reports whether there are messages in the language of a tag.
func Speaks(tag string) bool { return baseOf(tag) != "" }

// baseOf returns the language whose messages a tag uses, or "".
func baseOf(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return ""
	}
	base, _ := parsed.Base()
	if slices.Contains(Languages(), base.String()) {
		return base.String()
	}
	return ""
}

// NameOf returns the name of a language in itself: "Cymraeg" for cy.
func NameOf(tag string) string {
	if Speaks(tag) {
		return For(tag).Text("language.name")
	}
	return cmp.Or(display.Self.Name(language.Make(tag)), tag)
}

// IsRightToLeft reports whether a language is written from right to left.
func IsRightToLeft(tag string) bool {
	script, _ := language.Make(tag).Script()
	rightToLeft := []string{"Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"}
	return slices.Contains(rightToLeft, script.String())
}

// StandIn is the language of the messages if it is not the one that was asked for, else empty.
func (p *Printer) StandIn() string {
	if Speaks(p.tag) {
		return ""
	}
	return p.Language
}

// listSign is between the items of a message that is a list.
const listSign = "|"

// texts are those of a message by tone. A text for every tone has the empty one.
type texts map[string]string

// UnmarshalYAML implements yaml.Unmarshaler.
func (t *texts) UnmarshalYAML(node *yaml.Node) error {
	var list []string
	switch node.Kind {
	case yaml.ScalarNode:
		*t = texts{"": node.Value}
		return nil
	case yaml.SequenceNode:
		err := node.Decode(&list)
		*t = texts{"": strings.Join(list, listSign)}
		return err
	}
	return node.Decode((*map[string]string)(t))
}

// messagesOf returns the messages of one of Languages by key, in a tone.
func messagesOf(language, tone string) map[string]string {
	messages := map[string]string{}
	for key, texts := range textsOf(language) {
		messages[key] = cmp.Or(texts[tone], texts[""])
	}
	return messages
}

// textsOf reads the texts of one of Languages by key.
func textsOf(language string) map[string]texts {
	messages := map[string]texts{}
	for _, folder := range []string{"messages/", "messages/owner/", "messages/facts/"} {
		name := folder + language + ".yaml"
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		if err := yaml.Unmarshal(data, &messages); err != nil {
			panic(fmt.Errorf("%s: %w", name, err)) // a test reads every file
		}
	}
	return messages
}

// Text returns a message with its arguments. It panics on an unknown key: keys are
// constants of the program.
func (p *Printer) Text(key string, arguments ...any) string {
	return p.filled(p.Format(key), arguments...)
}

// filled returns a format string with its arguments.
func (p *Printer) filled(format string, arguments ...any) string {
	if !strings.Contains(format, "%") { // "once"
		return format
	}
	return p.printer.Sprintf(format, arguments...)
}

// Format returns a message as a format string, for a script that fills it in.
func (p *Printer) Format(key string) string {
	text, ok := p.messages[key]
	if !ok {
		panic("i18n: no message " + key)
	}
	return text
}

// TextIf returns a message, or nothing if there is none.
func (p *Printer) TextIf(key string) string {
	if p.messages[key] == "" {
		return ""
	}
	return p.Text(key)
}

// List returns the items of a message that is a list, such as the days of the week.
func (p *Printer) List(key string) []string { return strings.Split(p.Format(key), listSign) }

// Count returns a message about a number of things, which is its first argument. The
// message is a list of the forms that the language has: for one, for few (Polish), and for
// every other number.
func (p *Printer) Count(key string, n int, arguments ...any) string {
	forms := p.List(key)
	form := forms[len(forms)-1]
	switch plural.Cardinal.MatchPlural(p.plurals, n, 0, 0, 0, 0) {
	case plural.One:
		form = forms[0]
	case plural.Few:
		form = forms[len(forms)/2]
	}
	return p.filled(form, append([]any{n}, arguments...)...)
}
