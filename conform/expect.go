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

// The expectations below end the check if they do not hold, and report the expected and
// the received value. Most return the answer, so that they can be chained.

// Fail ends the check: the answer is not what the format describes. If a proxy in front
// gave the answer by itself, the check is skipped instead.
func (a *Answer) Fail(format string, args ...any) {
	if a.FromProxy() {
		a.Probe.Skip("%s", fromProxy(a))
	}
	a.Probe.Fail(fmt.Sprintf(format, args...), a.Excerpt())
}

// HasStatus expects one of the statuses.
func (a *Answer) HasStatus(statuses ...int) *Answer {
	if !slices.Contains(statuses, a.Status) {
		texts := make([]string, len(statuses))
		for i, status := range statuses {
			texts[i] = fmt.Sprintf("%d %s", status, http.StatusText(status))
		}
		a.Fail("status %s", strings.Join(texts, " or "))
	}
	return a
}

// HasHeader expects exactly one header of the name, with the value. Names
// are compared without case (RFC 9110 5.1).
func (a *Answer) HasHeader(name, value string) *Answer {
	if got := a.Header.Values(name); len(got) != 1 || got[0] != value {
		a.Fail("the header %s: %s", name, value)
	}
	return a
}

// LacksHeader expects none of the headers.
func (a *Answer) LacksHeader(names ...string) {
	for _, name := range names {
		if a.Header.Values(name) != nil {
			a.Fail("no header %s", name)
		}
	}
}

// HeaderMatches expects a header whose value matches the pattern.
func (a *Answer) HeaderMatches(name, pattern string) *Answer {
	if !regexp.MustCompile(pattern).MatchString(a.HeaderValue(name)) {
		a.Fail("a header %s like %s", name, pattern)
	}
	return a
}

// HasType expects one of the media types, with any parameters.
func (a *Answer) HasType(mediaTypes ...string) *Answer {
	if !slices.Contains(mediaTypes, a.MediaType()) {
		a.Fail("Content-Type %s", strings.Join(mediaTypes, " or "))
	}
	return a
}

// JSON expects a JSON object and returns it.
func (a *Answer) JSON() map[string]any {
	object := a.Object()
	if object == nil {
		a.Fail("a body that is one JSON object")
	}
	return object
}

// HasMember expects a member of the JSON body, at a path such as "result.tools.0".
func (a *Answer) HasMember(path string, want any) *Answer {
	if got := Lookup(a.JSON(), path); !reflect.DeepEqual(got, normal(want)) {
		a.Fail("the member %s to be %s", path, EncodeJSON(want))
	}
	return a
}

// Text expects a member that is a string and not empty, and returns it.
func (a *Answer) Text(path string) string {
	text, _ := Lookup(a.JSON(), path).(string)
	if text == "" {
		a.Fail("the member %s, a text that is not empty", path)
	}
	return text
}

// List expects a member that is an array and returns it.
func (a *Answer) List(path string) []any {
	list, ok := Lookup(a.JSON(), path).([]any)
	if !ok {
		a.Fail("the member %s, an array", path)
	}
	return list
}

// Contains expects a text in the body.
func (a *Answer) Contains(texts ...string) *Answer {
	for _, text := range texts {
		if !strings.Contains(string(a.Body), text) {
			a.Fail("a body that holds %q", cut(text, shownBody))
		}
	}
	return a
}

// Omits expects that a text is not in the body.
func (a *Answer) Omits(texts ...string) *Answer {
	for _, text := range texts {
		if strings.Contains(string(a.Body), text) {
			a.Fail("a body without %q", text)
		}
	}
	return a
}

// IsProblem expects the problem record of a code, complete (section 7).
func (a *Answer) IsProblem(code contract.Code) *Answer {
	a.HasStatus(code.Status()).HasType(a.Request.ProblemType())
	if fault := ProblemFault(a, code, a.Probe.BaseURL()); fault != "" {
		a.Fail("%s", fault)
	}
	return a
}

// NamesField expects that the detail of a problem names a field.
func (a *Answer) NamesField(field string) *Answer {
	if detail := a.Text("detail"); !regexp.MustCompile(`\b` + regexp.QuoteMeta(field) + `\b`).MatchString(detail) {
		a.Fail("a detail that names the field %s", field)
	}
	return a
}

// ProblemFault returns what a problem record of the code lacks, "" if it is complete.
func ProblemFault(a *Answer, code contract.Code, base string) string {
	record := a.Object()
	if record == nil {
		return "a problem record"
	}
	if record["code"] != string(code) {
		return "the code " + string(code)
	}
	if want := base + contract.PathDevelopers + "#errors-" + string(code); record["type"] != want {
		return "the type " + want
	}
	if record["status"] != float64(a.Status) {
		return fmt.Sprintf("the member status to be the number %d", a.Status)
	}
	for _, member := range []string{"title", "detail", "hint"} {
		if text, _ := record[member].(string); text == "" {
			return "the member " + member + ", a text that is not empty"
		}
	}
	return ""
}

// Lookup returns the value at a path of members and indexes, or nil.
func Lookup(value any, path string) any {
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

// normal returns a value as encoding/json decodes it.
func normal(value any) any {
	var back any
	_ = json.Unmarshal([]byte(EncodeJSON(value)), &back) // it was just encoded
	return back
}

// EncodeJSON returns the value as compact JSON.
func EncodeJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // an expectation that is not JSON
	}
	return string(text)
}

// ContainsAll reports whether the text contains every part.
func ContainsAll(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// MemberHasPrefix expects a text member that begins with a prefix.
func (a *Answer) MemberHasPrefix(path, prefix string) {
	if !strings.HasPrefix(a.Text(path), prefix) {
		a.Fail("the member %s to begin with %s", path, prefix)
	}
}
