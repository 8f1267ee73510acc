package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// The values below are typed from the contract's text on purpose, because they check the
// constants.

func TestProblem(t *testing.T) {
	t.Parallel()
	got := InvalidFields([]FieldError{
		{Field: "name", Message: "name is required"}, {Field: "a/b~c", Message: "a/b~c is wrong"}, {Field: HeaderIdempotencyKey, Message: "no"},
	}).Problem("https://desk.example")
	want := Problem{
		Type: "https://desk.example/developers#errors-invalid_request", Title: "Invalid request", Status: 400,
		Detail: "name is required; a/b~c is wrong; no.", Code: "invalid_request",
		Hint:  "Correct the field that detail names and send the request again.",
		Error: "name is required; a/b~c is wrong; no.", OK: false,
		Errors: []FieldError{
			{"name", "/name", "name is required"}, {"a/b~c", "/a~1b~0c", "a/b~c is wrong"}, {HeaderIdempotencyKey, "", "no"},
		},
	}
	expect.Same(t, "problem", want, got)
	expect.Same(t, "errors of one field", []FieldError{{"name", "/name", "name is required"}}, Invalid("name", "name is required").Problem("").Errors)
	for _, header := range []string{"Accept", "Mcp-Protocol-Version"} {
		expect.Same(t, "errors of a header", []FieldError{{header, "", "no"}}, Invalid(header, "no").Problem("").Errors)
	}
	record := string(expect.Value(json.Marshal(NoEndpoint("").Problem("")))(t))
	if strings.Contains(record, `"errors"`) || strings.Contains(record, "request_id") {
		t.Errorf("record without a field and a request = %s", record)
	}
}

func TestUnknownErrorLosesItsText(t *testing.T) {
	t.Parallel()
	cause := errors.New("password is hunter2")
	failure := AsError(cause)
	problem := failure.Problem("")
	if problem.Code != InternalError || strings.Contains(problem.Detail+problem.Hint+problem.Error, "hunter2") {
		t.Errorf("problem = %+v, want internal_error without the cause", problem)
	}
	expect.Same(t, "an unknown code has status", 500, Code("made_up").Status())
	if !errors.Is(failure, cause) || !strings.Contains(failure.Error(), "hunter2") {
		t.Errorf("the log gets %q, want the cause", failure)
	}
}

func pilot(change func(*PilotRequest)) any {
	request := &PilotRequest{Name: "Ada", Business: "AE", Email: "ada@example.com", Message: "Hello"}
	change(request)
	request.Normalize()
	return request
}

func trial(request TrialRequest) any {
	request.Normalize()
	return &request
}

func question(q string) any {
	request := &Question{Q: q}
	request.Normalize()
	return request
}

var bounds = []struct {
	name    string
	request any
	want    string // the message, or "" if the request is accepted
}{
	{"q at 300 with space around", question("  " + strings.Repeat("q", 300) + "\n"), ""},
	{"q with format characters", question("a\u202eb\u200d"), ""},
	{"name with a line separator", pilot(func(p *PilotRequest) { p.Name = "a\u2028b" }), "name must be one line without control or formatting characters"},
	{"business at 201", pilot(func(p *PilotRequest) { p.Business = strings.Repeat("b", 201) }), "business must be at most 200 characters"},
	{"message at 5000 by a browser", pilot(func(p *PilotRequest) { p.Message = strings.Repeat("m\r\n", 2499) + "mm" }), ""},
	{"message with tab and lines", pilot(func(p *PilotRequest) { p.Message = "a\tb\rc\r\nd" }), ""},
	{"phone with a control", pilot(func(p *PilotRequest) { p.Phone = "1\x07" }), "phone must be one line without control or formatting characters"},
	{"segment of any length", pilot(func(p *PilotRequest) { p.Segment = strings.Repeat("s", 2000) }), ""},
	{"trial", trial(TrialRequest{Business: " AE ", Email: "ada@example.com", Name: "Ada", Segment: "retail"}), ""},
	{"empty trial", trial(TrialRequest{}), "business is required; email is required"},
	{"long trial", trial(TrialRequest{Business: strings.Repeat("b", 201), Email: "ada@example.com", Name: strings.Repeat("n", 201)}),
		"business must be at most 200 characters; name must be at most 200 characters"},
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range bounds {
		var got []string
		for _, field := range Validate(tt.request) {
			got = append(got, field.Message)
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: messages = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	request := PilotRequest{Name: " Ada \n", Business: "\tAE", Email: " ada@example.com ", Message: "\r\na\r\nb\rc \n", Phone: " 1 ", Segment: " s "}
	request.Normalize()
	want := PilotRequest{Name: "Ada", Business: "AE", Email: "ada@example.com", Message: "a\nb\nc", Phone: "1", Segment: "s"}
	expect.Same(t, "request", want, request)
	for _, tt := range []struct{ in, want string }{
		{"What does it cost?", "What does it cost?"},
		{"  What\tdoes \u2028 it\r\ncost?  ", "What does it cost?"},
		{"a  b", "a b"}, {"a ", "a"}, {" a", "a"}, {"a\u00a0b", "a b"}, {"", ""},
	} {
		expect.Same(t, fmt.Sprintf("CleanQuestion(%q)", tt.in), tt.want, CleanQuestion(tt.in))
	}
}

func TestCityLine(t *testing.T) {
	t.Parallel()
	for want, address := range map[string]Address{
		"79100 Freiburg":  {PostalCode: "79100", City: "Freiburg", Country: "DE"},
		"Bristol BS1 0AA": {PostalCode: "BS1 0AA", City: "Bristol", Country: "GB"},
		"Lisboa":          {City: "Lisboa"},
	} {
		expect.Same(t, "city line", want, address.CityLine())
	}
}
