package owner_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

func folderOf(files map[string]string) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

// TestFaultTexts has the faults that no file of testdata/changes makes.
func TestFaultTexts(t *testing.T) {
	t.Parallel()
	sample := expect.Files(t, content.Sample(), ".")
	for _, tt := range []struct{ file, old, now, want string }{ // with | between the wants
		{"faq.yaml", "question: Who is it for?", "question: " + strings.Repeat("ab ", 200), "has 599 characters,"},
		{"catalog.yaml", "languages: [en]", "languages: [en, xyz123]\n  hours: {someday: 9-17}\n  booking: www.example.org",
			"The opening hours are not | “xyz123” is not the code of a language | “www.example.org” is not a web address."},
		{"faq.yaml", "id: audience", "id: audienz", "golden.yaml first"},
		{"catalog.yaml", "currency: EUR\n    from: ", "currency: JPY\n    from: 1.", "have at most 0 digits after the point."},
		{"catalog.yaml", "currency: EUR\n    from: ", "currency: KWD\n    from: 4,5", "Write one of these."},
		{"catalog.yaml", "pricing_band: essentials", "pricing_band: none", "a price that no longer exists"},
		{"catalog.yaml", "business:", "content_signal: no\nbrand:\n  logo: assets/tree.png\n  accent: {light: green, dark: \"#aabbcc\"}\nbusiness:",
			"“no” is not valid. Use off, | Describe in a few words | “green” is not a colour"},
		{"pages/de/home.md", "", "# A", "“de” is not a language of your site."},
		{"pages/en/home.md", "", "# A", "“en” cannot become the main language yet"},
		{"pages/a.md", "", "---\nheader: first\n---\n# A", "lines between --- and --- at the top"},
		{"faq.yaml", "\nfallback:", "\nsynonyms: [[roll, \"bun, cake\"]]\nfallback:", "“bun, cake” contains a comma"},
		{"assets/tree.txt", "", "A tree.", "cannot be used as a picture"},
	} {
		expect.Holds(t, tt.file, sample[tt.file], tt.old)
		changed := maps.Clone(sample)
		changed[tt.file] = strings.Replace(sample[tt.file], tt.old, tt.now, 1)
		_, err := content.Load(folderOf(changed))
		faults, _ := errors.AsType[content.Diagnostics](err)
		texts := ""
		for _, fault := range faults {
			texts += owner.FaultText(fault) + "\n"
		}
		expect.Holds(t, tt.now, texts, strings.Split(tt.want, " | ")...)
		expect.Lacks(t, tt.now, texts, "%!") // a wrong number of values
	}
	expect.Same(t, "another fault", "x.yaml:1: a fault", owner.FaultText(content.Diagnostic{File: "x.yaml", Line: 1, Message: "a fault"}))
}

func TestMailReasons(t *testing.T) {
	t.Parallel()
	for stage := range owner.MailReasons {
		if !slices.Contains(mailer.Stages, stage) {
			t.Errorf("no delivery ends at %q", stage)
		}
	}
	d := signedIn(t, "")
	for stage, want := range map[string]string{
		"connect": "Your mail server at mail.example.org did not answer.",
		"RCPT":    "Your mail server at mail.example.org does not accept mail for owner@desk.example.",
		"file":    "The mail could not be written to the disk. Check that the disk is not full.</p>",
		"":        "The mail could not be delivered.",
	} {
		raw := (&mailer.Error{Outcome: mailer.Failed, Stage: stage, Err: errors.New("some words of the server")}).Detail()
		d.add("inq_"+stage, records.Failed, func(i *records.Inquiry) { i.Detail, i.To = raw, "owner@desk.example" })
		d.shows("inquiries/inq_"+stage, want, `<p class="verbatim">`+raw+`</p></details>`)
	}
}

func TestWarningTexts(t *testing.T) {
	t.Parallel()
	loaded := expect.Value(content.Load(folderOf(map[string]string{
		"catalog.yaml": "business: {name: B, summary: S, languages: [en, de]}\ncurrency: EUR\n" +
			"services: [{id: s, name: S, summary: S, description: S, price: 4}]\n" +
			"pricing_bands: [{id: unused, name: U, summary: S, currency: EUR, from: 5, unit: piece}]\n",
		"faq.yaml": "fallback: F\nfacts: off\nentries:\n  - {id: a, question: {en: How much?}, answer: {en: It is 99 EUR.}}\n  - {id: c, question: Who trusts you?, answer: Trusted by 500 happy customers.}\n" +
			"  - {id: d, question: How do I cancel my order?, answer: D, alternates: [How can I cancel an order?, I want to cancel my order, Cancel the order please]}\n" +
			"  - {id: e, question: How do I cancel my order now?, answer: E, alternates: [I want to cancel my order now, And how can I cancel an order?, Cancel the order now please]}\n",
		"golden.yaml": "answered: []\nunanswered: []\n",
		"notes.txt":   "A note.",
	})))(t)
	many := content.FAQ{Entries: make([]content.Entry, 2000)}
	overlaps, _ := faq.CrossValidate(t.Context(), loaded.FAQ, func(f content.FAQ) *faq.Answerer { return faq.New(f, nil, func(url string) string { return url }) })
	sample := expect.Value(content.Load(content.Sample()))(t)
	all := slices.Concat(loaded.Warnings(time.Time{}), sample.Warnings(time.Time{}), overlaps, faq.SizeWarnings(many, true))
	said := ""
	for _, warning := range all {
		text := owner.FaultText(warning)
		expect.Lacks(t, "a text of hers", text, "%!", warning.String())
		said += text + "\n"
	}
	few := faq.SizeWarnings(many, false)[0]
	expect.Holds(t, "German", i18n.For("de").Text("owner."+few.Code, few.Values...), "je 1,0 Formulierungen")
	expect.Holds(t, "what is said", said,
		"The answer “a” says 99 EUR,", "the price “unused”", "a number of customers", "still from the sample", "missing in “Deutsch”; the site shows the one in “English”", "The desk does not use this file.",
		"2,000 answers have 1.0 wordings each", "only up to 1,500 can be compared", "overlap: if “And how can I cancel an order?” were not among the wordings",
	)
}

// The warnings of two claims have one text.
func TestSecondClaimIsNew(t *testing.T) {
	t.Parallel()
	claim := func(ids ...string) *content.Content {
		c := &content.Content{}
		for _, id := range ids {
			c.FAQ.Entries = append(c.FAQ.Entries, content.Entry{ID: id, Question: id + "?", Answer: "We have over 5000 customers."})
		}
		return c
	}
	expect.Same(t, "new warnings with as many claims", 0, len(owner.NewWarnings(claim("a"), claim("b"))))
	expect.Same(t, "new warnings with one more", 1, len(owner.NewWarnings(claim("a"), claim("a", "b"))))
}
