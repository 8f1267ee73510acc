package content

import (
	"fmt"
	"maps"
	"slices"
)

// seen remembers on which line something stood first.
type seen map[string]int

func (s seen) keys() []string { return slices.Sorted(maps.Keys(s)) }

// once notes what stands a second time, with the line of the first.
func (s *source) once(before seen, key, what string, line int) {
	if earlier, again := before[key]; again {
		s.fault(line, what+" stands twice", fmt.Sprintf("first on line %d", earlier))
		return
	}
	before[key] = line
}
