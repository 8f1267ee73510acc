package payload

import (
	"strings"
	"testing"

	"frontdesk/contract"
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
			_, err := ParseArguments(tt.arguments, tt.known)
			if tt.field == "" {
				if err != nil {
					t.Fatal(err)
				}
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
	object, err := ParseJSON([]byte(`{"id": 9007199254740993 , "params":{"a":[1, 2]}}`), []string{"id", "params", "method"})
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	got, err := Trial(object)
	want := contract.TrialRequest{Business: "AE", Email: "ada@example.com", DryRun: true}
	if err != nil || got != want {
		t.Errorf("Trial = %+v, %v; want %+v", got, err, want)
	}
	object, err = ParseArguments(`{"dry_run":"true"}`, TrialFields)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Trial(object)
	if got := contract.AsError(err).Detail; got != "business is required; email is required; dry_run must be true or false." {
		t.Errorf("detail = %q", got)
	}
}

func TestServiceID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`{"id":" booking "}`: "booking", `{"id":""}`: "", `{}`: "", `{"id":7}`: ""} {
		object, err := ParseArguments(text, []string{contract.FieldID})
		if err != nil {
			t.Fatal(err)
		}
		if id, err := ServiceID(object); id != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", text, id, err, want)
		}
	}
}
