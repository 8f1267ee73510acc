package content

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Path leads to a value of a YAML file: a string is a key of a map, an int the place of an
// item in a list.
type Path []any

// Values that a change writes, beside string, which is a text of one or more lines.
type (
	// Plain is a number, a day or a truth value: it is written without quotes.
	Plain string
	// List is a list of values.
	List []any
	// Fields is a map, such as a text for each language, in its order.
	Fields []Field
	// Field is a key of Fields.
	Field struct {
		Key   string
		Value any
	}
)

// Set sets the value at a path. Keys at its end may be missing.
func (c *Change) Set(file string, path Path, value any) error {
	return c.editYAML(file, func(y *yamlText) { y.set(path, value) })
}

// atEnd is the place of Insert behind all items.
const atEnd = math.MaxInt

// Insert adds an item to the list at a path, before the item at a place, or at the end. The
// last keys of the path may be missing.
func (c *Change) Insert(file string, list Path, place int, value any) error {
	return c.editYAML(file, func(y *yamlText) { y.insert(list, place, value) })
}

// Delete removes the key or the item at a path, with the comments right above it. The key of a
// list goes with the last item, and that of a map with its last key.
func (c *Change) Delete(file string, path Path) error {
	return c.editYAML(file, func(y *yamlText) { y.remove(path) })
}

// Move moves an item of a list to another place.
func (c *Change) Move(file string, list Path, from, to int) error {
	return c.editYAML(file, func(y *yamlText) { y.move(list, from, to) })
}

// SetLines makes the list at a path hold these texts, and touches only the items that
// differ. Without texts the key goes.
func (c *Change) SetLines(file string, path Path, texts []string) error {
	return c.editYAML(file, func(y *yamlText) { y.setLines(path, texts) })
}

// readYAML reads a YAML file as the change leaves it, without its byte order mark.
func (c *Change) readYAML(file string) (y *yamlText, mark string, err error) {
	data, err := fs.ReadFile(c, file)
	if err != nil {
		return nil, "", err
	}
	text, hasMark := strings.CutPrefix(string(data), byteOrderMark)
	if hasMark {
		mark = byteOrderMark
	}
	y, err = readYAML(file, text)
	return y, mark, err
}

// editYAML makes one edit of the nodes of a YAML file. If its new text does not read as these
// nodes, with their comments, the error is ErrByHand.
func (c *Change) editYAML(file string, edit func(y *yamlText)) (err error) {
	y, mark, err := c.readYAML(file)
	if err != nil {
		return err
	}
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case byHand:
			err = fmt.Errorf("%s %w", file, ErrByHand)
		default:
			panic(failure)
		}
	}()
	must(!hasRareBreak(y.text))
	edit(y)
	wanted := map[string]int{} // before String, which copies comments of keys to their values
	countComments(y.root, wanted, 1)
	text := y.String()
	again, err := readYAML(file, text)
	must(err == nil && isAsWanted(y.root, again.root))
	countComments(again.root, wanted, -1)
	for _, missing := range wanted {
		must(missing <= 0)
	}
	return c.replace(file, []byte(mark+text))
}

// countComments adds so much for each line of each comment of a tree.
func countComments(node *yaml.Node, lines map[string]int, by int) {
	for _, comment := range []string{node.HeadComment, node.LineComment, node.FootComment} {
		for line := range strings.SplitSeq(comment, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				lines[line] += by
			}
		}
	}
	for _, child := range node.Content {
		countComments(child, lines, by)
	}
}

// isAsWanted reports whether two trees say the same. Keys may be in another order, and a
// block may have got a line break at its end.
func isAsWanted(want, got *yaml.Node) bool {
	if want.Kind != got.Kind || len(want.Content) != len(got.Content) {
		return false
	}
	switch {
	case want.Kind == yaml.MappingNode:
		for key, wanted := range pairs(want) {
			if _, value := member(got, key.Value); value == nil || !isAsWanted(wanted, value) {
				return false
			}
		}
		return true
	case want.Kind == yaml.SequenceNode:
		return slices.EqualFunc(want.Content, got.Content, isAsWanted)
	case isBlock(got):
		return strings.TrimSuffix(want.Value, "\n") == strings.TrimSuffix(got.Value, "\n")
	}
	return want.Value == got.Value && want.ShortTag() == got.ShortTag()
}

// Item is a map of a file: texts by key. A list has several texts. The keys of a map within it
// are joined with points, such as "address.city"; those of maps in a list too, with and without
// the place of the map: "options.name" are the names of all, "options.0.name" is the first.
type Item map[string][]string

// Text is the text of a key, or the first of several.
func (i Item) Text(key string) string {
	if len(i[key]) == 0 {
		return ""
	}
	return i[key][0]
}

func (i Item) add(key string, node *yaml.Node) {
	switch {
	case node.Kind == yaml.SequenceNode:
		for place, item := range node.Content {
			i.add(key, item)
			if item.Kind == yaml.MappingNode {
				i.add(fmt.Sprint(key, ".", place), item)
			}
		}
	case node.Kind == yaml.MappingNode:
		for name, value := range pairs(node) {
			within := name.Value
			if key != "" {
				within = key + "." + within
			}
			i.add(within, value)
		}
	case node.ShortTag() != nullTag:
		i[key] = append(i[key], strings.TrimSpace(node.Value))
	}
}

// node is the node at a path of a file as the change leaves it, or nil.
func (c *Change) node(file string, path Path) (*yaml.Node, error) {
	y, _, err := c.readYAML(file)
	if err != nil {
		return nil, err
	}
	return y.at(path), nil
}

// Item is the map at a path, as the change leaves the file.
func (c *Change) Item(file string, path Path) (Item, error) {
	node, err := c.node(file, path)
	item := Item{}
	if node != nil {
		item.add("", node)
	}
	return item, err
}

// Items are the items of a list of maps, as the change leaves the file.
func (c *Change) Items(file, list string) (items []Item, err error) {
	node, err := c.node(file, Path{list})
	if node == nil {
		return nil, err
	}
	for _, mapping := range node.Content {
		item := Item{}
		item.add("", mapping)
		items = append(items, item)
	}
	return items, nil
}
