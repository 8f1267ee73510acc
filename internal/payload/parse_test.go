package payload

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

const valid = `"name":"Ada","business":"AE","email":"ada@example.com","message":"Hello"`

func TestParseJSONRefuses(t *testing.T) {
	t.Parallel()
	for body, detail := range map[string]string{
		`null`:                       "must be a JSON object",
		"{\"name\":\"\xc3":           "ends too early", // within a letter
		`{"q":"x",}`:                 "not valid JSON",
		"{\"message\":\"a\nb\"}":     "message cannot be read",
		"{\"x\":\"\xff\"}":           "not UTF-8",
		"{\"\xff\":1}":               "not UTF-8",
		`{"x":1,"x":2}`:              "given twice",
		`{"me\u017f\u017fage":"x"}`:  `message is misspelled as "meſſage"`,
		`{` + valid + `,"dryRun":1}`: `dry_run is misspelled as "dryRun"`,
		`{` + valid + `,"\u0009dry\u00a0\u2028run\u0085":1}`: `dry_run is misspelled as "\tdry\u00a0\u2028run\u0085"`,
		`{"dry` + strings.Repeat("_", 500) + `run":1}`:       `dry_run is misspelled as "dry` + strings.Repeat("_", maxShown-3) + `…"`,
		"{\"\ufeffdry\u00ad\u2011\u2212run\u200b:\":1}":      `dry_run is misspelled as "\ufeffdry\u00ad‑−run\u200b:"`,
	} {
		_, err := ParseJSON([]byte(body), PilotFields)
		refusal := contract.AsError(err)
		expect.Same(t, body, contract.InvalidRequest, refusal.Code)
		expect.Holds(t, body, refusal.Detail, detail)
	}
	for _, body := range []string{``, `[]`, `{"helpful":tru}`, `{}{}`} {
		_, err := ParseJSON(body, []string{"helpful", "comment"})
		expect.Same(t, body, "Send one JSON object in UTF-8; its fields are helpful, comment.", contract.AsError(err).Hint)
	}
}

