package faq

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq/encoder"
	"frontdesk/faq/semantic"
	"frontdesk/internal/expect"
)

// newEmbedder returns an embedder that keeps nothing on disk.
var newEmbedder = sync.OnceValues(func() (*semantic.Embedder, error) {
	e, err := encoder.Multilingual()
	return semantic.NewEmbedder(e, semantic.Shipped(), semantic.Files{}, func(error) {}), err
})

// deskQuestion is a line of testdata/desks/*/queries.jsonl.
type deskQuestion struct {
	Q  string
	ID *string
}

func readRows[T any](t testing.TB, path string) (lines []T) {
	t.Helper()
	file := expect.Value(os.Open(path))(t)
	defer file.Close()
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		lines = append(lines, expect.JSON[T](t, scanner.Bytes()))
	}
	return lines
}

func desk(t testing.TB, name string) (entries content.FAQ, questions []deskQuestion) {
	t.Helper()
	dir := filepath.Join("..", "testdata", name)
	entries = content.FAQ{Fallback: "-", Entries: readRows[content.Entry](t, filepath.Join(dir, "entries.jsonl"))}
	for i, q := range readRows[deskQuestion](t, filepath.Join(dir, "queries.jsonl")) {
		if i%4 == 0 {
			questions = append(questions, q)
		}
	}
	return entries, questions
}

func withMeaning(t testing.TB, entries content.FAQ) *Answerer {
	t.Helper()
	return With(expect.Value(newEmbedder())(t))(entries, nil, resolve)
}

// The desk was fitted to, so its figures show that the parts fit together, not how well a new desk does.
func TestDeskByMeaning(t *testing.T) {
	expect.SkipInRace(t, "the encoder reads a desk and its questions")
	t.Parallel()
	entries, questions := desk(t, "desks/bike-shop")
	words, answerer := newBook(t, entries), withMeaning(t, entries)
	var own, first, firstByWords, five, wrong int
	for _, q := range questions {
		trial := answerer.Try(q.Q)
		if trial.Answered && (q.ID == nil || trial.Best[0] != *q.ID) {
			wrong++
		}
		if q.ID == nil {
			continue
		}
		own++
		if trial.Best[0] == *q.ID {
			first++
		}
		if byWords := words.Try(q.Q); len(byWords.Best) > 0 && byWords.Best[0] == *q.ID {
			firstByWords++
		}
		if slices.Contains(trial.Best[:5], *q.ID) {
			five++
		}
	}
	t.Logf("of %d: first %d (by words %d), among five %d; wrong answers %d", own, first, firstByWords, five, wrong)
	if first <= firstByWords || first*10 < own*6 || five*10 < own*8 || wrong*20 > len(questions) {
		t.Error("the encoder brings too little")
	}
}

// The case of the first letter and a missing question mark change nothing.
func TestCaseAndQuestionMark(t *testing.T) {
	expect.SkipInRace(t, "the encoder reads 300 texts")
	t.Parallel()
	for _, name := range []string{"elektriker", "tutoring"} {
		entries, questions := desk(t, "desks-kept/"+name)
		for how, answerer := range map[string]*Answerer{"words": newBook(t, entries), "meaning": withMeaning(t, entries)} {
			for i := 0; i < len(questions); i += 10 {
				q := questions[i].Q
				first, size := utf8.DecodeRuneInString(q)
				upper, lower := string(unicode.ToUpper(first))+q[size:], string(unicode.ToLower(first))+q[size:]
				want := answerer.Ask(t.Context(), q)
				for _, variant := range []string{upper, lower, strings.TrimSuffix(upper, "?"), strings.TrimSuffix(lower, "?")} {
					expect.Same(t, fmt.Sprintf("%s, by %s: %q", name, how, variant), want, answerer.Ask(t.Context(), variant))
				}
				expect.Same(t, fmt.Sprintf("%s, by %s: %q in capitals", name, how, q),
					answerer.Ask(t.Context(), strings.ToLower(q)), answerer.Ask(t.Context(), strings.ToUpper(q)))
			}
		}
	}
}

func TestOtherScriptsAreLeftToWords(t *testing.T) {
	t.Parallel()
	japanese := content.FAQ{Fallback: "-", Entries: []content.Entry{
		{ID: "price", Question: "料金はいくらですか？", Alternates: []string{"月額の費用を教えてください"}, Answer: "月額40ユーロからです。"},
		{ID: "hours", Question: "営業時間は何時ですか？", Answer: "9時から17時です。"},
	}}
	const q = "料金はいくらでしょうか"
	byWords := newBook(t, japanese)
	expect.Same(t, q, byWords.Try(q), withMeaning(t, japanese).Try(q))
	expect.Same(t, "with its question mark", byWords.Ask(t.Context(), q), byWords.Ask(t.Context(), q+"？"))
	expect.Same(t, "OK", true, withMeaning(t, shop()).Ask(t.Context(), "Wo ist die Ёлка?").OK)
	both := shop()
	for _, e := range japanese.Entries {
		e.Lang, e.Question = "ja", strings.Repeat(e.Question, 20) // more than the English texts together
		both.Entries = append(both.Entries, e)
	}
	expect.Same(t, "a language beside it", "selector cancel",
		outcomeOf(withMeaning(t, both).Ask(t.Context(), "How can I cancel the subscription?")))
}

func TestExactWordingsAskNoEncoder(t *testing.T) {
	t.Parallel()
	embedder := semantic.NewEmbedder(expect.Value(encoder.Multilingual())(t), semantic.Shipped(), semantic.Files{},
		func(err error) { t.Error(err) })
	answerer := With(embedder)(shop(), nil, resolve)
	for _, entry := range shop().Entries {
		expect.Same(t, entry.Question, contract.MatchExact, answerer.Ask(t.Context(), entry.Question).Match)
	}
	encoded, refused := embedder.Counts()
	expect.Same(t, "questions to the encoder", 0, encoded+refused)
}

// large makes an FAQ of entries with alternates.
func large(entries, alternates int) (faq content.FAQ) {
	for i := range entries {
		entry := content.Entry{ID: fmt.Sprint("e", i), Question: fmt.Sprint("Question ", i)}
		for j := range alternates {
			entry.Alternates = append(entry.Alternates, fmt.Sprint("Alternate ", i, " ", j))
		}
		faq.Entries = append(faq.Entries, entry)
	}
	return faq
}

func TestSizeWarnings(t *testing.T) {
	t.Parallel()
	small, _ := desk(t, "desks/bike-shop")
	for _, test := range []struct {
		name    string
		faq     content.FAQ
		encoder bool
		want    string // a part of the only warning
	}{
		{"few wordings", small, true, "add three to six alternates"},
		{"too few entries to matter", shop(), true, ""},
		{"as many as the encoder reads", large(semantic.MaxEntries, 2), true, ""},
		{"more than it reads", large(semantic.MaxEntries+1, 2), true, "answered by their words only"},
		{"more, but it is off", large(semantic.MaxEntries+1, 2), false, ""},
	} {
		got := SizeWarnings(test.faq, test.encoder)
		expect.Same(t, test.name+": warnings", min(len(test.want), 1), len(got))
		expect.Holds(t, test.name, fmt.Sprint(got), test.want)
	}
}
