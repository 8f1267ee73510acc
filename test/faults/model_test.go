package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
)

// marker is in every reply of a broken model, and in no approved answer.
const marker = "zebra"

// badModels are one fault of a model of each kind; the tests of package model have all. A
// nil behaviour does not listen.
var badModels = []struct {
	name   string
	behave modeltest.Behaviour
	short  bool // go test plays it too
	stays  bool // the reply may depend on the question: the model is asked the next one
}{
	{name: "down"},
	{name: "500", behave: modeltest.Fail(http.StatusInternalServerError), short: true},
	{name: "slow", behave: modeltest.Hang},
	{name: "endless", behave: modeltest.StreamForever},
	{name: "content filter", behave: modeltest.Fail(http.StatusBadRequest), short: true, stays: true},
	{name: "an unknown id", behave: modeltest.Pick(marker), stays: true},
	{name: "an id with text", behave: modeltest.Say("refunds, said the " + marker), short: true, stays: true},
}

// TestModelFails: with any broken model every question is answered 200 with only approved
// text, and after five failures no request waits for the model.
func TestModelFails(t *testing.T) {
	t.Parallel()
	for _, bad := range badModels {
		if !whole && !bad.short {
			continue
		}
		t.Run(bad.name, func(t *testing.T) {
			t.Parallel()
			playModel(t, bad.behave, bad.stays)
		})
	}
}

// mumble starts a model with a behaviour, or one that does not listen.
func mumble(t *testing.T, behave modeltest.Behaviour) (url string, calls func() int) {
	t.Helper()
	if behave == nil {
		addr, _ := programs.FreeAddr(t)
		return "http://" + addr + "/v1", func() int { return 0 }
	}
	server := modeltest.Listen(t, behave)
	return server.URL(), server.Calls
}

func playModel(t *testing.T, behave modeltest.Behaviour, stays bool) {
	const trips = 5
	url, calls := mumble(t, behave)
	p := setup{environ: append(withModel(t, url), "FRONTDESK_MODEL_DAILY_CAP=100000")}.start(t)
	c := newCaller(t, p.url)
	question := func(i int) answer { return c.ask(asked(fmt.Sprintf("%s %d?", beyond, i))) }
	first := byMany(trips, trips, question)
	wantFallbacks(t, first)
	if stays {
		before := calls()
		wantFallbacks(t, byMany(1, 2*trips, func(i int) answer { return question(trips + i) }))
		wantFallbacks(t, byMany(1, 2*trips, func(i int) answer { return question(trips + i) })) // remembered
		if made := calls() - before; made != 2*trips {
			t.Errorf("%d calls for %d questions, each asked twice; want one for each", made, 2*trips)
		}
		return
	}
	eventually(t, "the breaker to open", func() bool { return strings.Contains(p.log.String(), `"breaker":"open"`) })
	made, since := calls(), time.Now()
	open := byMany(4, sized(100, 2000), func(i int) answer { return question(trips + i) })
	wantFallbacks(t, open)
	t.Logf("before the breaker opens: %v; after: %v", timesOf(first), timesOf(open))
	// It opens for 30 s, and then for one call.
	if late, most := calls()-made, 1+int(time.Since(since)/(30*time.Second)); late > most {
		t.Errorf("%d calls while the breaker is open, want at most %d", late, most)
	}
	if a := answerOf(t, c.ask(asked("Do you offer refunds?"))); a.Match != contract.MatchExact {
		t.Errorf("a question of the content: %+v", a)
	}
}

// wantFallbacks checks that every answer is the owner's fallback, with nothing of a model.
func wantFallbacks(t *testing.T, answers []answer) {
	t.Helper()
	for _, got := range answers {
		a := answerOf(t, got)
		foreign := slices.ContainsFunc(a.Suggestions, func(s string) bool { return !strings.Contains(entries(""), s) })
		if a.Answer != "I do not know." || a.Reason != contract.ReasonModelUnavailable || a.EntryID != nil || foreign ||
			strings.Contains(got.body, marker) || strings.Contains(got.body, modeltest.Key) {
			t.Fatalf("an ask is answered with %s", got.body)
		}
	}
}

func timesOf(answers []answer) spread {
	var s spread
	for _, a := range answers {
		s = append(s, a.took)
	}
	return s
}
