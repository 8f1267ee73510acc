package content

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hbollon/go-edlib"
	"go.yaml.in/yaml/v4"
)

// Diagnostic is one error in the content, worded for the owner.
type Diagnostic struct {
	File    string // relative to the content folder
	Line    int    // from 1; 0 when the whole file is meant
	Message string
	Hint    string // what to do about it; may be empty
	// Code names the text of the owner's pages that says it in her language, with Values, which
	// are strings. It is empty if there is none.
	Code   string
	Values []any
	// Path leads to the faulty value, as in Value; empty if it is not in a YAML file.
	Path []string

	node *yaml.Node // the faulty value; may be nil
}

// below sets the key that is missing in the faulty value.
func (f *Diagnostic) below(key string) *Diagnostic {
	f.Path = []string{key}
	return f
}

// locate gives the faults below the root of a file their paths.
func (f Diagnostics) locate(root *yaml.Node) {
	paths := map[*yaml.Node][]string{}
	walk(nil, []*yaml.Node{root}, func(path Path, part []*yaml.Node) bool {
		for _, node := range part {
			paths[node] = path
		}
		return true
	})
	for i := range f {
		f[i].Path = slices.Concat(paths[f[i].node], f[i].Path)
	}
}

// as gives the fault its code.
func (f *Diagnostic) as(code string, values ...any) { f.Code, f.Values = code, values }

// String formats the fault as compilers do, so that editors can jump to it:
// "faq.yaml:12: message (hint)".
func (f Diagnostic) String() string {
	text := f.File
	if f.Line > 0 {
		text += ":" + strconv.Itoa(f.Line)
	}
	text += ": " + f.Message
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	return text
}

// Diagnostics is the error of Load: all faults, sorted by file and line.
type Diagnostics []Diagnostic

// Error lists the faults, one on a line.
func (f Diagnostics) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

// sortedFaults sorts faults by file and line. One that was found in several languages is
// there once.
func sortedFaults(faults []Diagnostic) []Diagnostic {
	slices.SortStableFunc(faults, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	known := map[string]bool{}
	return slices.DeleteFunc(faults, func(f Diagnostic) bool {
		text := f.String()
		isKnown := known[text]
		known[text] = true
		return isKnown
	})
}

// Warnings lists problems that are not refused but need the owner's attention at now,
// sorted by file and line.
func (c *Content) Warnings(now time.Time) []Diagnostic {
	var due []Diagnostic
	for i := range c.FAQ.Entries {
		switch e := &c.FAQ.Entries[i]; {
		case !e.Live(now):
			due = append(due, e.Fault(fmt.Sprintf("the entry %q expired on %s and no longer answers", e.ID,
				e.Expires.Format(time.DateOnly)), "", ""))
		case Past(e.ReviewBy, now):
			due = append(due, e.Fault(
				fmt.Sprintf("the entry %q was to be reviewed by %s", e.ID, e.ReviewBy.Format(time.DateOnly)),
				"read it again and set a new review_by", ""))
		}
	}
	return sortedFaults(slices.Concat(c.notes, due, c.leftovers(), c.strayAmounts(), c.forbiddenClaims()))
}

// Fault returns a fault at the line of the entry. The code may be empty.
func (e *Entry) Fault(message, hint, code string, values ...any) Diagnostic {
	return faultIn(FAQFile, e.Line, message, hint, code, values...)
}

func faultIn(file string, line int, message, hint, code string, values ...any) Diagnostic {
	return Diagnostic{File: file, Line: line, Message: message, Hint: hint, Code: code, Values: values}
}

// maxListed is how many known words a hint lists.
const maxListed = 12

// suggest is the hint for an unknown word.
func suggest(word string, known []string) string {
	near := suggestNear(word, known)
	if near == "" && 0 < len(known) && len(known) <= maxListed {
		near = "known: " + strings.Join(known, ", ")
	}
	return near
}

// suggestNear is the hint for a misspelt known word, or "".
func suggestNear(word string, known []string) string {
	if near := Closest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// Closest returns the nearest known word that differs by at most a third of word's
// letters, or "". Two letters in the wrong order are one difference.
func Closest(word string, known []string) string {
	best, bestDistance := "", max(1, utf8.RuneCountInString(word)/3)+1
	for _, candidate := range known {
		if d := edlib.OSADamerauLevenshteinDistance(word, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}
