package lexical

import (
	"fmt"
	"slices"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func indexOf(entries []content.Entry) *index {
	return newIndex(entries, wordings(entries, nil), Shipped().Background, true)
}

func asked(x *index, question string) *scratch {
	d := newScratch(x)
	x.ask(d, question, everyone)
	return d
}

// The same words in another order are held alike, but for their pairs.
func TestHeldPairs(t *testing.T) {
	t.Parallel()
	x := indexOf(origins())
	ordered, shuffled := asked(x, "where do you come from").evidence, asked(x, "from come you do where").evidence
	if ordered[EvHeld] != shuffled[EvHeld] || ordered[EvHeldPairs] <= shuffled[EvHeldPairs] {
		t.Errorf("words %v and %v, pairs %v and %v", ordered[EvHeld], shuffled[EvHeld], ordered[EvHeldPairs], shuffled[EvHeldPairs])
	}
}

// No wording of its own is less near to an entry than a new one would typically be,
// whether the entry's are all of a kind or have next to nothing in common.
func TestTypicalOfOwnWordings(t *testing.T) {
	t.Parallel()
	alike := content.Entry{Question: "where is your shop", Alternates: []string{"where is the shop", "where is this shop", "where is our shop"}}
	mixed := content.Entry{Question: "what does it cost", Alternates: []string{"price of a visit", "how much must I pay", "is there a fee"}}
	single := content.Entry{Question: "do you bake bread"}
	x := indexOf([]content.Entry{alike, mixed, single})
	if x.alike[0] <= x.alike[1] || x.alike[2] != 1 {
		t.Errorf("alike are %v, want the first more than the second, and the third 1", x.alike)
	}
	for _, entry := range []content.Entry{alike, mixed} {
		for _, own := range entry.Alternates {
			if typical := asked(x, own).evidence[EvTypical]; typical < 0.75 {
				t.Errorf("%q is %v times as near as a new wording", own, typical)
			}
		}
	}
}

// However sure the confidence is, one known word among others is no question to an entry.
func TestLeastCoverage(t *testing.T) {
	t.Parallel()
	s := newSelector(t, origins())
	s.threshold = 0
	if !s.Select("where were you born", everyone).Sure {
		t.Error("a wording of an entry is not answered")
	}
	if choice := s.Select("sundays granite marble basalt quartz feldspar obsidian gneiss", everyone); choice.Sure {
		t.Errorf("one known word among seven others is answered: %+v", choice)
	}
}

// Only English questions that have a word of the content are shortened.
func TestShortenedQuestions(t *testing.T) {
	t.Parallel()
	german := indexOf([]content.Entry{
		{Question: "Wann haben Sie geöffnet?", Alternates: []string{"welche Öffnungszeiten gelten", "ist am Sonntag offen"}},
		{Question: "Was kostet ein Besuch?", Alternates: []string{"wie teuer ist der Besuch"}},
	})
	english := indexOf(origins())
	for _, tt := range []struct {
		index     *index
		question  string
		shortened bool
	}{
		{english, "where granite from", true},
		{english, "granite basalt", false},
		{english, "where from", false},
		{german, "wann Granit geöffnet", false},
	} {
		if share := asked(tt.index, tt.question).share; (share < 1) != tt.shortened {
			t.Errorf("%q is left at %v of its length", tt.question, share)
		}
	}
}

// In large content words that many entries have are followed only where there is no
// rarer one.
func TestCommonWordsOfLargeContent(t *testing.T) {
	t.Parallel()
	entries := make([]content.Entry, largeContent+1)
	for i := range entries {
		entries[i].Question = fmt.Sprintf("common word%d", i)
	}
	b := newBM25(entries, newSpace(profile{english: true}, new(Background)))
	for question, followed := range map[string]int{"word7": 1, "common": len(entries)} {
		words := []string{"common"}
		if question != "common" {
			words = append(words, question)
		}
		scores := make([]float32, len(entries))
		b.score(words, scores)
		found := 0
		for _, score := range scores {
			if score > 0 {
				found++
			}
		}
		expect.Same(t, fmt.Sprintf("%v: entries", words), followed, found)
	}
}

func origins() []content.Entry {
	return []content.Entry{
		{Question: "Where do you come from?", Alternates: []string{"where are you from", "what country do you come from", "where were you born"}},
		{Question: "What does a visit cost?", Alternates: []string{"how much is a visit", "what is the price of a visit"}},
		{Question: "When are you open?", Alternates: []string{"what are your opening hours", "do you open on sundays"}},
	}
}

func askOrigins(t *testing.T, question string) *scratch {
	t.Helper()
	d := asked(indexOf(origins()), question)
	if len(d.found) == 0 || d.found[0].entry != 0 {
		t.Fatalf("%q does not lead to the first entry", question)
	}
	return d
}

func TestQuestionIsWeighedByTheUsualWordsOfTheEntry(t *testing.T) {
	t.Parallel()
	own := askOrigins(t, "where did you come from").evidence
	other := askOrigins(t, "where did granite come from").evidence
	for name, part := range map[string]int{"held": EvHeld, "typical": EvTypical} {
		if own[part] <= other[part] {
			t.Errorf("%s: %.3f for a question of the entry, %.3f for one out of scope", name, own[part], other[part])
		}
	}
}

func TestUnseenWordsKeepTheOrder(t *testing.T) {
	t.Parallel()
	known, unseen := askOrigins(t, "where from"), askOrigins(t, "where granite marble basalt from")
	if unseen.found[0].machine >= known.found[0].machine {
		t.Errorf("machine says %v without and %v with unseen words", known.found[0].machine, unseen.found[0].machine)
	}
	order := func(d *scratch) (entries []int32) {
		for _, c := range d.found {
			entries = append(entries, c.entry)
		}
		return entries
	}
	if !slices.Equal(order(known), order(unseen)) {
		t.Errorf("order %v without and %v with unseen words", order(known), order(unseen))
	}
}
