package content

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Fault is one thing that is wrong with the content, in words for its owner.
type Fault struct {
	File    string // relative to the content folder
	Line    int    // from 1; 0 when the whole file is meant
	Message string
	Hint    string // what to do about it; may be empty
}

// String writes the fault the way editors and compilers do, so that a terminal can
// jump to it: "faq.yaml:12: message (hint)".
func (f Fault) String() string {
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

// Faults is the error of Load: everything that is wrong, sorted by file and line.
type Faults []Fault

// Error lists the faults, one on a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

func sortFaults(faults []Fault) {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}
