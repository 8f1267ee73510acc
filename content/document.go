package content

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v4"
)

// quoteHint is the hint for the most common YAML errors.
const quoteHint = `check the indentation; a text with ": " or " #" in it, or one that begins with a sign, needs quotes`

// document parses the one YAML document of the file into nodes with their lines. It does
// not decode into structs, so that faults can be worded for the owner, not for Go. It is nil for a faulty document.
func (s *source) document(data []byte) *yaml.Node {
	var documents []yaml.Node
	err := yaml.Load(plainJSON(data), &documents, yaml.WithAllDocuments())
	switch {
	case err != nil:
		s.syntaxFault(err)
		return nil
	case len(documents) == 0:
		s.faultAt(0, "frontdesk init DIR writes a sample of every file", "the file is empty").as("content.empty")
		return nil
	case len(documents) > 1:
		s.fault(&documents[1], "the file must hold one document: delete the line ---", "a second YAML document begins here")
		return nil
	}
	if root := documents[0].Content[0]; s.isPlain(root) { // aliases can form a cycle
		return root
	}
	return nil
}

// syntaxFault reports an error of the YAML library at its line.
func (s *source) syntaxFault(err error) {
	failure, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		s.faultAt(0, quoteHint, "the YAML cannot be read: %s", err)
		return
	}
	around := ""
	if begin := failure.ContextMark.Line; failure.ContextMsg != "" && begin != failure.Mark.Line {
		around = fmt.Sprintf(", %s that begins on line %d", failure.ContextMsg, begin)
	}
	s.faultAt(failure.Mark.Line, quoteHint, "the YAML cannot be read: %s%s", failure.Message, around)
}

// isPlain reports every anchor, alias and tag as a fault. No content needs them, and a
// text such as *new* would be read as one unnoticed.
func (s *source) isPlain(node *yaml.Node) bool {
	if node.Kind == yaml.AliasNode || node.Anchor != "" || node.Style&yaml.TaggedStyle != 0 || node.Tag == "!" {
		s.fault(node, "put a text that begins with *, & or ! in quotes",
			"YAML anchors, aliases and tags are not allowed here")
		return false
	}
	plain := true
	for _, child := range node.Content {
		plain = s.isPlain(child) && plain
	}
	return plain
}

// surrogatePair matches a character beyond U+FFFF as ASCII-only JSON writers escape it. Its second alternative
// consumes other escapes, so that text behind an escaped backslash is not taken for a pair.
var surrogatePair = regexp.MustCompile(`\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\.`)

// plainJSON replaces surrogate pairs with their characters if data is JSON: they are the only part of JSON that YAML
// does not have. Other escapes stay, because YAML takes some of their characters for line ends and refuses others.
func plainJSON(data []byte) []byte {
	if !json.Valid(data) {
		return data
	}
	return surrogatePair.ReplaceAllFunc(data, func(escape []byte) []byte {
		var character string
		if len(escape) < 3 || json.Unmarshal([]byte(`"`+string(escape)+`"`), &character) != nil {
			return escape
		}
		return []byte(character)
	})
}
