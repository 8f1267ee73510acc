package content

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Path leads to a value of a YAML file by the names of parts: keys of maps, and what names the items of lists, which is
// an id, a question of golden.yaml, or the item itself.
type Path []string

// Values that a change writes, beside string, which is a text of one or more lines.
type (
	// Plain is a number, a day or a truth value: it is written without quotes.
	Plain string
	// List is a list of values; a list of texts may also be a []string.
	List []any
	// Fields is a map, such as a text for each language, in its order.
	Fields []Field
	// Field is a key of Fields.
	Field struct {
		Key   string
		Value any
	}
)

// atEnd is the place of Insert behind all items.
const atEnd = math.MaxInt

// Set sets the value at a path. Keys at its end may be missing.
func (c *Change) Set(file string, path Path, value any) error {
	return c.editYAML(file, func(root *yaml.Node) bool { return set(groups[file], root, path, nodeOf(value)) })
}

// Insert adds an item to the list at a path, before the item at a place, or at the end. The
// last keys of the path may be missing.
func (c *Change) Insert(file string, path Path, place int, value any) error {
	return c.editYAML(file, func(root *yaml.Node) bool {
		list := nodeAt(root, path)
		if isNull(list) {
			return set(groups[file], root, path, nodeOf(List{value}))
		}
		if list.Kind != yaml.SequenceNode || place < 0 {
			return false
		}
		list.Content = slices.Insert(list.Content, min(place, len(list.Content)), nodeOf(value))
		return true
	})
}

// Delete removes the key or the item at a path, with the comments right above it. Removing the
// last item of a list, or the last key of a map, also removes the list or the map.
func (c *Change) Delete(file string, path Path) error {
	return c.editYAML(file, func(root *yaml.Node) bool { return remove(root, path) })
}

// Move moves an item of a list to another place.
func (c *Change) Move(file string, path Path, from, to int) error {
	return c.editYAML(file, func(root *yaml.Node) bool {
		list := nodeAt(root, path)
		if list == nil || list.Kind != yaml.SequenceNode || min(from, to) < 0 || max(from, to) >= len(list.Content) {
			return false
		}
		moved := list.Content[from]
		list.Content = slices.Insert(slices.Delete(list.Content, from, from+1), to, moved)
		return true
	})
}

// yaml reads a YAML file as the change leaves it. golden.yaml need not exist.
func (c *Change) yaml(file string) (*yamlFile, error) {
	data, err := fs.ReadFile(c, file)
	if file == goldenFile && errors.Is(err, fs.ErrNotExist) {
		return &yamlFile{root: nodeOf(Fields{})}, nil
	}
	if err != nil {
		return nil, err
	}
	return readYAML(file, data)
}

// node is the node at a path of a file, or nil.
func (c *Change) node(file string, path Path) (*yaml.Node, error) {
	f, err := c.yaml(file)
	if err != nil {
		return nil, err
	}
	return nodeAt(f.root, path), nil
}

// editYAML applies edit to the nodes of a YAML file and writes the file in the canonical form. It fails with
// ErrChanged if edit reports false, because the file has something else at that place.
func (c *Change) editYAML(file string, edit func(root *yaml.Node) bool) error {
	f, err := c.yaml(file)
	if err != nil {
		return err
	}
	if !edit(f.root) {
		return fmt.Errorf("%s: %w", file, ErrChanged)
	}
	return c.write(file, f)
}

// write adds the edit of a YAML file. It fails if the new text does not parse to the same nodes and comments.
func (c *Change) write(file string, f *yamlFile) error {
	text, err := f.text()
	var again *yamlFile
	if err == nil {
		again, err = readYAML(file, []byte(text))
	}
	switch {
	case err != nil:
		return err
	case !isSame(f.root, again.root) || !slices.Equal(commentsOf(f.root), commentsOf(again.root)):
		return fmt.Errorf("%s: what is written does not read as what was meant", file)
	}
	return c.replace(file, []byte(text))
}

// Format writes the YAML files of the folder in the canonical form.
func (c *Change) Format() (err error) {
	for _, name := range yamlFiles {
		if _, missing := fs.Stat(c, name); errors.Is(missing, fs.ErrNotExist) {
			continue
		}
		err = errors.Join(err, c.editYAML(name, func(*yaml.Node) bool { return true }))
	}
	return err
}

// parts are the parts of a list or a map by their names.
type parts struct {
	names []string
	nodes map[string][]*yaml.Node
}

