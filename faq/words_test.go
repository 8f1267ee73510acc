package faq

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kljensen/snowball/english"
)

func TestWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"only signs", " ?! — €", nil},
		{"punctuation and case", "What's the PRICE/cost?", []string{"whats", "the", "price", "cost"}},
		{"typographic apostrophe", "don’t", []string{"dont"}},
		{"only an apostrophe", "a ' b", []string{"a", "b"}},
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
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, slices.Collect(words(test.text))); diff != "" {
				t.Errorf("words(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// A loop that ends early must end the sequence wherever it stands.
func TestWordsEndEarly(t *testing.T) {
	t.Parallel()
	const text = "one 营业时间 two"
	all := slices.Collect(words(text))
	for n := 1; n <= len(all); n++ {
		var got []string
		for word := range words(text) {
			if got = append(got, word); len(got) == n {
				break
			}
		}
		if diff := cmp.Diff(all[:n], got); diff != "" {
			t.Errorf("first %d words (-want +got):\n%s", n, diff)
		}
	}
}

// A courtesy that is not its own stem would never be met.
func TestCourtesiesAreStems(t *testing.T) {
	t.Parallel()
	for _, word := range strings.Fields("please thanks possible someone something anything anyone able wondering needs wants") {
		if !isCourtesy(english.Stem(word, false)) {
			t.Errorf("%q is not known as common by its stem %q", word, english.Stem(word, false))
		}
	}
	for _, word := range strings.Fields("price business open") {
		if isCommon(english.Stem(word, false)) {
			t.Errorf("%q counts as common", word)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{"What does it cost?", "don’t", "APIの料金サーバー", "\xff\xfe", "ﬁ ﷺ İ ß", "a\u200db"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for word := range words(text) {
			if word == "" || strings.ContainsFunc(word, isGap) && utf8.ValidString(text) {
				t.Fatalf("words(%q) gives %q", text, word)
			}
		}
	})
}
