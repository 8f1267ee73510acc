package conform

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"frontdesk/contract"
)

// The expectations below end the check when they do not hold, with what was
// expected and what came. Most return the answer for the next one.

func (a *answer) fail(format string, args ...any) {
	a.probe.expected(fmt.Sprintf(format, args...), a.shown())
}

// is expects one of the statuses.
func (a *answer) is(statuses ...int) *answer {
	if !slices.Contains(statuses, a.status) {
		texts := make([]string, len(statuses))
		for i, status := range statuses {
			texts[i] = fmt.Sprintf("%d %s", status, http.StatusText(status))
		}
		a.fail("status %s", strings.Join(texts, " or "))
	}
	return a
}

// has expects exactly one header of the name, with the value.
func (a *answer) has(name, value string) *answer {
	if got := a.header.Values(name); len(got) != 1 || got[0] != value {
		a.fail("the header %s: %s", name, value)
	}
	return a
}

// spelled expects a header line as it goes over the wire.
func (a *answer) spelled(line string) *answer {
	if !slices.Contains(a.lines, line) {
		a.fail("the header line %s, spelled so", line)
	}
	return a
}

// lacks expects none of the headers.
func (a *answer) lacks(names ...string) {
	for _, name := range names {
		if a.header.Values(name) != nil {
			a.fail("no header %s", name)
		}
	}
}

// matches expects a header whose value the pattern describes.
func (a *answer) matches(name, pattern string) *answer {
	if !regexp.MustCompile(pattern).MatchString(a.value(name)) {
		a.fail("a header %s like %s", name, pattern)
	}
	return a
}

// kind expects a media type, whatever its parameters.
func (a *answer) kind(mediaType string) *answer {
	if a.mediaType() != mediaType {
		a.fail("Content-Type %s", mediaType)
	}
	return a
}

// json expects a JSON object and returns it.
func (a *answer) json() map[string]any {
	object := a.object()
	if object == nil {
		a.fail("a body that is one JSON object")
	}
	return object
}

// member expects a member of the JSON body, at a path such as "result.tools.0".
func (a *answer) member(path string, want any) *answer {
	if got := at(a.json(), path); !reflect.DeepEqual(got, normal(want)) {
		a.fail("the member %s to be %s", path, compact(want))
	}
	return a
}

// text expects a member that is a string and not empty, and returns it.
func (a *answer) text(path string) string {
	text, _ := at(a.json(), path).(string)
	if text == "" {
		a.fail("the member %s, a text that is not empty", path)
	}
	return text
}

// list expects a member that is an array and returns it.
func (a *answer) list(path string) []any {
	list, ok := at(a.json(), path).([]any)
	if !ok {
		a.fail("the member %s, an array", path)
	}
	return list
}

// contains expects a text in the body.
func (a *answer) contains(texts ...string) *answer {
	for _, text := range texts {
		if !strings.Contains(string(a.body), text) {
			a.fail("a body that holds %q", cut(text, shownBody))
		}
	}
	return a
}

// hides expects that a text is not in the body.
func (a *answer) hides(texts ...string) *answer {
	for _, text := range texts {
		if strings.Contains(string(a.body), text) {
			a.fail("a body without %q", text)
		}
	}
	return a
}

// problem expects the problem record of a code, complete (section 7).
func (a *answer) problem(code contract.Code) *answer {
	a.is(code.Status()).kind(contract.TypeProblem)
	if fault := recordFault(a, code, a.probe.base()); fault != "" {
		a.fail("%s", fault)
	}
	return a
}

// blames expects that the detail of a problem names a field.
func (a *answer) blames(field string) *answer {
	if detail := a.text("detail"); !regexp.MustCompile(`\b` + regexp.QuoteMeta(field) + `\b`).MatchString(detail) {
		a.fail("a detail that names the field %s", field)
	}
	return a
}

// recordFault is what a problem record lacks; empty when it is whole.
func recordFault(a *answer, code contract.Code, base string) string {
	record := a.object()
	if record == nil {
		return "a problem record"
	}
	if record["code"] != string(code) {
		return "the code " + string(code)
	}
	if want := base + contract.PathDevelopers + "#errors-" + string(code); record["type"] != want {
		return "the type " + want
	}
	if record["status"] != float64(a.status) {
		return fmt.Sprintf("the member status to be the number %d", a.status)
	}
	for _, member := range []string{"title", "detail", "hint"} {
		if text, _ := record[member].(string); text == "" {
			return "the member " + member + ", a text that is not empty"
		}
	}
	return ""
}

// at is the value at a path of members and indexes; nil when there is none.
func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch inner := value.(type) {
		case map[string]any:
			value = inner[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(inner) {
				return nil
			}
			value = inner[i]
		default:
			return nil
		}
	}
	return value
}

// normal is a value as encoding/json reads it back.
func normal(value any) any {
	var back any
	_ = json.Unmarshal([]byte(compact(value)), &back) // what was just written
	return back
}

func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // an expectation of our own that is no JSON
	}
	return string(text)
}

func containsAll(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}
