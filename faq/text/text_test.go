package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"frontdesk/internal/expect"
)

func TestAppendWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"only signs", " ?! — €", nil},
		{"punctuation and case", "What's the PRICE/cost?", []string{"what", "s", "the", "price", "cost"}},
		{"a negation", "Don't you, can't we, won't I?", []string{"do", "not", "you", "can", "not", "we", "will", "not", "i"}},
		{"typed in a hurry", "dont cant whats", []string{"do", "not", "can", "not", "what", "s"}},
		{"typographic apostrophe", "don’t", []string{"do", "not"}},
		{"French", "l’adresse", []string{"l", "adresse"}},
		{"only an apostrophe", "a ' b 'c'", []string{"a", "b", "c"}},
		{"numbers", "24/7 for 40€", []string{"24", "7", "for", "40"}},
		{"umlauts and sharp s", "Große ÄRZTE", []string{"grosse", "ärzte"}},
		{"decomposed", "cafe\u0301", []string{"café"}},
		{"wide letters", "ＡＰＩ", []string{"api"}},
		{"soft hyphen", "busi\u00adness", []string{"business"}},
		{"Chinese", "营业时间", []string{"营业", "业时", "时间"}},
		{"one character", "茶", []string{"茶"}},
		{"long vowels", "サーバー", []string{"サー", "ーバ", "バー"}},
		{"Latin inside Japanese", "APIの料金", []string{"api", "の料", "料金"}},
		{"Korean has spaces", "영업 시간", []string{"영업", "시간"}},
	} {
		expect.Same(t, test.name, test.want, AppendWords(nil, test.text))
	}
}

func TestIsEnglish(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"How do I cancel my subscription? What does it cost?":            true,
		"Wie kann ich mein Abonnement kündigen? Was kostet es im Monat?": false,
		"Come posso annullare il mio abbonamento? Quanto costa al mese?": false,
		"料金はいくらですか？":                                                     false,
		"delete account":                                                 false,
	} {
		expect.Same(t, s, want, IsEnglish(AppendWords(nil, s)))
	}
}

func FuzzAppendWords(f *testing.F) {
	for _, seed := range []string{"What does it cost?", "don’t", "APIの料金サーバー", "\xff\xfe", "ﬁ ﷺ İ ß", "a\u200db", "n't"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, word := range AppendWords(nil, s) {
			if word == "" || strings.ContainsFunc(word, isGap) && utf8.ValidString(s) {
				t.Fatalf("AppendWords(%q) gives %q", s, word)
			}
			Stem(word)
		}
	})
}
