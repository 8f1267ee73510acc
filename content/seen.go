package content

import (
	"fmt"
	"maps"
	"slices"
)

// seen maps a key to the line of its first occurrence.
type seen map[string]int

func (s seen) keys() []string { return slices.Sorted(maps.Keys(s)) }

// once reports a repeated key, with the line of its first occurrence.
func (s *source) once(before seen, key, what string, line int) {
	if earlier, again := before[key]; again {
		s.fault(line, what+" appears twice", fmt.Sprintf("first on line %d", earlier))
		return
	}
	before[key] = line
}