func namedParts(of *yaml.Node) parts {
	p := parts{nodes: map[string][]*yaml.Node{}}
	if of == nil {
		return p
	}
	for _, part := range partsOf(of) {
		node := cmp.Or(member(part[0], "q"), member(part[0], "id"), part[0])
		name := plainText(node)
		if node.Kind != yaml.ScalarNode {
			name = JSONOf(part[0])
		}
		for p.nodes[name] != nil { // twice
			name += "'"
		}
		p.names, p.nodes[name] = append(p.names, name), part
	}
	return p
}

// value is the value of a part, or nil.
func (p parts) value(name string) *yaml.Node {
	if part := p.nodes[name]; part != nil {
		return part[len(part)-1]
	}
	return nil
}

// nodeAt returns the node to which a path leads, or nil.
func nodeAt(node *yaml.Node, path Path) *yaml.Node {
	for _, name := range path {
		node = namedParts(node).value(name)
	}
	return node
}

// walk visits a part, to which a path leads, and those below each part of which visit reports true.
func walk(path Path, part []*yaml.Node, visit func(path Path, part []*yaml.Node) bool) {
	if !visit(path, part) {
		return
	}
	below := namedParts(part[len(part)-1])
	for _, name := range below.names {
		walk(append(slices.Clip(path), name), below.nodes[name], visit)
	}
}

// set makes the value at a path the same as another, and creates the keys at its end that are missing. A new key is
// placed in the order of its group.
func set(of *Group, root *yaml.Node, path Path, to *yaml.Node) bool {
	if node := nodeAt(root, path); node != nil {
		merge(node, to)
		return true
	}
	around, key := path[:len(path)-1], path[len(path)-1]
	parent := nodeAt(root, around)
	field := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{nodeOf(key), to}}
	switch {
	case isNull(parent):
		return set(of, root, around, field)
	case parent.Kind != yaml.MappingNode:
		return false
	}
	parent.Content = slices.Insert(parent.Content, 2*keyPlace(of.at(around), parent, key), field.Content...)
	return true
}

// remove removes what is at a path, and what would be empty without it.
func remove(root *yaml.Node, path Path) bool {
	around, name := path[:len(path)-1], path[len(path)-1]
	parent := nodeAt(root, around)
	switch names := namedParts(parent).names; {
	case !slices.Contains(names, name):
		return false
	case len(names) == 1 && len(around) > 0:
		return remove(root, around)
	default:
		removePart(parent, slices.Index(names, name))
		return true
	}
}

// removePart removes a part. Comments that are not right above it stay.
func removePart(of *yaml.Node, place int) {
	parts := partsOf(of)
	above := parts[place][0].HeadComment
	apart := above[:strings.LastIndex(above+"\n", "\n\n")+1]
	switch {
	case strings.TrimSpace(apart) == "":
	case place+1 < len(parts):
		parts[place+1][0].HeadComment = apart + parts[place+1][0].HeadComment
	default:
		of.FootComment = strings.TrimRight(apart, "\n") + of.FootComment
	}
	of.Content = slices.Concat(slices.Delete(parts, place, place+1)...)
}

// merge makes a node the same as another. What stays keeps its comments and its style.
func merge(node, to *yaml.Node) {
	switch {
	case isSame(node, to):
	case node.Kind != to.Kind:
		if comments := commentsOf(node); len(comments) > 0 {
			node.HeadComment += "\n" + strings.Join(comments, "\n")
		}
		node.Kind, node.Tag, node.Style, node.Value, node.Content = to.Kind, to.Tag, to.Style, to.Value, to.Content
		node.FootComment = ""
	case node.Kind == yaml.ScalarNode:
		wasBlock := isBlock(node)
		node.Tag, node.Style, node.Value = to.Tag, to.Style, to.Value
		if text := plainText(to); wasBlock && to.Tag == strTag && fitsBlock(text) {
			node.Style, node.Value = yaml.LiteralStyle, text+"\n"
		}
	default:
		mergeParts(node, to)
	}
}

// mergeParts merges lists or maps. A part that is new takes the place of one that goes, with its comments.
func mergeParts(node, to *yaml.Node) {
	left, wanted := partsOf(node), partsOf(to)
	parts := make([][]*yaml.Node, len(wanted))
	for _, fits := range []func(a, b *yaml.Node) bool{isSame, func(a, b *yaml.Node) bool { return a.Kind == b.Kind }} {
		for i, part := range wanted {
			at := slices.IndexFunc(left, func(old []*yaml.Node) bool { return fits(old[0], part[0]) })
			if parts[i] == nil && at >= 0 {
				parts[i] = left[at]
				left = slices.Delete(left, at, at+1)
			}
		}
	}
	for _, part := range left {
		removePart(node, slices.IndexFunc(partsOf(node), func(p []*yaml.Node) bool { return p[0] == part[0] }))
	}
	isOrdered := node.Kind == yaml.SequenceNode // else keys stay where they are
	for i, part := range wanted {
		if parts[i] == nil {
			parts[i], isOrdered = part, true
		}
		isOrdered = isOrdered || !isSame(parts[i][0], part[0])
		for at := range part {
			merge(parts[i][at], part[at])
		}
	}
	if isOrdered {
		node.Content = slices.Concat(parts...)
	}
}

