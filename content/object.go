package content

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// nullTag is the YAML type of a null, which counts as a missing value.
const nullTag = "!!null"

// shape describes a mapping: its name in messages and its space-separated keys.
type shape struct{ name, required, optional string }

func (s shape) keys() []string { return strings.Fields(s.required + " " + s.optional) }

var nonEmptyLists = []string{"services", "pricing_bands", "entries"}

// object is a YAML mapping with known keys. Each getter reads one key and reports faults
// of its value; a missing key gives the zero value.
type object struct {
	*source
	node *yaml.Node
}

// object reads node as a mapping of a shape and reports every unknown, repeated or missing
// key.
func (s *source) object(node *yaml.Node, of shape) (object, bool) {
	known, required := of.keys(), strings.Fields(of.required)
	if node.Kind != yaml.MappingNode {
		s.fault(node.Line, of.name+" must be a group of keys", "its keys: "+strings.Join(known, ", "))
		return object{}, false
	}
	o := object{source: s, node: node}
	lines := seen{}
	for key := range pairs(node) {
		if key.Kind != yaml.ScalarNode || !slices.Contains(known, key.Value) {
			o.fault(key.Line, fmt.Sprintf("unknown key %q", key.Value), suggest(key.Value, known))
			continue
		}
		o.once(lines, key.Value, "the key", key.Value, key.Line)
	}
	for _, key := range required {
		value, code := o.value(key), "content.missing"
		if slices.Contains(nonEmptyLists, key) {
			code = "content.last"
			if value != nil && value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
				o.fault(value.Line, key+" is empty", "it needs at least one item").as("content.empty")
			}
		}
		if value == nil {
			s.fault(node.Line, fmt.Sprintf("%s has no %s", of.name, key), "required: "+strings.Join(required, ", ")).as(code,
				key)
		}
	}
	return o, true
}

// within reads the object under a key; ok is false if there is none.
func (o object) within(key string, of shape) (_ object, ok bool) {
	node := o.value(key)
	if node == nil {
		return object{}, false
	}
	return o.object(node, of)
}

// objects reads the list of objects under a key.
func (o object) objects(key string, of shape) (items []object) {
	for _, node := range o.list(key) {
		if item, ok := o.object(node, of); ok {
			items = append(items, item)
		}
	}
	return items
}

// value returns the value of a key, or nil.
func (o object) value(key string) *yaml.Node {
	if _, value := member(o.node, key); value != nil && value.ShortTag() != nullTag {
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
		for i := 0; i+1 < len(node.Content); i += 2 {
			if !yield(node.Content[i], node.Content[i+1]) {
				return
			}
		}
	}
}

// member returns the nodes of a key and its value.
func member(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	for key, value := range pairs(mapping) {
		if key.Value == name {
			return key, value
		}
	}
	return nil, nil
}

// at returns the line of the value under key, or the line of the object.
func (o object) at(key string) int {
	if value := o.value(key); value != nil {
		return value.Line
	}
	return o.node.Line
}

// list returns the items under key.
func (o object) list(key string) []*yaml.Node {
	value := o.value(key)
	if value == nil {
		return nil
	}
	return o.items(value, key)
}

func (s *source) items(node *yaml.Node, what string) []*yaml.Node {
	if node.Kind != yaml.SequenceNode {
		s.fault(node.Line, what+" must be a list", `write each item on its own line after "- "`)
		return nil
	}
	return node.Content
}

// flag reads true or false; otherwise is the default.
func (o object) flag(key string, otherwise bool) bool {
	node := o.value(key)
	switch {
	case node == nil:
		return otherwise
	case node.ShortTag() != "!!bool":
		o.fault(node.Line, key+" must be true or false", "")
		return otherwise
	}
	return strings.EqualFold(node.Value, "true")
}

// seen maps a key to the line of its first occurrence.
type seen map[string]int

func (s seen) keys() []string { return slices.Sorted(maps.Keys(s)) }

// once reports a text whose key is repeated, with the line of its first occurrence.
// what names its kind.
func (s *source) once(before seen, key, what, text string, line int) {
	if earlier, again := before[key]; again {
		s.fault(line, fmt.Sprintf("%s %q appears twice", what, text),
			fmt.Sprintf("first on line %d", earlier)).as("content.twice", text)
		return
	}
	before[key] = line
}
