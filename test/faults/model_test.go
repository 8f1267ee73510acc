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
	"frontdesk/test/harness"
)

// marker is in every reply of a broken model, and in no approved answer.
const marker = "zebra"

// badModels are one fault of a model of each kind; the tests of package model have all.
var badModels = []struct {
	name   string
	behave modeltest.Behaviour
	short  bool // go test plays it too
	stays  bool // the reply may depend on the question: the model is asked the next one
}{
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

func playModel(t *testing.T, behave modeltest.Behaviour, stays bool) {
	const trips = 5
	model := modeltest.Listen(t, behave)
	p := setup{environ: append(withModel(t, model.URL()), "FRONTDESK_MODEL_DAILY_CAP=100000")}.start(t)
	c := newCaller(t, p.url)
	question := func(i int) answer { return c.ask(harness.Question(fmt.Sprintf("%s %d?", beyond, i))) }
	wantFallbacks(t, byMany(trips, trips, question))
	if stays {
		before := model.Calls()
		wantFallbacks(t, byMany(1, 2*trips, func(i int) answer { return question(trips + i) }))
		wantFallbacks(t, byMany(1, 2*trips, func(i int) answer { return question(trips + i) })) // remembered
		if made := model.Calls() - before; made != 2*trips {
			t.Errorf("%d calls for %d questions, each asked twice; want one for each", made, 2*trips)
		}
		return
	}
	eventually(t, "the breaker to open", func() bool { return strings.Contains(p.log.String(), `"breaker":"open"`) })
	made, since := model.Calls(), time.Now()
	wantFallbacks(t, byMany(4, sized(100, 2000), func(i int) answer { return question(trips + i) }))
	// It opens for 30 s, and then for one call.
	if late, most := model.Calls()-made, 1+int(time.Since(since)/(30*time.Second)); late > most {
		t.Errorf("%d calls while the breaker is open, want at most %d", late, most)
	}
	if a := answerOf(t, c.ask(harness.Question("Do you offer refunds?"))); a.Match != contract.MatchExact {
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
