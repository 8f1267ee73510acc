package faq

import (
	"fmt"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

// TestLanguageOfAQuestion holds, on the samples of two languages, that a question is
// never answered by the entry of another language, and that the fallback is in the
// language of the question.
func TestLanguageOfAQuestion(t *testing.T) {
	t.Parallel()
	for sample, questions := range map[string]map[string]string{
		"bakery": {
			"Wie lange habt ihr am Samstag offen?": "de", "Verkauft ihr auch Bier und Wein?": "de", "Gibt es bei euch Parkplätze am Haus?": "de",
			"How long are you open on Saturdays?": "en", "Do you sell beer and wine?": "en", "Where can I leave my car?": "en",
		},
		"agency": {
			"Est-ce que vous vendez des chaussures ?": "fr", "Combien de temps prend un nouveau site ?": "fr",
			"Do you sell shoes?": "en", "How much time does a new website take?": "en",
		},
	} {
		c := expect.Value(content.Load(content.SampleNamed(sample)))(t)
		book := New(c.FAQ, c.Golden.Unanswered, DefaultPrecision, resolve)
		for q, language := range questions {
			answer := book.Ask(t.Context(), q)
			if answer.EntryID == nil {
				if want := c.FAQ.FallbackIn(language); answer.Answer != want {
					t.Errorf("%s: the fallback for %q is %q, want %q", sample, q, answer.Answer, want)
				}
				for _, suggestion := range answer.Suggestions {
					expect.Same(t, fmt.Sprintf("%s: for %q the question %q is suggested", sample, q, suggestion), language, langOf(c, suggestion))
				}
				continue
			}
			expect.Same(t, fmt.Sprintf("%s: %q is answered by %s", sample, q, *answer.EntryID), language, langOf(c, *answer.Question))
		}
	}
}

// langOf is the language of the entry with a question.
func langOf(c *content.Content, question string) string {
	for i := range c.FAQ.Entries {
		if c.FAQ.Entries[i].Question == question {
			return c.FAQ.Entries[i].Lang
		}
	}
	return ""
}