// keyPlace is the place of a new key in a map, in the order of the keys of the group.
func keyPlace(of *Group, mapping *yaml.Node, name string) int {
	parts := partsOf(mapping)
	if of == nil {
		return len(parts)
	}
	names, place := of.names(), 0
	for i, part := range parts {
		if at := slices.Index(names, part[0].Value); at >= 0 && at < slices.Index(names, name) {
			place = i + 1
		}
	}
	return place
}

const strTag = "!!str"

// isNull reports whether there is no node, or a null, which counts as a missing value.
func isNull(node *yaml.Node) bool { return node == nil || node.ShortTag() == "!!null" }

// nodeOf is a value as a node.
func nodeOf(value any) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode}
	switch value := value.(type) {
	case Plain:
		node.Value, node.Tag = string(value), typeOf(string(value))
	case string:
		node.Value, node.Tag = value, strTag
		if strings.Contains(value, "\n") && fitsBlock(value) {
			node.Value, node.Style = value+"\n", yaml.LiteralStyle
		}
	case List:
		node.Kind = yaml.SequenceNode
		for _, item := range value {
			node.Content = append(node.Content, nodeOf(item))
		}
	case []string:
		node.Kind = yaml.SequenceNode
		for _, text := range value {
			node.Content = append(node.Content, nodeOf(text))
		}
	case Fields:
		node.Kind = yaml.MappingNode
		for _, field := range value {
			node.Content = append(node.Content, nodeOf(field.Key), nodeOf(field.Value))
		}
	}
	return node
}

// isSame reports whether two nodes have the same value. A block has no line break at its end, and a date may be in
// quotes.
func isSame(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind == yaml.ScalarNode {
		return plainText(a) == plainText(b) && tagOf(a) == tagOf(b)
	}
	return slices.EqualFunc(a.Content, b.Content, isSame)
}

func tagOf(scalar *yaml.Node) string {
	return strings.ReplaceAll(scalar.ShortTag(), "!!timestamp", strTag)
}

// plainText is the text of a node, as the loader reads it.
func plainText(node *yaml.Node) string {
	if isBlock(node) {
		return strings.TrimSuffix(node.Value, "\n")
	}
	return node.Value
}

// commentsOf are the comments of a node and below it, line by line.
func commentsOf(node *yaml.Node) (lines []string) {
	add := func(comment string) {
		lines = append(lines, strings.FieldsFunc(comment, func(r rune) bool { return r == '\n' })...)
	}
	for _, part := range partsOf(node) {
		for _, child := range part {
			add(child.HeadComment)
		}
		last := part[len(part)-1]
		add(last.LineComment)
		lines = append(lines, commentsOf(last)...)
	}
	add(node.FootComment)
	return lines
}

// Marshal writes a value as a YAML file in the canonical form.
func Marshal(value Fields) (string, error) { return (&yamlFile{root: nodeOf(value)}).text() }

// Get returns the value at a path, as the change leaves the file: a string, List or Fields; nil if there is none.
func (c *Change) Get(file string, path Path) (any, error) {
	node, err := c.node(file, path)
	return valueOf(node), err
}

// valueOf is a node as a value, nil for none. Every text is a string, without the line break at its end.
func valueOf(node *yaml.Node) any {
	switch {
	case isNull(node):
		return nil
	case node.Kind == yaml.SequenceNode:
		list := List{}
		for _, item := range node.Content {
			list = append(list, valueOf(item))
		}
		return list
	case node.Kind == yaml.MappingNode:
		fields := Fields{}
		for name, node := range pairs(node) {
			if value := valueOf(node); value != nil {
				fields = append(fields, Field{name.Value, value})
			}
		}
		return fields
	}
	return plainText(node)
}

// Get is the value of a key; nil if there is none.
func (f Fields) Get(key string) any {
	for _, field := range f {
		if field.Key == key {
			return field.Value
		}
	}
	return nil
}

// Text is the text of a key; empty if there is none.
func (f Fields) Text(key string) string {
	text, _ := f.Get(key).(string)
	return text
}
