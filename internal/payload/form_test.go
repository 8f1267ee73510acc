package payload

import (
	"errors"
	"testing"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestParseFormRefuses(t *testing.T) {
	t.Parallel()
	for body, detail := range map[string]string{
		"name=Ada;business=AE":           "cannot be read",
		"x=1&x=2":                        "given twice",
		"email=a%40b.co&e-mail=c%40d.co": `email is misspelled as "e-mail"`,
		"dry_run[]=true":                 `dry_run is misspelled as "dry_run[]"`,
	} {
		_, err := ParseForm([]byte(body), PilotFields)
		expect.Holds(t, body, contract.AsError(err).Detail, detail)
	}
}

func TestFormValueThatLooksLikeJSON(t *testing.T) {
	t.Parallel()
	object := expect.Value(ParseForm([]byte("name=null&message=%22quoted%22"), PilotFields))(t)
	expect.Same(t, "members", []any{"null", `"quoted"`}, []any{object.Text("name"), object.Text("message")})
}

func TestFormFlagInCapitals(t *testing.T) {
	t.Parallel()
	for value, more := range map[string]string{"True": ", in lower case", "FALSE": ", in lower case", "yes": "", "": ""} {
		body := "name=Ada&business=AE&email=a%40b.co&message=m&dry_run=" + value
		_, err := Pilot(expect.Value(ParseForm([]byte(body), PilotFields))(t))
		expect.Same(t, value, []string{"dry_run must be true or false" + more}, messages(err))
	}
}

func TestCheckQuery(t *testing.T) {
	t.Parallel()
	for ok, queries := range map[bool][]string{
		true:  {"", "utm_source=x&utm_source=y"},
		false: {"dry_run=true", "dryRun=true", "dry.run=true", "x=1&name=Ada", "x=%zz", "x=1;dry_run=true"},
	} {
		for _, query := range queries {
			expect.Same(t, query, ok, CheckQuery(query, PilotFields) == nil)
		}
	}
}

func FuzzParseForm(f *testing.F) {
	for _, seed := range []string{"name=Ada&dry_run=true", "name=%zz", "a;b", "name=%ff", "=&=", "name=a&name=b",
		"%00=%00"} {
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
