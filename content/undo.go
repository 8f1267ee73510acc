package content

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"go.yaml.in/yaml/v4"
)

// Value is what a change makes of a value. The path has the keys that lead to it, and the ids of items, or what else
// names them. Without a path it is a file that is no YAML. Before and After are JSON, null where there is no value.
type Value struct {
	File    string          `json:"file"`
	Path    []string        `json:"path,omitempty"`
	IsOrder bool            `json:"order,omitempty"` // of the items of a list, by their names
	Before  json.RawMessage `json:"before"`
	After   json.RawMessage `json:"after"`
}

// name is the file and the path in a line.
func (v Value) name() string { return strings.Join(append([]string{v.File}, v.Path...), " › ") }

// IsPicture reports whether the value is a picture, of which there are digests.
func (v Value) IsPicture() bool { return strings.HasPrefix(v.File, AssetsFolder+"/") }

// Sides returns the value before and after the change as Change.Get does.
func (v Value) Sides() (before, after any) {
	return valueOf(rootOf(v.Before)), valueOf(rootOf(v.After))
}

// rootOf returns the root of YAML or JSON; nil if it cannot be read.
func rootOf(data []byte) *yaml.Node {
	f, err := readYAML("", data)
	if err != nil {
		return nil
	}
	return f.root
}

// Overlaps reports whether two values have a part in common.
func (v Value) Overlaps(other Value) bool {
	shared := min(len(v.Path), len(other.Path))
	return v.File == other.File && slices.Equal(v.Path[:shared], other.Path[:shared])
}

// Edits are a change as it is stored, to be undone.
type Edits struct {
	Values []Value              `json:"values"`
	Files  map[string]fileSides `json:"files"`
	Settled
}

// Settled are the keys of questions that a change takes off the list of unanswered ones, and puts back on it. Their
// numbers may be those of other questions by the time it is undone.
type Settled struct {
	Off  []string `json:"off,omitempty"`
	Back []string `json:"back,omitempty"`
	// Deleted and Restored are answered questions with their counts, as records.Answered.JSON returns them.
	Deleted  []json.RawMessage `json:"deleted,omitempty"`
	Restored []json.RawMessage `json:"restored,omitempty"`
}

// fileSides are a file before and after a change, by their digests.
type fileSides struct {
	Was  string `json:"was"`
	Is   string `json:"is"`
	Text string `json:"text,omitempty"` // before; empty if it is no text, or a large one
}

// maxKept is how large a text may be to be stored with each change of it. Larger YAML is undone by its values only.
const maxKept = 1 << 20

// noFile is the name of a file that does not exist; noDigest is its digest.
const (
	noFile   = "/dev/null"
	noDigest = "none"
)

// ReadEdits reads what Edits.String has written. Of any other text it is empty.
func ReadEdits(text string) (e Edits) {
	_ = json.Unmarshal([]byte(text), &e)
	return e
}

func (e Edits) String() string { return jsonText(e) }

// Edits are what the change changes.
func (c *Change) Edits() Edits {
	edits := Edits{Files: map[string]fileSides{}, Settled: c.Settled}
	for _, e := range c.edits {
		state := fileSides{Was: digestOf(e.before), Is: digestOf(e.after)}
		if e.keepsText() {
			state.Text = string(e.before)
		}
		edits.Files[e.name] = state
		before, after := rootOf(e.before), rootOf(e.after)
		if e.name == goldenFile && e.before == nil {
			before = emptied(after)
		}
		if slices.Contains(yamlFiles, e.name) && before != nil && after != nil {
			edits.compare(Value{File: e.name}, before, after)
		} else {
			edits.Values = append(edits.Values, Value{File: e.name, Before: e.shown(e.before), After: e.shown(e.after)})
		}
	}
	return edits
}

// emptied is a map with empty lists in place of those of another.
func emptied(other *yaml.Node) *yaml.Node {
	lists := Fields{}
	for name := range pairs(other) {
		lists = append(lists, Field{name.Value, List{}})
	}
	return nodeOf(lists)
}

// shown is one side of a file that is no YAML.
func (e *edit) shown(data []byte) json.RawMessage {
	var shown any // null for no file
	switch {
	case data == nil:
	case e.isText():
		shown = string(data)
	default:
		shown = digestOf(data)
	}
	return json.RawMessage(jsonText(shown))
}

