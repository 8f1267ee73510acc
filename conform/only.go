package conform

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// selected returns the checks that match any of the patterns, all without patterns. A
// pattern without a match is a usage error, most likely misspelt.
func selected(checks []Check, patterns []string) ([]Check, error) {
	if len(patterns) == 0 {
		return checks, nil
	}
	var chosen []Check
	used := make([]bool, len(patterns))
	for _, check := range checks {
		wanted := false
		for i, pattern := range patterns {
			if matchesPattern(pattern, check) {
				wanted, used[i] = true, true
			}
		}
		if wanted {
			chosen = append(chosen, check)
		}
	}
	for i, pattern := range patterns {
		if !used[i] {
			return nil, &UsageError{fmt.Sprintf("--only %s matches no check and no section", pattern)}
		}
	}
	return chosen, nil
}

func matchesPattern(pattern string, check Check) bool {
	if check.Section == pattern || strings.HasPrefix(check.Section, pattern+".") {
		return true
	}
	for _, text := range []string{check.Name, check.Section} {
		if ok, err := path.Match(pattern, text); ok && err == nil {
			return true
		}
	}
	return false
}

// SortBySection sorts checks by their sections, in place, and returns them. Checks of
// one section keep their order.
func SortBySection(checks []Check) []Check {
	slices.SortStableFunc(checks, func(a, b Check) int { return compareSections(a.Section, b.Section) })
	return checks
}

var number = regexp.MustCompile(`\d+`)

// compareSections puts the numbers of the contract before the letters, and 8.2
// before 8.10.
func compareSections(a, b string) int {
	key := func(section string) string {
		return number.ReplaceAllStringFunc(section, func(n string) string { return fmt.Sprintf("%4s", n) })
	}
	return strings.Compare(key(a), key(b))
}
