package faq

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/model"
	"frontdesk/internal/model/modeltest"
)

type unlimited struct{}

func (unlimited) AddModelCall(context.Context, int64, string, int) (bool, error) { return true, nil }

type says []byte

func (s says) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200,
		Header:     http.Header{"Content-Type": {contract.TypeJSON}},
		Body:       io.NopCloser(strings.NewReader(string(s))),
	}, nil
}

// No byte of a model's reply reaches an answer: whatever
// it sends, the answer is an entry's or the fallback, byte for byte.
func FuzzModelReply(f *testing.F) {
	for _, seed := range []string{`{"id": "price"}`, "hours", "none", `{"id": "nobody"}`, "It is free.", `{"id": "price", "answer": "free"}`, ""} {
		f.Add(modeltest.Completion(seed))
		f.Add([]byte(seed))
	}
	answerer := newBook(f, shop())
	answer := func(ctx context.Context, reply []byte) contract.Answer {
		chooser := model.New(model.Config{
			Endpoint: model.Endpoint{URL: "http://model.invalid/v1", Timeout: time.Minute}, DailyCap: 1, ClientCap: 1,
			Calls: unlimited{}, Log: zerolog.Nop(), Transport: says(reply),
		})
		return answerer.WithModel(chooser).Ask(ctx, beyond)
	}
	if got := answer(f.Context(), modeltest.Completion("price")); got.Match != contract.MatchModel {
		f.Fatalf("no reply makes an answer, so that nothing would be proved: %+v", got)
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		got := answer(t.Context(), reply)
		if got.EntryID == nil {
			if got.Answer != answerer.faq.Fallback || got.Match != contract.MatchNone || got.Reason == contract.ReasonMatched {
				t.Fatalf("%q makes the answer %+v", reply, got)
			}
			return
		}
		if diff := cmp.Diff(answerer.answer(answerer.ids[*got.EntryID], contract.MatchModel), got); diff != "" {
			t.Fatalf("%q changes an answer (-entry +got):\n%s", reply, diff)
		}
	})
}
