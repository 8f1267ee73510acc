package content

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Fault is one error in the content, worded for the owner.
type Fault struct {
	File    string // relative to the content folder
	Line    int    // from 1; 0 when the whole file is meant
	Message string
	Hint    string // what to do about it; may be empty
}

// String formats the fault as compilers do, so that editors can jump to it:
// "faq.yaml:12: message (hint)".
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

// Faults is the error of Load: all faults, sorted by file and line.
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
