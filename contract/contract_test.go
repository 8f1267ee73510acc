package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"testing"
	"unicode"

	"github.com/dunglas/httpsfv"

	"frontdesk/internal/expect"
)

// Values are typed from the contract's text, because they check the constants.

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
	expect.Lacks(t, "the record", record, `"errors"`, "request_id")
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

func FuzzValidAddress(f *testing.F) {
	for _, seed := range []string{"ada@example.com", "a@b.c\r\n", `"a"@b.co`, "a@b.co(c)", "a@[1.1.1.1]",
		"ü@b.co", "a.b_c+d-e@f-g.h1.co", "a@b.co-", "a@b..co", "a.@b.co", "a@b.1o"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		byBoth := isPlainAddress(address) && validate.Var(address, "email") == nil
		if isCommonAddress(address) && !byBoth {
			t.Fatalf("isCommonAddress accepts %q, which the rule does not", address)
		}
		if !ValidAddress(address) {
			return
		}
		if len(address) > MaxEmail || strings.Count(address, "@") != 1 || strings.ContainsFunc(address, func(r rune) bool {
			return r > unicode.MaxASCII || unicode.IsControl(r) || strings.ContainsRune("<>()[],;:\\\" ", r)
		}) {
			t.Fatalf("ValidAddress takes %q", address)
		}
		if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address {
			t.Fatalf("ValidAddress takes %q, net/mail reads %v, %v", address, parsed, err)
		}
	})
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for want, hosts := range map[bool][]string{
		true:  {"127.0.0.1", "::1", "localhost", "desk.localhost"},
		false: {"192.0.2.1", "desk.example", "localhost.example", ""},
	} {
		for _, host := range hosts {
			expect.Same(t, host, want, IsLoopback(host))
		}
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	const uuid = "8e03978e-40d5-43dd-bc93-6894a57f9324"
	longest := strings.Repeat("k", 255)
	for given, want := range map[string]string{
		uuid: uuid, `"` + uuid + `"`: uuid, `"k";a=1`: "k", " \tk ": "k", `"a\"b\\c"`: `a"b\c`, `"a, b"`: "a, b",
		longest: longest, `"` + strings.Repeat(`\"`, 255) + `"`: strings.Repeat(`"`, 255),
	} {
		expect.Same(t, given, want, expect.Value(ParseKey("Idempotency-Key", []string{given}))(t).Value)
	}
	expect.Same(t, "none", "", expect.Value(ParseKey("Idempotency-Key", nil))(t).Value)
	for _, given := range [][]string{{longest + "k"}, {""}, {"k", "k"}, {"k, k"}, {"a b"}, {`"k`}, {"a\x01"}, {"ü"}} {
		key, err := ParseKey("Idempotency-Key", given)
		expect.Same(t, fmt.Sprint(given), "", key.Value)
		expect.Says(t, fmt.Sprint(given), err, "Idempotency-Key must be ")
	}
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"k", `"a b"`, `"a\"b\\c";p=1`, `"`, `""`, "a,b", strings.Repeat("k", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParseKey("Idempotency-Key", []string{text})
		if err != nil {
			return
		}
		isUnprintable := func(r rune) bool { return r < ' ' || r > '~' }
		if key.Value == "" || len(key.Value) > 255 || strings.ContainsFunc(key.Value, isUnprintable) {
			t.Fatalf("%q is the key %q", text, key)
		}
		quoted := expect.Value(httpsfv.Marshal(httpsfv.NewItem(key.Value)))(t)
		if again, err := ParseKey("Idempotency-Key", []string{quoted}); err != nil || again != key {
			t.Errorf("%q is %q, and quoted %q (%v)", text, key, again, err)
		}
	})
}
