package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

func TestAppendWords(t *testing.T) {
	t.Parallel()
	expect.Same(t, "words of nothing", nil, AppendWords(nil, ""))
	for _, row := range [][2]string{
		{" ?! — €", ""},
		{"What's the PRICE/cost?", "what s the price cost"},
		{"Don't you, can't we, won't I?", "do not you can not we will not i"},
		{"dont cant whats", "do not can not what s"},
		{"don’t", "do not"},
		{"l’adresse", "l adresse"},
		{"a ' b 'c'", "a b c"},
		{"24/7 for 40€", "24 7 for 40"},
		{"Große ÄRZTE", "grosse ärzte"},
		{"cafe\u0301", "café"},
		{"ＡＰＩ", "api"},
		{"busi\u00adness", "business"},
		{"营业时间", "营业 业时 时间"},
		{"茶", "茶"},
		{"サーバー", "サー ーバ バー"},
		{"APIの料金", "api の料 料金"},
		{"영업 시간", "영업 시간"},
	} {
		expect.Same(t, row[0], strings.Fields(row[1]), AppendWords([]string{}, row[0]))
	}
}

func TestIsEnglish(t *testing.T) {
	t.Parallel()
	for want, texts := range map[bool][]string{
		true: {"How do I cancel my subscription? What does it cost?"},
		false: {
			"Wie kann ich mein Abonnement kündigen? Was kostet es im Monat?",
			"Come posso annullare il mio abbonamento? Quanto costa al mese?", "料金はいくらですか？", "delete account",
		},
	} {
		for _, s := range texts {
			expect.Same(t, s, want, IsEnglish(AppendWords(nil, s)))
		}
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

// To add words, write them into stems.txt, one a line, and run go test ./faq/text -update.
func TestStems(t *testing.T) {
	t.Parallel()
	var words []string
	for line := range strings.Lines(stemList) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		words = append(words, word)
	}
	slices.Sort(words)
	var lines bytes.Buffer
	for _, word := range slices.Compact(words) {
		lines.WriteString(word)
		if stem := english.Stem(word, false); stem != word {
			lines.WriteString(" " + stem)
		}
		lines.WriteString("\n")
	}
	golden.Check(t, "stems.txt", lines.Bytes())
}

func TestStem(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"prices": "price", "running": "run", "price": "price", // listed
		"blorfings": "blorf", "preis": "prei", "für": "für", "": "", // not listed
	} {
		expect.Same(t, word, want, Stem(word))
	}
}
