package content

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
)

// scalar returns a value as it is written, without regard to its YAML type and without the final line break of a block.
func (s *source) scalar(node *yaml.Node, what string) string {
	switch {
	case node.Kind != yaml.ScalarNode:
		s.fault(node, quoteHint, "%s must be a text", what)
	case strings.TrimSpace(node.Value) == "" || isNull(node):
		s.fault(node, "", "%s is empty", what).as("content.empty")
	default:
		return plainText(node)
	}
	return ""
}

// lineOf reads a text of one line.
func (s *source) lineOf(node *yaml.Node, what string) string {
	text := contract.CleanLine(s.scalar(node, what))
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }) {
		s.fault(node, "", "%s must be one line without control characters", what).as("content.character")
	}
	return text
}

// questionOf reads a question, normalized like customers' questions.
func (s *source) questionOf(node *yaml.Node, what string) string {
	text := contract.CleanQuestion(s.scalar(node, what))
	s.checkControls(node, what, text)
	switch length := utf8.RuneCountInString(text); {
	case length > contract.MaxQuestion:
		s.fault(node, fmt.Sprintf("customers can send at most %d", contract.MaxQuestion), "%s has %d characters", what,
			length).as("content.long", strconv.Itoa(length))
	case text != "" && QuestionKey(text) == "":
		s.fault(node, "", "%s has no word in it", what).as("content.empty")
	}
	return text
}

// checkControls refuses control characters except tabs and line breaks.
func (s *source) checkControls(node *yaml.Node, what, text string) {
	unified := strings.ReplaceAll(text, "\r\n", "\n")
	if at := strings.IndexFunc(unified, isControl); at >= 0 {
		r, _ := utf8.DecodeRuneInString(unified[at:])
		s.fault(node, "delete it", "%s contains the control character %U", what, r).as("content.character")
	}
}

// verbatimOf reads a text byte for byte.
func (s *source) verbatimOf(node *yaml.Node, what string) string {
	text := s.scalar(node, what)
	s.checkControls(node, what, text)
	return text
}
