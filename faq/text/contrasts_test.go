package text

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestContrasts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, content, question, entry string
		opposed                        int
	}{
		{"order and cancel", "how do i order do you have my order", "can i cancel it", "how do I order a cake", 1},
		{"German with and without", "wie kann ich das haben und für wie ist", "gibt es das ohne zucker", "gibt es das mit zucker", 1},
		{"both sides are there", "how do i order do you have my order", "order or cancel", "ordering and cancelling", 0},
		{"nothing opposed", "how do i order do you have my order", "where are you", "where do I find you", 0},
		{"no listed language", "xyz zyx abc", "with", "without", 0},
		{"Polish before and after", "czy jest to na do w mogę jak", "co przed zabiegiem", "co po zabiegu", 1},
	} {
		c := ContrastsOf(AppendWords(nil, test.content))
		expect.Same(t, test.name+": opposed", test.opposed, c.Opposed(AppendWords(nil, test.question), AppendWords(nil, test.entry)))
	}
}

func TestEveryLanguageHasContrasts(t *testing.T) {
	t.Parallel()
	expect.Same(t, "languages", 8, len(contrasts()))
	for _, c := range contrasts() {
		for _, sides := range c.lines {
			if len(sides) < 2 {
				t.Errorf("a line has one side: %q", sides)
			}
		}
	}
}

func TestNewNumbers(t *testing.T) {
	t.Parallel()
	if got := NewNumbers(AppendWords(nil, "open at 9 on the 24th"), AppendWords(nil, "from 9 to 5")); got != 1 {
		t.Errorf("got %d, want 1", got)
	}
}
