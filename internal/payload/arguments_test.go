package payload

import (
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestParseArguments(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", maxShown+1)
	tests := []struct {
		name, arguments string
		known           []string
		field, message  string // of the refusal; empty when it is accepted
	}{
		{"known", `{"q":"a"}`, QuestionFields, "", ""},
		{"none", `{}`, QuestionFields, "", ""},
		{"unknown", `{"q":"a","lang":"de"}`, QuestionFields, "lang", `"lang" is not known: the arguments are q`},
		{"unknown where there are none", `{"a":1}`, nil, "a", `"a" is not known: there are no arguments`},
		{"unknown and long", `{"` + long + `":1}`, nil, long[:2*maxShown] + "…", `"` + long[:2*maxShown] + `…" is not known: there are no arguments`},
		{"another case", `{"Q":"a"}`, QuestionFields, "q", "q is written in another case: field names are lower-case"},
		{"twice", `{"q":"a","q":"b"}`, QuestionFields, "q", "q is given twice"},
		{"half a pair", `{"q":"\ud800"}`, QuestionFields, "q", "q cannot be read: it holds half of a surrogate pair"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			object, err := ParseArguments(tt.arguments, tt.known)
			if err == nil {
				err = object.Err()
			}
			if tt.field == "" {
				expect.OK(t, err)
				return
			}
			fields := contract.AsError(err).Fields
			if len(fields) != 1 || fields[0].Field != tt.field || fields[0].Message != tt.message {
				t.Errorf("refusal = %+v, want %s: %s", fields, tt.field, tt.message)
			}
		})
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	object := expect.Value(ParseJSON([]byte(`{"id": 9007199254740993 , "params":{"a":[1, 2]}}`), []string{"id", "params", "method"}))(t)
	for name, want := range map[string]string{"id": "9007199254740993", "params": `{"a":[1, 2]}`} {
		if got, given := object.Raw(name); !given || got != want {
			t.Errorf("Raw(%s) = %q, %v; want %q", name, got, given, want)
		}
	}
	if got, given := object.Raw("method"); given {
		t.Errorf("Raw of an absent member = %q", got)
	}
}

func TestTrial(t *testing.T) {
	t.Parallel()
	object, err := ParseArguments(`{"business":" AE ","email":"ada@example.com","name":null,"dry_run":true}`, TrialFields)
	expect.OK(t, err)
	got, err := Trial(object)
	want := contract.TrialRequest{Business: "AE", Email: "ada@example.com", DryRun: true}
	if err != nil || got != want {
		t.Errorf("Trial = %+v, %v; want %+v", got, err, want)
	}
	for arguments, want := range map[string]string{
		`{"dry_run":"true"}`: "business is required; email is required; dry_run must be true or false.",
		`{"plan":1,"dry_run":"true","Email":"","dry_run":true}`:         `"plan" is not known: the arguments are business, email, name, segment, dry_run, idempotency_key; business is required; email is written in another case: field names are lower-case; dry_run is given twice; dry_run must be true or false.`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}`: "",
	} {
		object, err := ParseArguments(arguments, append(TrialFields, contract.FieldIdempotencyKey))
		expect.OK(t, err)
		_, err = Trial(object)
		if got := contract.AsError(err); want != "" && got.Detail != want || len(got.Fields) > maxNameFaults+len(contract.TrialRequired) {
			t.Errorf("%s: detail = %q", arguments, got.Detail)
		}
	}
}

func TestServiceID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"id":" booking "}`:     "",
		`{"id":""}`:              "id is required.",
		`{}`:                     "id is required.",
		`{"id":7}`:               "id must be a string.",
		`{"id":"nope"}`:          `id "nope" is not the id of a service.`,
		`{"id":"nope","x":1}`:    `"x" is not known: the arguments are id; id "nope" is not the id of a service.`,
		`{"id":"booking","x":1}`: `"x" is not known: the arguments are id.`,
	} {
		object, err := ParseArguments(text, []string{contract.FieldID})
		expect.OK(t, err)
		id, err := ServiceID(object, []string{"booking"})
		if want == "" && (id != "booking" || err != nil) || want != "" && contract.AsError(err).Detail != want {
			t.Errorf("%s: %q, %v; want %q", text, id, err, want)
		}
	}
}
