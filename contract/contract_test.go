package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

const wide = "é" // one character, two bytes

var bounds = []struct {
	name    string
	request any
	want    string // the message, or "" if the request is accepted
}{
	{"q at 300 wide", question(strings.Repeat(wide, 300)), ""},
	{"q at 300 with space around", question("  " + strings.Repeat("q", 300) + "\n"), ""},
	{"q at 301", question(strings.Repeat("q", 301)), "q is too long: keep it under 300 characters"},
	{"q empty", question(""), "q is required"},
	{"q of white space", question(" \t\u00a0\u3000\n"), "q is required"},
	{"q with a control", question("a\x00b"), "q must not hold control characters"},
	{"q with format characters", question("a\u202eb\u200d"), ""},
	{"name at 200", pilot(func(p *PilotRequest) { p.Name = strings.Repeat(wide, 200) }), ""},
	{"name at 201", pilot(func(p *PilotRequest) { p.Name = strings.Repeat(wide, 201) }), "name must be at most 200 characters"},
	{"name of white space", pilot(func(p *PilotRequest) { p.Name = " \t " }), "name is required"},
	{"name with a line break", pilot(func(p *PilotRequest) { p.Name = "Bob\r\nBcc: x" }), "name must be one line without control or formatting characters"},
	{"name with a line separator", pilot(func(p *PilotRequest) { p.Name = "a\u2028b" }), "name must be one line without control or formatting characters"},
	{"name with a bidi override", pilot(func(p *PilotRequest) { p.Name = "\u202eadA" }), "name must be one line without control or formatting characters"},
	{"name with joiners", pilot(func(p *PilotRequest) { p.Name = "👩\u200d🔬 می\u200cخواهم" }), ""},
	{"business at 201", pilot(func(p *PilotRequest) { p.Business = strings.Repeat("b", 201) }), "business must be at most 200 characters"},
	{"business missing", pilot(func(p *PilotRequest) { p.Business = "" }), "business is required"},
	{"message at 5000", pilot(func(p *PilotRequest) { p.Message = strings.Repeat("m", 5000) }), ""},
	{"message at 5001", pilot(func(p *PilotRequest) { p.Message = strings.Repeat("m", 5001) }), "message must be at most 5000 characters"},
	{"message at 5000 by a browser", pilot(func(p *PilotRequest) { p.Message = strings.Repeat("m\r\n", 2499) + "mm" }), ""},
	{"message with tab and lines", pilot(func(p *PilotRequest) { p.Message = "a\tb\rc\r\nd" }), ""},
	{"message with a control", pilot(func(p *PilotRequest) { p.Message = "a\x1b[31m" }), "message must not hold control characters"},
	{"phone with a control", pilot(func(p *PilotRequest) { p.Phone = "1\x07" }), "phone must be one line without control or formatting characters"},
	{"segment of any length", pilot(func(p *PilotRequest) { p.Segment = strings.Repeat("s", 2000) }), ""},
	{"trial", trial(TrialRequest{Business: " AE ", Email: "ada@example.com", Name: "Ada", Segment: "retail"}), ""},
	{"empty trial", trial(TrialRequest{}), "business is required; email is required"},
	{"long trial", trial(TrialRequest{Business: strings.Repeat("b", 201), Email: "ada@example.com", Name: strings.Repeat("n", 201)}),
		"business must be at most 200 characters; name must be at most 200 characters"},
	{"email wrong", pilot(func(p *PilotRequest) { p.Email = "ada" }), "email must be one plain e-mail address of at most 254 ASCII characters"},
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

// TestFieldBounds reads the bounds that a schema publishes from the tags of requests.
func TestFieldBounds(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]Bounds{
		"required,line,MaxName": {Required: true, MaxLength: MaxName}, "required,address": {Required: true, MaxLength: MaxEmail, Address: true},
		"text,MaxMessage": {MaxLength: MaxMessage}, "line": {},
	} {
		expect.Same(t, tag, want, FieldBounds(tag))
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

func TestCatalogService(t *testing.T) {
	t.Parallel()
	catalog := Catalog{
		Services:     []Service{{ID: "a", PricingBand: "small"}, {ID: "b", PricingBand: "large"}},
		PricingBands: []PricingBand{{ID: "small", From: "1"}, {ID: "large", From: "2"}},
	}
	if got, ok := catalog.Service("b"); !ok || got.ID != "b" || got.Pricing.From != "2" {
		t.Errorf("Service(b) = %+v, %v; want b with the large band", got, ok)
	}
	if _, ok := catalog.Service("c"); ok {
		t.Error("Service(c) is found")
	}
	for i, detail := range catalog.Details() {
		if want, ok := catalog.Service(catalog.ServiceIDs()[i]); !ok || !cmp.Equal(want, detail) {
			t.Errorf("Details()[%d] = %+v, want %+v", i, detail, want)
		}
	}
	expect.Same(t, "details of 2 services", 2, len(catalog.Details()))
	expect.Same(t, "ids", []string{"a", "b"}, catalog.ServiceIDs())
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