func TestParseJSONReads(t *testing.T) {
	t.Parallel()
	body := " \n\t" + `{"name":"Zo\u00eb \ud83d\ude00 \"\/\\","x":[{"name":1},-0.5e+3,1e700,null],"dry_run":true,` +
		"\"__proto__\":{}}\r\n "
	object := expect.Value(ParseJSON([]byte(body), PilotFields))(t)
	expect.Same(t, "name, message, members", []any{`Zoë 😀 "/\`, "", 2},
		[]any{object.Text("name"), object.Text("message"), len(object.members)})
	expect.Same(t, "dry_run", new(true), object.Bool("dry_run"))
}

func TestHintOfAMissingQuestion(t *testing.T) {
	t.Parallel()
	usual := contract.InvalidRequest.Info().Hint
	hint := func(err error) string { return contract.AsError(err).Problem("").Hint }
	feedbackHint := func(members string) string {
		return hint(expect.ErrorOf(Feedback(expect.Value(ParseJSON("{"+members+"}", FeedbackFields))(t))))
	}
	for members, want := range map[string]string{
		`"question":"x"`:         "Send the question as q, not as question.",
		`"query":"x"`:            "Send the question as q, not as query.",
		`"text":"x","lang":"en"`: "Send the question as q, not as text.",
		`"prompt":"x"`:           usual,
		`"q":"","question":"x"`:  usual, // q is there
	} {
		body := expect.Value(ParseJSON("{"+members+"}", QuestionFields))(t)
		arguments := expect.Value(ParseArguments("{"+members+"}", QuestionFields))(t)
		expect.Same(t, "q, arguments and feedback with "+members, []string{want, want, want}, []string{
			hint(expect.ErrorOf(Question(body))), hint(expect.ErrorOf(Question(arguments))),
			feedbackHint(`"helpful":true,` + members)})
	}
	expect.Same(t, "an entry in place of q", usual, feedbackHint(`"entry_id":"x","question":"x"`))
}

func messages(err error) []string {
	var texts []string
	for _, field := range contract.AsError(err).Fields {
		texts = append(texts, field.Message)
	}
	return texts
}

// What ParseJSON takes, encoding/json reads to the same strings. Only the grammar counts for what is ignored: no
// float64 holds 1e700.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"q":"x"}`, `{"q":"\ud83d\ude00","x":[1,-0.5e3,{"y":null}]}`, `{"q":"\ud800"}`, `{"q":"\u12"}`,
		`{"q":1e}`, "{\"q\":\"\xff\"}", `{"q":"a"}{}`, `{"q":"a","Q":"b"}`, `[{"q":1}]`, "{\"q\":\"\x01\"}",
		`{"q":tru}`, `{"":1e700}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		object, err := ParseJSON(body, QuestionFields)
		if err != nil {
			expect.Same(t, string(body), contract.InvalidRequest, contract.AsError(err).Code)
			return
		}
		var reference map[string]json.RawMessage
		if err := json.Unmarshal(body, &reference); err != nil {
			t.Fatalf("ParseJSON takes %q, encoding/json does not: %v", body, err)
		}
		var want string
		if json.Unmarshal(reference["q"], &want) == nil && object.Text("q") != want {
			t.Fatalf("q of %q = %q, want %q", body, object.Text("q"), want)
		}
	})
}

const half = " cannot be read: it holds half of a surrogate pair"

func TestParseArguments(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", maxShown+1)
	cut := long[:2*maxShown] + "…"
	for _, tt := range []struct {
		arguments      string
		known          []string
		field, message string // of the refusal; empty when it is accepted
	}{
		{`{"q":"a"}`, QuestionFields, "", ""},
		{`{}`, QuestionFields, "", ""},
		{`{"q":"a","lang":"de"}`, QuestionFields, "lang", `"lang" is not known: the arguments are q`},
		{`{"` + long + `":1}`, nil, cut, `"` + cut + `" is not known: there are no arguments`},
		{`{"Q":"a"}`, QuestionFields, "q", `q is misspelled as "Q"`},
		{`{"q":"a","q":"b"}`, QuestionFields, "q", "q is given twice"},
		{`{"q":"\ud800"}`, QuestionFields, "q", "q" + half},
	} {
		object, err := ParseArguments(tt.arguments, tt.known)
		if err == nil {
			err = object.Err()
		}
		if tt.field == "" {
			expect.OK(t, err)
			continue
		}
		want := []contract.FieldError{{Field: tt.field, Message: tt.message}}
		expect.Same(t, tt.arguments, want, contract.AsError(err).Fields)
	}
}

func TestTrial(t *testing.T) {
	t.Parallel()
	trial := func(arguments string, known ...string) (contract.TrialRequest, error) {
		return Trial(expect.Value(ParseArguments(arguments, append(TrialFields, known...)))(t))
	}
	const unknown = " is not known: the arguments are business, email, name, segment, dry_run, idempotency_key; "
	got, err := trial(`{"business":" AE ","email":"ada@example.com","name":null,"dry_run":true}`)
	expect.OK(t, err)
	expect.Same(t, "Trial", contract.TrialRequest{Business: "AE", Email: "ada@example.com", DryRun: true}, got)
	for arguments, want := range map[string]string{
		`{"dry_run":"true"}`: "business is required; email is required; dry_run must be true or false.",
		`{"plan":1,"dry_run":"true","Email":"","dry_run":true}`: `"plan"` + unknown + `business is required; ` +
			`email is misspelled as "Email"; dry_run is given twice; dry_run must be true or false.`,
		`{"x\ud800":"\ud800","name":["\ud800","\ud800"],"business":"AE\ud83d","email":""}`: `"x�"` + unknown +
			"business" + half + "; email is required; name" + half + "; name must be a string.",
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}`: "",
	} {
		got := contract.AsError(expect.ErrorOf(trial(arguments, contract.FieldIdempotencyKey)))
		if want != "" && got.Detail != want || len(got.Fields) > maxNameErrors+len(contract.TrialRequired) {
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
		`{"id":"\ud800"}`:        "id" + half + ".",
		`{"id":"nope","x":1}`:    `"x" is not known: the arguments are id; id "nope" is not the id of a service.`,
		`{"id":"booking","x":1}`: `"x" is not known: the arguments are id.`,
	} {
		id, err := ServiceID(expect.Value(ParseArguments(text, []string{contract.FieldID}))(t), []string{"booking"})
		if want == "" && (id != "booking" || err != nil) || want != "" && contract.AsError(err).Detail != want {
			t.Errorf("%s: %q, %v; want %q", text, id, err, want)
		}
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	for _, inside := range []string{"", "1", `"a"`} {
		_, err := ParseJSON(`{"x":`+strings.Repeat("[", maxDepth)+inside+strings.Repeat("]", maxDepth)+`}`, nil)
		expect.Error(t, inside, err, nil)
	}
}

func TestParseFormRefuses(t *testing.T) {
	t.Parallel()
	for body, detail := range map[string]string{
		"name=Ada;business=AE": "cannot be read",
		"x=1&x=2":              "given twice",
		"email=a&e-mail=b":     `email is misspelled as "e-mail"`,
		"dry_run[]=true":       `dry_run is misspelled as "dry_run[]"`,
		"x=%ff":                "not UTF-8",
		"%ff=":                 "not UTF-8",
	} {
		_, err := ParseForm([]byte(body), PilotFields)
		expect.Holds(t, body, contract.AsError(err).Detail, detail)
	}
}

func TestFormValues(t *testing.T) {
	t.Parallel()
	for value, more := range map[string]string{"True": ", in lower case", "FALSE": ", in lower case", "yes": "", "": ""} {
		body := "name=Ada&business=AE&email=a%40b.co&message=m&dry_run=" + value
		_, err := Pilot(expect.Value(ParseForm([]byte(body), PilotFields))(t))
		expect.Same(t, value, []string{"dry_run must be true or false" + more}, messages(err))
	}
	object := expect.Value(ParseForm([]byte("name=null&message=%22quoted%22"), PilotFields))(t)
	expect.Same(t, "text like JSON", []string{"null", `"quoted"`}, []string{object.Text("name"), object.Text("message")})
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
			expect.Same(t, string(body), contract.InvalidRequest, contract.AsError(err).Code)
			return
		}
		request, err := Pilot(object)
		if err == nil && !utf8.ValidString(request.Name+request.Message) {
			t.Fatalf("ParseForm(%q) gives text that is not UTF-8", body)
		}
	})
}
