package content

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// object is a YAML mapping with the keys of a group. Each getter reads one key and reports faults
// of its value; a missing key gives the zero value.
type object struct {
	*source
	node *yaml.Node
	of   *Group
}

// object reads node as a group and reports every unknown, repeated or missing key.
func (s *source) object(node *yaml.Node, of *Group) (object, bool) {
	names := of.names()
	if node.Kind != yaml.MappingNode {
		s.fault(node, "its keys: "+strings.Join(names, ", "), "%s must be a group of keys", of.Name)
		return object{}, false
	}
	o := object{source: s, node: node, of: of}
	lines := seen{}
	for key := range pairs(node) {
		if key.Kind != yaml.ScalarNode || !slices.Contains(names, key.Value) {
			o.fault(key, suggest(key.Value, names), "unknown key %q", key.Value)
			continue
		}
		o.once(lines, key.Value, "the key", key.Value, key)
	}
	for _, key := range of.Keys {
		value, code := o.value(key.Name), "content.missing"
		if key.Kind == KindItems {
			code = "content.last"
		}
		switch {
		case !key.Required:
		case value == nil && o.value(key.Instead) == nil:
			s.fault(node, "required: "+strings.Join(of.required(), ", "), "%s has no %s", of.Name, key.Name).
				below(cmp.Or(key.Instead, key.Name)).as(code, key.Name)
		case value != nil && value.Kind == yaml.SequenceNode && len(value.Content) == 0:
			o.fault(value, "it needs at least one item", "%s is empty", key.Name).as("content.empty")
		}
	}
	return o, true
}

// within reads the group under a key; ok is false if there is none.
func (o object) within(name string) (_ object, ok bool) {
	node := o.value(name)
	if node == nil {
		return object{}, false
	}
	return o.object(node, o.of.key(name).Of)
}

// objects reads the list of groups under a key.
func (o object) objects(name string) (items []object) {
	for _, node := range o.list(name) {
		if item, ok := o.object(node, o.of.key(name).Of); ok {
			items = append(items, item)
		}
	}
	return items
}

// value returns the value of a key, or nil.
func (o object) value(key string) *yaml.Node {
	if value := member(o.node, key); !isNull(value) {
		return value
	}
	return nil
}

// pairs yields the keys and the values of a mapping, and nothing for any other node.
func pairs(node *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		if node == nil || node.Kind != yaml.MappingNode {
			return
		}
		for pair := range slices.Chunk(node.Content, 2) {
			if !yield(pair[0], pair[1]) {
				return
			}
		}
	}
}

// member returns the value of a key, or nil.
func member(mapping *yaml.Node, name string) *yaml.Node {
	for key, value := range pairs(mapping) {
		if key.Value == name {
			return value
		}
	}
	return nil
}

// list returns the items under key.
func (o object) list(key string) []*yaml.Node {
	if value := o.value(key); value != nil {
		return o.items(value, key)
	}
	return nil
}

func (s *source) items(node *yaml.Node, what string) []*yaml.Node {
	if node.Kind != yaml.SequenceNode {
		s.fault(node, `write each item on its own line after "- "`, "%s must be a list", what)
		return nil
	}
	return node.Content
}

// seen maps a key to the line of its first occurrence.
type seen map[string]int

func (s seen) keys() []string { return slices.Sorted(maps.Keys(s)) }

// once reports a text whose key is repeated, with the line of its first occurrence.
// what names its kind.
func (s *source) once(before seen, key, what, text string, node *yaml.Node) {
	if earlier, again := before[key]; again {
		s.fault(node, fmt.Sprintf("first on line %d", earlier), "%s %q appears twice", what, text).as("content.twice", text)
		return
	}
	before[key] = node.Line
}
