package content

import (
	"fmt"
	"strings"
)

// maxListed is how many known words a hint lists.
const maxListed = 12

// suggest is the hint for an unknown word.
func suggest(word string, known []string) string {
	if near := suggestNear(word, known); near != "" {
		return near
	}
	if len(known) == 0 || len(known) > maxListed {
		return ""
	}
	return "known: " + strings.Join(known, ", ")
}

// suggestNear is the hint for a misspelt known word, or "".
func suggestNear(word string, known []string) string {
	if near := Closest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// Closest returns the nearest known word that differs by at most a third of word's
// letters, or "".
func Closest(word string, known []string) string {
	best, bestDistance := "", max(1, len(word)/3)+1
	for _, candidate := range known {
		if d := distance(word, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes: keys and ids are ASCII.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
