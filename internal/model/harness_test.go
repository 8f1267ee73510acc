package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/model/modeltest"
)

type dayClient struct {
	day    int64
	client string // empty for all
}

var errDown = errors.New("the database is down")

type counter struct {
	mu    sync.Mutex
	calls map[dayClient]int
	all   int
	err   error
	hangs bool // until a call's time is over
}

func (c *counter) AddModelCall(ctx context.Context, day int64, client string, most int) (bool, error) {
	if c.hangs {
		<-ctx.Done()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := dayClient{day, client}
	if c.err != nil || c.calls[key] >= most {
		return false, c.err
	}
	if c.calls == nil {
		c.calls = map[dayClient]int{}
	}
	c.calls[key]++
	if client == "" {
		c.all++
	}
	return true, nil
}

func (c *counter) total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all
}

// wire has no network, so that a test can hold the time.
type wire struct {
	reply  atomic.Pointer[string] // nil hangs
	status atomic.Int32           // 200 when zero
	calls  atomic.Int32
}

func (w *wire) say(id string) {
	body := string(modeltest.Completion(id))
	w.reply.Store(&body)
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.calls.Add(1)
	body := w.reply.Load()
	if body == nil {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{
		StatusCode: cmp.Or(int(w.status.Load()), 200),
		Header:     http.Header{"Content-Type": {contract.TypeJSON}},
		Body:       io.NopCloser(strings.NewReader(*body)),
	}, nil
}

const timeout = 5 * time.Second

type bench struct {
	*Chooser
	*wire
	counter *counter
	log     *bytes.Buffer
	asked   atomic.Int32
}

func newBench(dailyCap int) *bench {
	b := &bench{wire: &wire{}, counter: &counter{}, log: &bytes.Buffer{}}
	b.Chooser = New(Config{
		Endpoint:  Endpoint{URL: "http://model.invalid/v1", Name: modeltest.Name, Timeout: timeout},
		DailyCap:  dailyCap,
		ClientCap: dailyCap + 1, // the cap of all is reached first
		Calls:     b.counter,
		Log:       zerolog.New(zerolog.SyncWriter(b.log)),
	})
	b.http.Transport = b.wire
	b.wire.say("hours")
	return b
}

const asked = "How expensive is a secret thing?"

// want asks a question of its own.
func (b *bench) want(t *testing.T, reason contract.Reason) {
	t.Helper()
	b.wantOf(t, t.Context(), fmt.Sprint(asked, b.asked.Add(1)), reason)
}

func (b *bench) wantOf(t *testing.T, ctx context.Context, question string, reason contract.Reason) {
	t.Helper()
	place, got := b.Choose(ctx, question, entries())
	if got != reason || (place == None) == (reason == contract.ReasonMatched) {
		t.Errorf("place %d, reason %q; want %q", place, got, reason)
	}
}
