package content

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"
)

// A text may be written once, or as a map of texts by language. A file is read once for
// each language of the business, and each reading checks the texts of its language.

// readText reads the one text of a node, which what names in messages.
type readText func(node *yaml.Node, what string) string

// localized reads the text of a key in the language that is read; empty if it has none.
func (o object) localized(name string, read readText) string {
	key, text, what := o.of.key(name), o.value(name), name
	if key.Local {
		text, what = o.inLanguage(text, name, key)
	}
	if text == nil {
		return ""
	}
	return read(text, what)
}

// inLanguage returns the text of a node in the language that is read, and what names it in messages; nil if there is
// none. The text in the first language given replaces an optional one that is not translated. In faq.yaml it does so
// only while the first language is read, and never in a list, because an entry without texts in a language is
// answered in the first one.
func (s *source) inLanguage(node *yaml.Node, what string, key Key) (text *yaml.Node, name string) {
	if node == nil || node.Kind != yaml.MappingNode {
		return node, what
	}
	given := seen{}
	for tag := range pairs(node) {
		if _, err := language.Parse(tag.Value); err != nil { // a text that begins with {
			s.fault(tag, quoteHint, "%s must be a text, or a text for each language", what)
			return nil, ""
		}
		if s.siteLanguages != nil && !slices.Contains(s.siteLanguages, tag.Value) {
			s.fault(tag, "business.languages: "+strings.Join(s.siteLanguages, ", "),
				"%s has a text in %q, which is not a language of the business", what, tag.Value).as("content.language", tag.Value)
			continue
		}
		s.once(given, tag.Value, "the language", tag.Value, tag)
	}
	if text = member(node, s.language); text != nil {
		return text, what + " in " + s.language
	}
	at := slices.Index(s.siteLanguages, s.language)
	switch {
	case key.All && at >= 0:
		s.fault(node, "write one for each of business.languages", "%s has no text in %q", what,
			s.language).below(s.language).as("content.untranslated", s.language)
	case key.All, s.name == FAQFile && (at != 0 || key.Kind == KindLines):
	default:
		for _, first := range s.siteLanguages {
			if given[first] != 0 {
				s.content.notes = append(s.content.notes, faultIn(s.name, node.Line,
					fmt.Sprintf("%s has no text in %q; the text in %q is used", what, s.language, first), "",
					"warning.untranslated", s.language, first))
				return member(node, first), what + " in " + first
			}
		}
	}
	return nil, ""
}

// lines reads a list of texts of one line each, each of which may be a map by
// language, or a map of lists by language. It is never nil.
func (o object) lines(key string) []string {
	return append([]string{}, o.localizedList(key, "an item of "+key, o.lineOf)...)
}

// localizedList reads the items of a list, which what names in messages, that have a text in
// the language that is read.
func (o object) localizedList(name, what string, read readText) (texts []string) {
	key := o.of.key(name)
	list, _ := o.inLanguage(o.value(name), name, key)
	if list == nil {
		return nil
	}
	for _, item := range o.items(list, name) {
		if text, named := o.inLanguage(item, what, key); text != nil {
			texts = append(texts, read(text, named))
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
	return slices.DeleteFunc(append(slices.Clone(node.Content), node), func(n *yaml.Node) bool {
		return n.Kind != yaml.MappingNode
	})
}

// isWritten reports whether one of the keys has a text by language in a language.
func (o object) isWritten(language string, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		return slices.ContainsFunc(o.textMaps(key), func(node *yaml.Node) bool { return member(node, language) != nil })
	})
}
