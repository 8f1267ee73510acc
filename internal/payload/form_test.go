package payload

import (
	"errors"
	"fmt"
	"testing"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestParseFormRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body, detail string
	}{
		{"semicolons", "name=Ada;business=AE", "cannot be read"},
		{"unknown twice", "x=1&x=2", "given twice"},
		{"beside the right one", "email=a%40b.co&e-mail=c%40d.co", `email is misspelled as "e-mail"`},
	}
	for _, tt := range tests {
		_, err := ParseForm([]byte(tt.body), PilotFields)
		expect.Holds(t, tt.name, contract.AsError(err).Detail, tt.detail)
	}
}

func TestFormValueThatLooksLikeJSON(t *testing.T) {
	t.Parallel()
	object := expect.Value(ParseForm([]byte("name=null&message=%22quoted%22"), PilotFields))(t)
	expect.Same(t, fmt.Sprint("members = ", object.members),
		[]any{"null", `"quoted"`}, []any{object.Text("name"), object.Text("message")})
}

func TestFormFlagInCapitals(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"True": "dry_run must be true or false, in lower case", "FALSE": "dry_run must be true or false, in lower case",
		"yes": "dry_run must be true or false", "": "dry_run must be true or false",
	} {
		object := expect.Value(ParseForm([]byte("name=Ada&business=AE&email=a%40b.co&message=m&dry_run="+value), PilotFields))(t)
		_, err := Pilot(object)
		expect.Same(t, value, []string{want}, messages(err))
	}
}

func TestCheckQuery(t *testing.T) {
	t.Parallel()
	tests := []struct {
		query string
		ok    bool
	}{
		{"", true},
		{"utm_source=x&utm_source=y", true},
		{"dry_run=true", false},
		{"dryRun=true", false},
		{"x=1&name=Ada", false},
		{"x=%zz", false},
		{"x=1;dry_run=true", false},
	}
	for _, tt := range tests {
		expect.Same(t, tt.query+": CheckQuery", tt.ok, CheckQuery(tt.query, PilotFields) == nil)
	}
}

func FuzzParseForm(f *testing.F) {
	for _, seed := range []string{"name=Ada&dry_run=true", "name=%zz", "a;b", "name=%ff", "=&=", "NAME=x", "name=a&name=b", "%00=%00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		object, err := ParseForm(body, PilotFields)
		if err != nil {
			if _, ok := errors.AsType[*contract.Error](err); !ok {
				t.Fatalf("ParseForm(%q) fails with %T, want a refusal", body, err)
			}
			return
		}
		request, err := Pilot(object)
		if err == nil && !utf8.ValidString(request.Name+request.Message) {
			t.Fatalf("ParseForm(%q) gives text that is not UTF-8", body)
		}
	})
}
