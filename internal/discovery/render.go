package discovery

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
	"time"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

//go:embed documents
var sources embed.FS

// templates are the published documents. A document is written as it is published;
// what the owner or package contract decides is filled in. JSON is indented in its
// source.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"contract":  contract.Values,
	"codes":     contract.Codes,
	"condition": func(code contract.Code) string { return code.Info().Condition },
	"problem":   problemExample,
	"json":      func(v any) string { return string(compact(v)) },
	"join":      strings.Join,
	"label":     label.Replace,
	"seconds":   func(t time.Duration) int { return int(t.Seconds()) },
	"twin":      contract.TwinPath,
}).Option("missingkey=error").ParseFS(sources, "documents/*"))

// label escapes the text of a Markdown link.
var label = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

func render(source string, data map[string]any) []byte {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, source, data); err != nil {
		panic(err) // the templates and their data are our own
	}
	return out.Bytes()
}

// renderJSON is render for a document that is published as JSON in one line.
func renderJSON(source string, data map[string]any) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, render(source, data)); err != nil {
		panic(fmt.Errorf("%s is not JSON: %w", source, err))
	}
	return append(bytes.TrimSpace(out.Bytes()), '\n')
}

// renderYAML is renderJSON for a document that is written in YAML. Its members keep
// their order, so that it reads as its source does.
func renderYAML(source string, data map[string]any) []byte {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(unreadable.Replace(string(render(source, data)))), &document); err != nil {
		panic(fmt.Errorf("%s is not YAML: %w", source, err))
	}
	return append(appendJSON(nil, document.Content[0]), '\n')
}

// unreadable matches characters that owners' texts may contain and YAML may not.
var unreadable = strings.NewReplacer("\ufeff", "\ufffd", "\ufffe", "\ufffd", "\uffff", "\ufffd")

func appendJSON(out []byte, node *yaml.Node) []byte {
	switch node.Kind {
	case yaml.AliasNode:
		return appendJSON(out, node.Alias)
	case yaml.MappingNode:
		out = append(out, '{')
		for i := 0; i < len(node.Content); i += 2 {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(out, compact(node.Content[i].Value)...), ':')
			out = appendJSON(out, node.Content[i+1])
		}
		return append(out, '}')
	case yaml.SequenceNode:
		out = append(out, '[')
		for i, item := range node.Content {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, item)
		}
		return append(out, ']')
	}
	var value any
	if err := node.Decode(&value); err != nil {
		panic(err) // a scalar
	}
	return append(out, compact(value)...)
}

// compact returns the JSON of v without the final line break.
func compact(v any) []byte { return bytes.TrimRight(payload.JSON(v), "\n") }
