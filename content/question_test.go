package content

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestQuestionKey(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, question, want string }{
		{"case, punctuation, white space", "  Who IS\u00a0it\n for?! ", "who is it for"},
		{"quotes and hyphens", "What’s the “set-up”?", "whats the setup"},
		{"full width and ligatures", "Ｗｈａｔ ﬁts?", "what fits"},
		{"decomposed letters", "cafe\u0301", "café"},
		{"German sharp s", "STRASSE straße", "strasse strasse"},
		{"control characters", "a\tb\x00 \x0bc", "a b\x00 c"},
		{"signs that are words stay", "C++ or $5?", "c++ or $5"},
		{"numbers", "On 1.11.? 3–4 1.-3. 3’000 “5”, 6.", "on 1.11 3-4 1.-3 3'000 5 6"},
		{"characters that are drawn as nothing", "\u202bمتى\u200f؟ \u200bso\ufeff e\u200b\u0301", "متى so é"},
		{"no word", "?! …", ""},
		{"not UTF-8", "a\xff", "a\ufffd"},
	} {
		got := QuestionKey(tc.question)
		expect.Same(t, tc.name, tc.want, got)
		expect.Same(t, tc.name+": the key of a key", got, QuestionKey(got))
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
