package content

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"
)

// A text may be written once, or as a map of texts by language. A file is read once for
// each language of the business. The first reading checks the texts of all languages; the
// others report no faults.

// inEach calls read for each language, the first one first.
func (s *source) inEach(languages []string, read func(language string)) {
	if languages == nil { // unknown, because of a fault that is reported
		languages = []string{""}
	}
	for i, language := range languages {
		s.language, s.muted = language, i > 0
		read(language)
	}
	s.muted = false
}

// readText reads the one text of a node, which what names in messages.
type readText func(node *yaml.Node, what string) string

// localized reads the text of a key in the language that is read; empty if it has none.
func (o object) localized(key string, read readText) string {
	node := o.value(key)
	if node == nil {
		return ""
	}
	required := o.siteLanguages
	if o.name == faqFile { // a missing language is answered in the first one
		required = required[:min(len(required), 1)]
	}
	return o.localizedNode(node, key, required, read)
}

func (o object) localizedNode(node *yaml.Node, what string, required []string, read readText) (text string) {
	if node.Kind != yaml.MappingNode {
		return read(node, what)
	}
	for _, found := range o.byLanguage(node, what, required) {
		if one := read(found.node, what+" in "+found.language); found.language == o.language {
			text = one
		}
	}
	return text
}

// inLanguage is a value with its language.
type inLanguage struct {
	language string
	node     *yaml.Node
}

// byLanguage reads a map whose keys are languages of the business, and sorts it.
func (s *source) byLanguage(node *yaml.Node, what string, required []string) (found []inLanguage) {
	languages, lines := s.siteLanguages, seen{}
	for key, value := range pairs(node) {
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
		found = append(found, inLanguage{key.Value, value})
	}
	for _, language := range required {
		if _, given := lines[language]; !given {
			s.fault(node.Line, fmt.Sprintf("%s has no text in %q", what, language), "write one for each of business.languages")
		}
	}
	slices.SortStableFunc(found, func(a, b inLanguage) int { return strings.Compare(a.language, b.language) })
	return found
}

// localLine reads a text of one line.
func (o object) localLine(key string) string { return o.localized(key, o.lineOf) }

// localText reads a text of any length, trimmed.
func (o object) localText(key string) string {
	return o.localized(key, func(node *yaml.Node, what string) string { return strings.TrimSpace(o.verbatimOf(node, what)) })
}

// localLines reads a list of texts of one line each, each of which may be a map by
// language, or a map of lists by language. It is never nil.
func (o object) localLines(key string) []string {
	return o.localizedList(key, "an item of "+key, o.lineOf)
}

// localizedList is localLines with the name of an item in messages. An item that has no text
// in the language is empty.
func (o object) localizedList(key, what string, read readText) []string {
	required := o.siteLanguages
	if o.name == faqFile {
		required = nil
	}
	texts := []string{}
	node := o.value(key)
	if node == nil || node.Kind != yaml.MappingNode {
		for _, item := range o.list(key) {
			texts = append(texts, o.localizedNode(item, what, required, read))
		}
		return texts
	}
	for _, found := range o.byLanguage(node, key, required) {
		for _, item := range o.items(found.node, key) {
			if text := read(item, what); found.language == o.language {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// textMaps are the texts by language under a key: its value, or items of its list.
func (o object) textMaps(key string) []*yaml.Node {
	node := o.value(key)
	if node == nil {
		return nil
	}
	return slices.DeleteFunc(append(slices.Clone(node.Content), node), func(n *yaml.Node) bool { return n.Kind != yaml.MappingNode })
}

// isWritten reports whether a key has a text by language in the language that is read.
func (o object) isWritten(key string) bool {
	return slices.ContainsFunc(o.textMaps(key), func(node *yaml.Node) bool {
		_, value := member(node, o.language)
		return value != nil
	})
}
