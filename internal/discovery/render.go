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

	"frontdesk/content"
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
	"json":      func(v any) string { return strings.TrimSuffix(string(payload.JSON(v)), "\n") },
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
	return []byte(content.JSONOf(document.Content[0]) + "\n")
}

// unreadable matches characters that owners' texts may contain and YAML may not.
var unreadable = strings.NewReplacer("\ufeff", "\ufffd", "\ufffe", "\ufffd", "\uffff", "\ufffd")
