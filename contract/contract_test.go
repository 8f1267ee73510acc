package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// The values below are typed from the contract's text, because they check the constants.

func TestProblem(t *testing.T) {
	t.Parallel()
	got := InvalidFields([]FieldError{{"name", "", "name is required"}, {"a/b~c", "", "a/b~c is wrong"},
		{HeaderIdempotencyKey, "", "no"}}).Problem("https://desk.example")
	want := Problem{
		Type: "https://desk.example/developers#errors-invalid_request", Title: "Invalid request", Status: 400,
		Detail: "name is required; a/b~c is wrong; no.", Code: "invalid_request",
		Hint:  "Correct the field that detail names and send the request again.",
		Error: "name is required; a/b~c is wrong; no.", OK: false,
		Errors: []FieldError{{"name", "/name", "name is required"}, {"a/b~c", "/a~1b~0c", "a/b~c is wrong"},
			{HeaderIdempotencyKey, "", "no"}},
	}
	expect.Same(t, "problem", want, got)
	for name, pointer := range map[string]string{"name": "/name", "Accept": "", "Mcp-Protocol-Version": ""} {
		expect.Same(t, "errors of "+name, []FieldError{{name, pointer, "no"}}, Invalid(name, "no").Problem("").Errors)
	}
	record := expect.Value(json.Marshal(NoEndpoint("").Problem("")))(t)
	expect.Lacks(t, "the record without a field and a request", record, `"errors"`, "request_id")
}

func TestUnknownErrorLosesItsText(t *testing.T) {
	t.Parallel()
	cause := errors.New("password is hunter2")
	failure := AsError(cause)
	problem := failure.Problem("")
	expect.Same(t, "code", InternalError, problem.Code)
	expect.Lacks(t, "the problem", fmt.Sprint(problem), "hunter2")
	expect.Same(t, "an unknown code has status", 500, Code("made_up").Status())
	expect.Error(t, "the log", failure, cause)
	expect.Says(t, "the log", failure, "hunter2")
}

func TestBounds(t *testing.T) {
	t.Parallel()
	pilot := func(change func(*PilotRequest)) any {
		request := &PilotRequest{Name: "Ada", Business: "AE", Email: "ada@example.com", Message: "Hello"}
		change(request)
		request.Normalize()
		return request
	}
	trial := func(request TrialRequest) any {
		request.Normalize()
		return &request
	}
	question := func(q string) any {
		request := &Question{Q: q}
		request.Normalize()
		return request
	}
	const oneLine = " must be one line without control or formatting characters"
	long := strings.Repeat("b", 201)
	for _, tt := range []struct {
		name    string
		request any
		want    string // the message, or "" if the request is accepted
	}{
		{"q at 300 with space around", question("  " + strings.Repeat("q", 300) + "\n"), ""},
		{"q with format characters", question("a\u202eb\u200d"), ""},
		{"name with a line separator", pilot(func(p *PilotRequest) { p.Name = "a\u2028b" }), "name" + oneLine},
		{"long business", pilot(func(p *PilotRequest) { p.Business = long }), "business must be at most 200 characters"},
		{"message at 5000 with the line ends of a form", pilot(func(p *PilotRequest) { p.Message = strings.Repeat("m\r\n", 2499) + "mm" }), ""},
		{"message with tab and lines", pilot(func(p *PilotRequest) { p.Message = "a\tb\rc\r\nd" }), ""},
		{"phone with a control", pilot(func(p *PilotRequest) { p.Phone = "1\x07" }), "phone" + oneLine},
		{"segment of any length", pilot(func(p *PilotRequest) { p.Segment = strings.Repeat("s", 2000) }), ""},
		{"trial", trial(TrialRequest{Business: " AE ", Email: "ada@example.com", Name: "Ada", Segment: "retail"}), ""},
		{"empty trial", trial(TrialRequest{}), "business is required; email is required"},
		{"long trial", trial(TrialRequest{Business: long, Email: "ada@example.com", Name: long}),
			"business must be at most 200 characters; name must be at most 200 characters"},
	} {
		var got []string
		for _, field := range Validate(tt.request) {
			got = append(got, field.Message)
		}
		expect.Same(t, tt.name, tt.want, strings.Join(got, "; "))
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	request := PilotRequest{Name: " Ada \n", Business: "\tAE", Email: " a@b.co ", Message: "\r\na\r\nb\rc \n",
		Phone: " 1 ", Segment: " s "}
	request.Normalize()
	want := PilotRequest{Name: "Ada", Business: "AE", Email: "a@b.co", Message: "a\nb\nc", Phone: "1", Segment: "s"}
	expect.Same(t, "request", want, request)
	for in, want := range map[string]string{
		"What does it cost?": "What does it cost?", "  What\tdoes \u2028 it\r\ncost?  ": "What does it cost?",
		"a  b": "a b", "a ": "a", " a": "a", "a\u00a0b": "a b", "": "",
	} {
		expect.Same(t, fmt.Sprintf("CleanQuestion(%q)", in), want, CleanQuestion(in))
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
