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

// distance is the Levenshtein distance in bytes, because keys and ids are ASCII. Two
// letters in the wrong order are one difference.
func distance(a, b string) int {
	row, before := make([]int, len(b)+1), []int(nil)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(row))
		next[0] = i + 1
		for j := range len(b) {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(replaced, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