// compare adds the values at a path that differ. A node may be nil.
func (e *Edits) compare(at Value, before, after *yaml.Node) {
	if before == nil || after == nil || before.Kind != after.Kind || before.Kind == yaml.ScalarNode {
		if before == nil || after == nil || !isSame(before, after) {
			at.Before, at.After = json.RawMessage(JSONOf(before)), json.RawMessage(JSONOf(after))
			e.Values = append(e.Values, at)
		}
		return
	}
	was, is := namedParts(before), namedParts(after)
	for _, name := range slices.Concat(was.names, is.among(was, false)) {
		at := at
		at.Path = append(slices.Clip(at.Path), name)
		e.compare(at, was.value(name), is.value(name))
	}
	first, then := was.among(is, true), is.among(was, true)
	if before.Kind == yaml.SequenceNode && !slices.Equal(first, then) {
		at.IsOrder, at.Before, at.After = true, json.RawMessage(jsonText(first)), json.RawMessage(jsonText(then))
		e.Values = append(e.Values, at)
	}
}

// among are the names that others have, or have not.
func (p parts) among(others parts, has bool) (names []string) {
	for _, name := range p.names {
		if (others.nodes[name] != nil) == has {
			names = append(names, name)
		}
	}
	return names
}

// Conflict reports values that are not as the change left them, so that it cannot be undone.
type Conflict struct {
	Values []Value
	By     string // the later change; empty if it is not known
}

// Error implements error.
func (c *Conflict) Error() string {
	by := cmp.Or(c.By, "an edit of the file")
	return c.Names() + " was changed again since, by " + by + ": undo that first, or correct it as it is now"
}

// Names are the names of the values.
func (c *Conflict) Names() string {
	var names []string
	for _, value := range c.Values {
		names = append(names, value.name())
	}
	return strings.Join(names, ", ")
}

// ErrBadEdits reports a stored change that cannot be read.
var ErrBadEdits = errors.New("the stored change cannot be read")

// Undo returns the change of a folder that sets the values of a stored change back. A file that is as the change left
// it gets its bytes back. The error is a Conflict where a value is not as the change left it, and nothing is set back
// then; else ErrBadEdits or that of picture, which returns a file of Change.Replaced by its digest.
func Undo(folder fs.FS, edits Edits, picture func(digest string) ([]byte, error)) (*Change, error) {
	change, conflict := NewChange(folder), &Conflict{}
	change.Settled = Settled{Off: edits.Back, Back: edits.Off, Deleted: edits.Restored, Restored: edits.Deleted}
	for _, name := range slices.Sorted(maps.Keys(edits.Files)) {
		if !slices.Contains(yamlFiles, name) && checkEditable(name) != nil {
			return nil, fmt.Errorf("%w: %q is no file of the content", ErrBadEdits, name)
		}
		values := slices.DeleteFunc(slices.Clone(edits.Values), func(v Value) bool { return v.File != name })
		if err := change.undo(name, edits.Files[name], values, conflict, picture); err != nil {
			return nil, err
		}
	}
	if len(conflict.Values) > 0 {
		return nil, conflict
	}
	return change, nil
}

func (c *Change) undo(name string, file fileSides, values []Value, conflict *Conflict,
	picture func(digest string) ([]byte, error)) error {
	now, err := fs.ReadFile(c.folder, name)
	isYAML, isOther := slices.Contains(yamlFiles, name), digestOf(now) != file.Is
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case isOther && (!isYAML || len(values) == 0):
		conflict.Values = append(conflict.Values, Value{File: name})
		return nil
	case isOther || file.Text == "" && isYAML && file.Was != noDigest:
		return c.undoValues(name, file.Text, values, conflict)
	case file.Was == noDigest:
		return c.replace(name, nil)
	case digestOf([]byte(file.Text)) == file.Was:
		return c.replace(name, []byte(file.Text))
	}
	before, err := picture(file.Was)
	if err != nil {
		return err
	}
	return c.replace(name, before)
}

