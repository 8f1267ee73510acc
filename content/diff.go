package content

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// noFile is the name that a diff has in place of a file that does not exist.
const noFile = "/dev/null"

// Lines of a diff that are no text of the file.
const (
	pictureLine = "Picture "                       // and the digests of both sides; noPicture for none
	noPicture   = "none"                           //
	noLineEnd   = "\\ No newline at end of file\n" // below a last line without a line break
)

// Diff is the change as unified diffs, file by file. A file that is no text is shown by the
// digest of its bytes, under which Pictures has them.
func (c *Change) Diff() string {
	var all strings.Builder
	for _, e := range c.edits {
		all.WriteString(e.diff())
	}
	return all.String()
}

func (e *edit) diff() string {
	if e.isSame() {
		return ""
	}
	from, to := e.name, e.name
	if e.before == nil {
		from = noFile
	}
	if e.after == nil {
		to = noFile
	}
	head := "--- " + from + "\n+++ " + to + "\n"
	if !isPlainText(e.before) || !isPlainText(e.after) {
		return head + pictureLine + digestOf(e.before) + " " + digestOf(e.after) + "\n"
	}
	_, text, _ := strings.Cut(string(diff.Diff(from, e.before, to, e.after)), "\n+++ ")
	_, hunks, _ := strings.Cut(text, "\n")
	return head + hunks
}

// isPlainText reports whether a diff can show a file line by line.
func isPlainText(data []byte) bool { return utf8.Valid(data) && !bytes.Contains(data, []byte{0}) }

