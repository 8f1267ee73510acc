package encoder

import (
	"strings"
	"testing"
	"unicode/utf8"

	"frontdesk/internal/expect"
)

func FuzzTokens(f *testing.F) {
	for _, r := range reference(f) {
		f.Add(r.Text)
	}
	f.Add("\xff\xfe\xe2\x96")
	e := open(f)
	f.Fuzz(func(t *testing.T, text string) {
		tokens := e.tokens(Query, text)
		if len(tokens) > e.Positions || tokens[0] != e.First || tokens[len(tokens)-1] != e.Last {
			t.Fatalf("tokens %v", tokens)
		}
		spelt, unknown := "", false
		for _, token := range tokens[1 : len(tokens)-1] {
			if token == e.Unknown {
				unknown = true
			} else if strings.HasPrefix(e.at(token), "\x00") {
				t.Fatalf("a text has the special token %q", e.at(token))
			}
			spelt += e.at(token)
		}
		if !unknown {
			want := Space + strings.Join(strings.Fields(normalised(e.Query+cut(text))), Space)
			if !strings.HasPrefix(want, spelt) || len(tokens) < e.Positions && spelt != cut(want) {
				t.Errorf("the pieces spell %q, want %q", spelt, want)
			}
		}
		if c := e.Coverage(text); c < 0 || c > 1 {
			t.Errorf("coverage %v", c)
		}
	})
}

func TestCutKeepsCodePoints(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("a", longestText), strings.Repeat("é", longestText), "a" + strings.Repeat("é", longestText),
		"ab" + strings.Repeat("€", longestText), strings.Repeat("👍", longestText),
	} {
		got := cut(text)
		if !utf8.ValidString(got) || len(got) > longestText || len(got) < longestText-utf8.UTFMax {
			t.Errorf("%.8q…: cut to %d bytes, valid %v", text, len(got), utf8.ValidString(got))
		}
	}
}

func TestTokenSaysMoreTheRarerItIs(t *testing.T) {
	t.Parallel()
	e := open(t)
	information := func(word string) float64 {
		id, known := e.find(Space + word)
		if !known {
			t.Fatalf("no token is %q", word)
		}
		text, information := e.Token(id)
		expect.Same(t, "the token", Space+word, text)
		return information
	}
	if the, open, gluten := information("the"), information("open"), information("gluten"); the >= open || open >= gluten {
		t.Errorf("the %.1f, open %.1f, gluten %.1f", the, open, gluten)
	}
}

func TestRowStandsForItsVector(t *testing.T) {
	t.Parallel()
	v := Vector{0.5, -0.25, 0, 0.125}
	for i, got := range RowOf(v).Append(nil) {
		if diff := got - v[i]; diff > 0.002 || diff < -0.002 {
			t.Errorf("number %d: %v, want %v", i, got, v[i])
		}
	}
}
