package content

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestQuestionKey(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ question, want string }{
		{"  Who IS\u00a0it\n for?! ", "who is it for"},
		{"What’s the “set-up”?", "whats the setup"},
		{"Ｗｈａｔ ﬁts?", "what fits"},
		{"cafe\u0301", "café"},
		{"STRASSE straße", "strasse strasse"},
		{"a\tb\x00 \x0bc", "a b\x00 c"},
		{"C++ or $5?", "c++ or $5"},
		{"On 1.11.? 3–4 1.-3. 3’000 “5”, 6.", "on 1.11 3-4 1.-3 3'000 5 6"},
		{"\u202bمتى\u200f؟ \u200bso\ufeff e\u200b\u0301", "متى so é"},
		{"?! …", ""},
		{"a\xff", "a\ufffd"},
	} {
		got := QuestionKey(tc.question)
		expect.Same(t, tc.question, tc.want, got)
		expect.Same(t, got+": the key of a key", got, QuestionKey(got))
	}
}

func TestClosest(t *testing.T) {
	t.Parallel()
	known := []string{"id", "question", "answer", "url"}
	for word, want := range map[string]string{
		"anwser": "answer", "rul": "url", "Answer": "answer", "questions": "question", "ID": "", "idd": "id",
		"uri": "url", "colour": "", "": "", "review": "",
	} {
		expect.Same(t, word, want, Closest(word, known))
	}
}
