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
	text, what := o.value(name), name
	if key := o.of.key(name); key.All {
		text, what = o.inLanguage(text, name, isRequired)
	} else if key.Local {
		text, what = o.inLanguage(text, name, o.standsIn())
	}
	if text == nil {
		return ""
	}
	return read(text, what)
}

// missing says how to treat a text that has no translation in the language that is read.
type missing int

const (
	isLeftOut missing = iota
	isRequired
	hasStandIn // the first language given replaces it
)

// standsIn says how to treat a missing translation that is optional. In faq.yaml it is left out, because an entry
// without texts in a language is answered in the first one.
func (s *source) standsIn() missing {
	if s.name == faqFile && len(s.siteLanguages) > 0 && s.language != s.siteLanguages[0] {
		return isLeftOut
	}
	return hasStandIn
}

// inLanguage returns what a node has in the language that is read, and what names it in
// messages; nil if it has nothing.
func (s *source) inLanguage(node *yaml.Node, what string, otherwise missing) (text *yaml.Node, name string) {
	if node == nil || node.Kind != yaml.MappingNode {
		return node, what
	}
	given := seen{}
	for key := range pairs(node) {
		if _, err := language.Parse(key.Value); err != nil { // a text that begins with {
			s.fault(key, quoteHint, "%s must be a text, or a text for each language", what)
			return nil, ""
		}
		if s.siteLanguages != nil && !slices.Contains(s.siteLanguages, key.Value) {
			s.fault(key, "business.languages: "+strings.Join(s.siteLanguages, ", "),
				"%s has a text in %q, which is not a language of the business", what, key.Value).as("content.language", key.Value)
			continue
		}
		s.once(given, key.Value, "the language", key.Value, key)
	}
	text = member(node, s.language)
	name = what + " in " + s.language
	if text != nil {
		return text, name
	}
	switch otherwise {
	case isRequired:
		if slices.Contains(s.siteLanguages, s.language) {
			s.fault(node, "write one for each of business.languages", "%s has no text in %q", what,
				s.language).below(s.language).as("content.untranslated", s.language)
		}
	case hasStandIn:
		for _, first := range s.siteLanguages {
			if given[first] != 0 {
				text = member(node, first)
				s.content.notes = append(s.content.notes, faultIn(s.name, node.Line,
					fmt.Sprintf("%s has no text in %q; the text in %q is used", what, s.language, first), "",
					"warning.untranslated", s.language, first))
				return text, what + " in " + first
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
func (o object) localizedList(key, what string, read readText) (texts []string) {
	otherwise := hasStandIn
	if o.name == faqFile {
		otherwise = isLeftOut
	}
	list, _ := o.inLanguage(o.value(key), key, otherwise)
	if list == nil {
		return nil
	}
	for _, item := range o.items(list, key) {
		if text, name := o.inLanguage(item, what, otherwise); text != nil {
			texts = append(texts, read(text, name))
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