// undoValues sets values of a YAML file back, with the comments of the text before.
func (c *Change) undoValues(name, text string, values []Value, conflict *Conflict) error {
	f, err := c.yaml(name)
	if err != nil {
		return err
	}
	before := rootOf([]byte(text))
	for _, value := range values {
		if !value.undo(f.root, before) {
			conflict.Values = append(conflict.Values, value)
		}
	}
	return c.write(name, f)
}

// undo sets the value back if it is as the change left it. Before is the file before the change, or nil.
func (v Value) undo(now, before *yaml.Node) bool {
	if v.IsOrder {
		return v.undoOrder(nodeAt(now, v.Path))
	}
	if len(v.Path) == 0 {
		return false
	}
	around, name := v.Path[:len(v.Path)-1], v.Path[len(v.Path)-1]
	now = nodeAt(now, around)
	there, was := namedParts(now), namedParts(nodeAt(before, around))
	node, part := there.value(name), was.nodes[name]
	switch isAdded := string(v.Before) == "null"; {
	case now == nil || JSONOf(node) != string(v.After) || isAdded && node == nil:
		return false
	case isAdded:
		removePart(now, slices.Index(there.names, name))
		return true
	case part == nil: // without the text before
		root := rootOf(v.Before)
		if root == nil {
			return false
		}
		if part = []*yaml.Node{nodeOf(name), root}; now.Kind != yaml.MappingNode {
			part = part[1:]
		}
	}
	if node != nil {
		merge(node, part[len(part)-1])
		return true
	}
	place := 0 // after the part that was before it
	for _, earlier := range was.names[:max(0, slices.Index(was.names, name))] {
		place = max(place, slices.Index(there.names, earlier)+1)
	}
	now.Content = slices.Insert(now.Content, place*len(part), part...)
	return true
}

// undoOrder sets the order of items back.
func (v Value) undoOrder(list *yaml.Node) bool {
	var was, is []string
	if list == nil || json.Unmarshal(v.Before, &was) != nil || json.Unmarshal(v.After, &is) != nil {
		return false
	}
	there := namedParts(list)
	isGone := func(name string) bool { return there.nodes[name] == nil }
	was, is = slices.DeleteFunc(was, isGone), slices.DeleteFunc(is, isGone)
	var places []int
	for _, name := range is {
		places = append(places, slices.Index(there.names, name))
	}
	if len(was) != len(is) || !slices.IsSorted(places) {
		return false
	}
	list.Content = slices.Clone(list.Content)
	for i, place := range places {
		list.Content[place] = there.nodes[was[i]][0]
	}
	return true
}

// Diff is the change as unified diffs, file by file. A file that is no text is shown by the digest of its bytes.
func (c *Change) Diff() string {
	var all strings.Builder
	for _, e := range c.edits {
		from, to := e.name, e.name
		if e.before == nil {
			from = noFile
		}
		if e.after == nil {
			to = noFile
		}
		head := "--- " + from + "\n+++ " + to + "\n"
		shown := "Picture " + digestOf(e.before) + " " + digestOf(e.after) + "\n"
		if e.isText() {
			_, shown, _ = strings.Cut(string(diff.Diff(from, e.before, to, e.after)), head)
		}
		all.WriteString(head + shown)
	}
	return all.String()
}

func (e *edit) isText() bool { return isPlainText(e.before) && isPlainText(e.after) }

// keepsText reports whether the text before is stored with the change.
func (e *edit) keepsText() bool { return isPlainText(e.before) && len(e.before) <= maxKept }

// isPlainText reports whether a file can be shown line by line.
func isPlainText(data []byte) bool { return utf8.Valid(data) && !bytes.Contains(data, []byte{0}) }

func digestOf(data []byte) string {
	if data == nil {
		return noDigest
	}
	return sha256Of(data)
}

// sha256Of is the SHA-256 of data in hexadecimal digits.
func sha256Of(data []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// Replaced are the pictures and pages of the change as they were before it, by the digest of their bytes, without the
// texts that are stored with it.
func (c *Change) Replaced() map[string][]byte {
	replaced := map[string][]byte{}
	for _, e := range c.edits {
		if e.before != nil && !e.keepsText() && !slices.Contains(yamlFiles, e.name) {
			replaced[digestOf(e.before)] = e.before
		}
	}
	return replaced
}
