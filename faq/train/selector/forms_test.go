package main

import (
	"math"
	"testing"

	"frontdesk/internal/expect"
)

func TestForm(t *testing.T) {
	t.Parallel()
	for _, row := range [][3]string{ // kind, form, and what is wanted
		{"near", "", "plain"}, {"near", "short", "short"}, {"far", "", "plain"}, {"indirect", "", "indirect"},
		{"near", "loud", ""},
	} {
		got, err := (&deskQuestion{Kind: row[0], Form: row[1]}).form()
		if got != row[2] && err == nil || (err != nil) != (row[2] == "") {
			t.Errorf("%q: %q, %v", row, got, err)
		}
	}
}

// What is asked of an entry that is taken away is a near miss, in its own form.
func TestTakenAway(t *testing.T) {
	t.Parallel()
	desks := expect.Value(readDesks("../../../testdata/wordings"))(t)
	for i, d := range takenAway(desks) {
		own, taken := 0, 0
		for _, q := range d.questions {
			if q.far {
				t.Errorf("%s: %q is far", d.name, q.text)
			}
			own, taken = own+boolInt(q.entry >= 0), taken+boolInt(q.entry < 0)
		}
		asked := 0
		for _, q := range desks[i].questions {
			asked += boolInt(q.entry >= 0)
		}
		if own+taken != asked || taken == 0 || own == 0 {
			t.Errorf("%s: %d of %d questions with an entry, %d without", d.name, own, asked, taken)
		}
	}
}

func TestFormFigures(t *testing.T) {
	t.Parallel()
	f := formFigures{own: 100, right: 45, answered: 50, near: 10, nearAnswered: 1}
	want := (1 - nearShare) * 0.45 / ((1-nearShare)*0.5 + nearShare*0.1)
	if got := f.precision(); math.Abs(got-want) > 1e-9 {
		t.Errorf("precision is %v, want %v", got, want)
	}
}
