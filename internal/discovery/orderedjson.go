package discovery

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"

	"frontdesk/internal/payload"
)

// jsonOf turns YAML into JSON whose members keep their order, so that a document
// reads as its source does.
func jsonOf(source []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(source, &root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, errors.New("an empty document")
	}
	var out bytes.Buffer
	if err := writeNode(&out, root.Content[0]); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}

func writeNode(out *bytes.Buffer, node *yaml.Node) error {
	switch node.Kind {
	case yaml.MappingNode:
		return writeMapping(out, node)
	case yaml.SequenceNode:
		return writeSequence(out, node)
	case yaml.ScalarNode:
		return writeScalar(out, node)
	default:
		return fmt.Errorf("line %d: only mappings, lists and values have a JSON form", node.Line)
	}
}

func writeMapping(out *bytes.Buffer, node *yaml.Node) error {
	out.WriteByte('{')
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if seen[key.Value] {
			return fmt.Errorf("line %d: the key %q is given twice", key.Line, key.Value)
		}
		if seen[key.Value] = true; i > 0 {
			out.WriteByte(',')
		}
		out.Write(compact(key.Value))
		out.WriteByte(':')
		if err := writeNode(out, value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeSequence(out *bytes.Buffer, node *yaml.Node) error {
	out.WriteByte('[')
	for i, item := range node.Content {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeNode(out, item); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

// writeScalar refuses a key without a value: in {a, b} the null is a mistake.
func writeScalar(out *bytes.Buffer, node *yaml.Node) error {
	if node.Tag == "!!null" && node.Value == "" {
		return fmt.Errorf("line %d: a key without a value", node.Line)
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return err
	}
	out.Write(compact(value))
	return nil
}

// compact returns the JSON of v without the final line break.
func compact(v any) []byte { return bytes.TrimRight(payload.JSON(v), "\n") }
