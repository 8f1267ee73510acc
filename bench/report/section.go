package report

import (
	"fmt"
	"os"
	"strings"
)

// Rewrite replaces the text of a marked section of a document:
//
//	<!-- NAME: written by make figures -->
//	text
//	<!-- end of NAME -->
func Rewrite(path, name, text string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rewritten, err := section(string(document), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(rewritten), 0o644) // the path is the operator's
}

func section(document, name, text string) (string, error) {
	first, last := "<!-- "+name+": written by make figures -->\n", "<!-- end of "+name+" -->"
	before, rest, opened := strings.Cut(document, first)
	_, after, closed := strings.Cut(rest, last)
	if !opened || !closed {
		return "", fmt.Errorf("there is no section %q", name)
	}
	return before + first + strings.TrimRight(text, "\n") + "\n" + last + after, nil
}
