package content

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"
)

// localized is an owner's text: one for all languages, or one for each.
type localized struct {
	one        string
	byLanguage map[string]string
}

// in returns the text in a language.
func (t localized) in(language string) string {
	if t.byLanguage == nil {
		return t.one
	}
	return t.byLanguage[language]
}

// has reports whether there is a text of its own in a language.
func (t localized) has(language string) bool { return t.byLanguage[language] != "" }

// or returns the text in a language, and where it is missing the one in another.
func (t localized) or(language, other string) string { return cmp.Or(t.in(language), t.in(other)) }

// localize reads the value of a key that may be a text or a map of texts by
// language; read reads one text.
func (o object) localize(key string, read func(node *yaml.Node, what string) string) localized {
	node := o.value(key)
	if node == nil {
		return localized{}
	}
	required := o.languages()
	if o.name == faqFile { // a missing language is answered in the first one
		required = required[:min(len(required), 1)]
	}
	return o.localizeNode(node, key, required, read)
}

func (o object) localizeNode(node *yaml.Node, what string, required []string, read func(node *yaml.Node, what string) string) localized {
	if node.Kind != yaml.MappingNode {
		return localized{one: read(node, what)}
	}
	text := localized{byLanguage: map[string]string{}}
	values := o.byLanguage(node, what, required)
	for _, tag := range slices.Sorted(maps.Keys(values)) {
		text.byLanguage[tag] = read(values[tag], what+" in "+tag)
	}
	return text
}

// byLanguage reads a map whose keys are languages of the business.
func (s *source) byLanguage(node *yaml.Node, what string, required []string) map[string]*yaml.Node {
	languages := s.languages()
	values := map[string]*yaml.Node{}
	lines := seen{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if _, err := language.Parse(key.Value); err != nil { // a text that begins with {
			s.fault(key.Line, what+" must be a text, or a text for each language", quoteHint)
			return nil
		}
		if languages != nil && !slices.Contains(languages, key.Value) {
			s.fault(key.Line, fmt.Sprintf("%s has a text in %q, which is not a language of the business", what, key.Value),
				"business.languages: "+strings.Join(languages, ", "))
			continue
		}
		s.once(lines, key.Value, fmt.Sprintf("the language %q", key.Value), key.Line)
		values[key.Value] = value
	}
	for _, language := range required {
		if values[language] == nil {
			s.fault(node.Line, fmt.Sprintf("%s has no text in %q", what, language), "write one for each of business.languages")
		}
	}
	return values
}

// languages returns the languages of the business, the site's first; nil if the catalog
// could not be read.
func (s *source) languages() []string {
	if s.business == nil {
		return nil
	}
	return s.business.languages()
}

// localLine reads a text of one line.
func (o object) localLine(key string) localized { return o.localize(key, o.lineOf) }

// localText reads a text of any length, trimmed.
func (o object) localText(key string) localized { return o.localize(key, o.textOf) }

// textOf reads a text of any length, trimmed.
func (s *source) textOf(node *yaml.Node, what string) string {
	return strings.TrimSpace(s.verbatimOf(node, what))
}

// localizedLines is a list of texts of one line each, in every language.
type localizedLines struct {
	all        []localized
	byLanguage map[string][]string
}

// in returns the texts in a language. It is never nil.
func (l localizedLines) in(language string) []string {
	if l.byLanguage != nil {
		return append([]string{}, l.byLanguage[language]...)
	}
	texts := make([]string, len(l.all))
	for i, text := range l.all {
		texts[i] = text.in(language)
	}
	return texts
}

// has reports whether there is a text of its own in a language.
func (l localizedLines) has(language string) bool {
	return len(l.byLanguage[language]) > 0 || slices.ContainsFunc(l.all, func(text localized) bool { return text.has(language) })
}

// localLines reads a list of texts, each of which may be a map by language, or a
// map of lists by language.
func (o object) localLines(key string) localizedLines {
	return o.localizeLines(key, "an item of "+key, o.lineOf)
}

// localizeLines is localLines with the name of an item in messages; read reads one text.
func (o object) localizeLines(key, what string, read func(node *yaml.Node, what string) string) localizedLines {
	required := o.languages()
	if o.name == faqFile {
		required = nil
	}
	node := o.value(key)
	if node == nil || node.Kind != yaml.MappingNode {
		var lines localizedLines
		for _, item := range o.list(key) {
			lines.all = append(lines.all, o.localizeNode(item, what, required, read))
		}
		return lines
	}
	lines := localizedLines{byLanguage: map[string][]string{}}
	values := o.byLanguage(node, key, required)
	for _, language := range slices.Sorted(maps.Keys(values)) {
		for _, item := range o.items(values[language], key) {
			lines.byLanguage[language] = append(lines.byLanguage[language], read(item, what))
		}
	}
	return lines
}