func digestOf(data []byte) string {
	if data == nil {
		return noPicture
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Replaced are the files of the change that are no text, as they were before it, by the
// digest of their bytes.
func (c *Change) Replaced() map[string][]byte {
	replaced := map[string][]byte{}
	for _, e := range c.edits {
		if e.before != nil && !e.isSame() && (!isPlainText(e.before) || !isPlainText(e.after)) {
			replaced[digestOf(e.before)] = e.before
		}
	}
	return replaced
}

// ErrConflict reports a change that cannot be undone because its lines were changed again.
var ErrConflict = errors.New("was changed again since, at the same place: undo the later change first, or correct it " +
	"as it is now")

// ErrBadDiff reports a text that is no diff of Change.Diff.
var ErrBadDiff = errors.New("the stored change cannot be read")

// Undo returns the change of a folder that reverses a diff. It keeps later changes
// elsewhere. picture returns a replaced file by digest. Undo fails with ErrConflict, ErrBadDiff and
// the errors of picture.
func Undo(folder fs.FS, text string, picture func(digest string) ([]byte, error)) (*Change, error) {
	files, err := readDiff(text)
	if err != nil {
		return nil, err
	}
	change := NewChange(folder)
	for _, file := range files {
		now, err := fs.ReadFile(folder, file.name)
		if exists := err == nil; !exists && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		} else if exists != file.exists {
			return nil, fmt.Errorf("%s %w", file.name, ErrConflict)
		}
		before, err := file.reverse(now, picture)
		if err != nil {
			return nil, err
		}
		if err := change.replace(file.name, before); err != nil {
			return nil, err
		}
	}
	return change, nil
}

// fileDiff is what a diff says about one file.
type fileDiff struct {
	name            string
	existed, exists bool // before and after the change
	isPicture       bool
	was, is         string // digests of a picture before and after the change
	hunks           []hunk
}

// hunk is a part of a file before and after a change, with the unchanged lines around.
type hunk struct {
	line          int // the first of after, from 1
	before, after []string
}

// hunkHead matches the first line of a hunk: how many lines are before it, and the first one
// and how many there are after it.
var hunkHead = regexp.MustCompile(`^@@ -\d+,(\d{1,9}) \+(\d{1,9}),(\d{1,9}) @@\n$`)

// readDiff reads what Change.Diff has written.
func readDiff(text string) (files []fileDiff, err error) {
	lines := slices.Collect(strings.Lines(text))
	next := func(prefix string) (rest string, ok bool) {
		if len(lines) == 0 {
			return "", false
		}
		if rest, ok = strings.CutPrefix(lines[0], prefix); ok {
			lines = lines[1:]
		}
		return strings.TrimSuffix(rest, "\n"), ok
	}
	for len(lines) > 0 {
		from, _ := next("--- ")
		to, isHead := next("+++ ")
		file := fileDiff{name: from, existed: from != noFile, exists: to != noFile}
		if !file.existed {
			file.name = to
		}
		if !isHead || !isContentFile(file.name) {
			return nil, fmt.Errorf("%w: %q is no file of the content", ErrBadDiff, file.name)
		}
		if digests, ok := next(pictureLine); ok {
			file.isPicture = true
			file.was, file.is, _ = strings.Cut(digests, " ")
		}
		for len(lines) > 0 && hunkHead.MatchString(lines[0]) {
			var h hunk
			if h, lines, err = readHunk(lines); err != nil {
				return nil, err
			}
			file.hunks = append(file.hunks, h)
		}
		files = append(files, file)
	}
	return files, nil
}

// isContentFile reports whether a change may concern a file.
func isContentFile(name string) bool {
	return slices.Contains([]string{catalogFile, faqFile, goldenFile}, name) || checkEditable(name) == nil
}

// readHunk reads the hunk with which lines begin, and returns those after it.
func readHunk(lines []string) (h hunk, rest []string, err error) {
	var numbers [3]int
	for i, digits := range hunkHead.FindStringSubmatch(lines[0])[1:] {
		numbers[i], _ = strconv.Atoi(digits) // the pattern makes it a number
	}
	h.line = numbers[1]
	for lines = lines[1:]; len(h.before) < numbers[0] || len(h.after) < numbers[2]; lines = lines[1:] {
		if len(lines) == 0 || !strings.ContainsRune(" -+", rune(lines[0][0])) {
			return h, nil, ErrBadDiff
		}
		sign, line := lines[0][0], lines[0][1:]
		if len(lines) > 1 && lines[1] == noLineEnd {
			line = strings.TrimSuffix(line, "\n")
			lines = lines[1:]
		}
		if sign != '+' {
			h.before = append(h.before, line)
		}
		if sign != '-' {
			h.after = append(h.after, line)
		}
	}
	return h, lines, nil
}

// reverse returns a file as it was before the change, made of the file as it is now; nil if
// there was none.
func (f fileDiff) reverse(now []byte, picture func(digest string) ([]byte, error)) ([]byte, error) {
	conflict := fmt.Errorf("%s %w", f.name, ErrConflict)
	if f.isPicture {
		switch {
		case f.exists && digestOf(now) != f.is:
			return nil, conflict
		case !f.existed:
			return nil, nil
		}
		return picture(f.was)
	}
	lines := slices.Collect(strings.Lines(string(now)))
	for _, h := range slices.Backward(f.hunks) {
		var found bool
		if lines, found = h.reverse(lines); !found {
			return nil, conflict
		}
	}
	switch text := []byte(strings.Join(lines, "")); {
	case f.existed:
		return text, nil
	case len(text) > 0:
		return nil, conflict
	}
	return nil, nil
}

// reverse replaces the lines after a change with those before it. When the unchanged lines
// around them have been changed since, it goes by fewer of them.
func (h hunk) reverse(lines []string) (_ []string, found bool) {
	for {
		if at := h.find(lines); at >= 0 {
			return slices.Replace(lines, at, at+len(h.after), h.before...), true
		}
		lead, tail, before, after := 0, 0, len(h.before), len(h.after)
		for lead < min(before, after) && h.before[lead] == h.after[lead] {
			lead++
		}
		for tail < min(before, after) && h.before[before-1-tail] == h.after[after-1-tail] {
			tail++
		}
		switch {
		case lead == 0 && tail == 0:
			return nil, false
		case lead >= tail:
			h.before, h.after, h.line = h.before[1:], h.after[1:], h.line+1
		default:
			h.before, h.after = h.before[:before-1], h.after[:after-1]
		}
	}
}

// find returns where the lines after a change are now: where they were, or at the only
// other place. It is -1 if there is none.
func (h hunk) find(lines []string) int {
	var places []int
	for at := range len(lines) - len(h.after) + 1 {
		if slices.Equal(lines[at:at+len(h.after)], h.after) {
			places = append(places, at)
		}
	}
	switch {
	case len(h.after) == 0 && len(lines) > 0: // it would be anywhere
		return -1
	case slices.Contains(places, h.line-1):
		return h.line - 1
	case len(places) == 1:
		return places[0]
	}
	return -1
}
