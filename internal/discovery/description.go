package discovery

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"
	"time"

	"frontdesk/contract"
)

// The description is written as YAML templates, which are read in the order of their
// names.
//
//go:embed openapi/*.yaml
var descriptionSource embed.FS

// openAPI is the description of the API (sections 1 and 9.6). The texts are in the
// templates; every number and name comes from package contract.
func (p *Publication) openAPI() []byte {
	d := &description{
		Publication: p, examples: newExamples(p), seen: map[string]bool{}, answered: map[contract.Code]bool{},
	}
	source, err := d.execute()
	if err != nil {
		panic(err) // the templates and their data are our own
	}
	body, err := jsonOf([]byte(unreadable.Replace(string(source))))
	if err != nil {
		panic(fmt.Errorf("the OpenAPI templates do not make YAML: %w", err))
	}
	return body
}

// unreadable matches characters that owners' texts may contain and YAML may not.
var unreadable = strings.NewReplacer("\ufeff", "\ufffd", "\ufffe", "\ufffd", "\uffff", "\ufffd")

// description collects the errors of the operations, so that each is described once.
type description struct {
	*Publication
	examples examples
	seen     map[string]bool        // names of described problems
	answered map[contract.Code]bool // their codes
	problems []problemResponse
}

// problemResponse is one shared response of the description.
type problemResponse struct {
	Name     string
	Response string // JSON
}

func (d *description) execute() ([]byte, error) {
	files, err := fs.Glob(descriptionSource, "openapi/*.yaml")
	if err != nil {
		return nil, err
	}
	var source strings.Builder
	for _, file := range files {
		text, err := descriptionSource.ReadFile(file)
		if err != nil {
			return nil, err
		}
		source.Write(text)
	}
	parsed, err := template.New("description").Funcs(d.functions()).Option("missingkey=error").Parse(source.String())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	data := map[string]any{
		"Name": d.name(), "Base": d.base(), "Workspace": d.workspace(), "WorkspaceMCP": d.workspaceMCP(),
		"Documents": d.describedDocuments(), "Trials": d.Content.Trials,
	}
	err = parsed.Execute(&out, data)
	return out.Bytes(), err
}

// functions are the functions of the templates.
func (d *description) functions() template.FuncMap {
	given := func(v any) func() any { return func() any { return v } }
	return template.FuncMap{
		"json":            func(v any) string { return string(compact(v)) },
		"seconds":         func(t time.Duration) int { return int(t.Seconds()) },
		"remaining":       remainingPattern,
		"operation":       newOperation,
		"headers":         headers,
		"problem":         d.problem,
		"problems":        func() []problemResponse { return d.problems },
		"problemExample":  d.problemExample,
		"codesOf":         d.codesOf,
		"codeNames":       codeNames,
		"example":         given(d.examples),
		"ask":             given(contract.AskPolicy),
		"contact":         given(contract.ContactPolicy),
		"path":            given(paths),
		"version":         given(versions),
		"bound":           given(bounds),
		"cap":             given(caps),
		"field":           given(fields),
		"contactRequired": given(contract.ContactRequired),
		"pattern":         given(patterns),
		"reasons":         given(contract.Reasons),
		"matches":         given(contract.Matches),
	}
}

// operation is one path of an operation that has several.
type operation struct {
	ID   string
	V1   string // traitV1, or nothing on an alias
	Note string
}

func newOperation(id, v1, note string) operation { return operation{id, v1, note} }

func remainingPattern(p contract.Policy) string {
	return fmt.Sprintf(`^"%s";r=[0-%d]$`, p.Name, p.Quota)
}

// codesOf returns the codes that some operation answers, or those that none does.
func (d *description) codesOf(someOperation bool) []contract.CodeInfo {
	return slices.DeleteFunc(contract.Codes(), func(info contract.CodeInfo) bool {
		return d.answered[info.Code] != someOperation
	})
}

func codeNames() []contract.Code {
	var names []contract.Code
	for _, info := range contract.Codes() {
		names = append(names, info.Code)
	}
	return names
}
