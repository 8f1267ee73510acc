package app_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

// withRedis sets a Redis on top of other settings, which may be nil.
func withRedis(server *programs.Server, others func(*config.Settings)) func(*config.Settings) {
	return func(s *config.Settings) {
		if others != nil {
			others(s)
		}
		s.RedisURL = server.URL
	}
}

// withInstances runs a scene on two instances that share a Redis. On a busy machine Redis
// may take longer than 100 ms, and then each instance rightly decides by itself: such a
// scene is repeated.
func withInstances(t *testing.T, settings func(*config.Settings), scene func(one, two *harness.Desk) (fault string)) {
	t.Helper()
	for range 5 {
		redis := programs.Redis(t)
		one, two := harness.Start(t, withRedis(redis, settings)), harness.Start(t, withRedis(redis, settings))
		fault := scene(one, two)
		if one.SharesLimits() && two.SharesLimits() {
			if fault != "" {
				t.Error(fault)
			}
			return
		}
		t.Logf("Redis was too slow:\n%s%s", one.Log, two.Log)
	}
	t.Error("Redis was always too slow")
}

// lastSlot uses up all slots of a limit but one, and then sends one request with a key
// many times at once to desks that share the limit. It reports an answer that is not
// the first one, and a slot that is left.
func lastSlot(t *testing.T, quota int, send func(t *testing.T, d *harness.Desk, client *http.Client, key string) harness.Answer, desks ...*harness.Desk) (fault string) {
	t.Helper()
	client := harness.NewClient(t)
	for range quota - 1 {
		harness.WantStatus(t, send(t, desks[0], client, rand.Text()), http.StatusOK)
	}
	answers, key := make([]harness.Answer, 12), rand.Text()
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i] = send(t, desks[i%len(desks)], client, key) })
	}
	group.Wait()
	for _, got := range answers {
		if got.StatusCode != http.StatusOK || !bytes.Equal(got.Text, answers[0].Text) {
			return fmt.Sprintf("%d %s, want the 200 of all: %s", got.StatusCode, got.Text, answers[0].Text)
		}
	}
	if got := send(t, desks[0], client, rand.Text()); got.StatusCode != http.StatusTooManyRequests {
		return fmt.Sprintf("another key: %d, want 429", got.StatusCode)
	}
	return ""
}

// keyed are the requests that take a key.
var keyed = map[string]func(t *testing.T, d *harness.Desk, client *http.Client, key string) harness.Answer{
	"contact": func(t *testing.T, d *harness.Desk, client *http.Client, key string) harness.Answer {
		return d.Send(t, client, http.MethodPost, contract.PathContact, harness.ContactBody(""), harness.JSONType, contract.HeaderIdempotencyKey+": "+key)
	},
	"trial": func(t *testing.T, d *harness.Desk, client *http.Client, key string) harness.Answer {
		return d.CallTool(t, client, contract.PathWorkspaceMCP, "start_trial", `{"business":"AE","email":"ada@example.com","idempotency_key":"`+key+`"}`)
	},
}

// TestInstancesShareLastSlot: two instances get the same request at once when one slot
// is left. The one that claims the key takes the slot, and every caller gets its answer.
func TestInstancesShareLastSlot(t *testing.T) {
	t.Parallel()
	for name, send := range keyed {
		t.Run(name+", two instances", func(t *testing.T) {
			t.Parallel()
			server := programs.Postgres(t)
			withInstances(t, harness.OnPostgres(t, server), func(one, two *harness.Desk) string {
				return lastSlot(t, contract.ContactPolicy.Quota, send, one, two)
			})
		})
		t.Run(name+", one instance", func(t *testing.T) {
			t.Parallel()
			if fault := lastSlot(t, contract.ContactPolicy.Quota, send, harness.Start(t, nil)); fault != "" {
				t.Error(fault)
			}
		})
	}
}

// TestInstancesShareWhatRemains checks that each answer reports the remainder over all
// instances, also an answer that takes no slot.
func TestInstancesShareWhatRemains(t *testing.T) {
	t.Parallel()
	const one, two = 0, 1
	valid, long := harness.Question("Who is it for?"), strings.Repeat("x", contract.CapAsk+1)
	steps := []struct {
		instance     int
		body         string
		status, left int
	}{
		{one, valid, 200, 4}, {two, long, 413, 4}, {two, valid, 200, 3}, {one, long, 413, 3}, {one, "nonsense", 400, 2},
		{two, valid, 200, 1}, {one, valid, 200, 0}, {two, valid, 429, 0}, {two, long, 413, 0},
	}
	withInstances(t, nil, func(one, two *harness.Desk) string {
		desks, client := []*harness.Desk{one, two}, harness.NewClient(t)
		for i, step := range steps {
			got := desks[step.instance].Send(t, client, http.MethodPost, "/v1/ask", step.body, harness.JSONType)
			rate := got.Header.Get(contract.HeaderRateLimit)
			if got.StatusCode != step.status || rate != contract.AskPolicy.Remaining(step.left) {
				return fmt.Sprintf("step %d: status %d and %s, want %d and %d left", i+1, got.StatusCode, rate, step.status, step.left)
			}
		}
		return ""
	})
}

// TestWithoutRedis starts while Redis is down, and loses it while it runs: each
// instance keeps its limits and the model is asked, and the log says it once.
func TestWithoutRedis(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		breaks  func(*programs.Server)
		running bool
	}{
		{"down at the start", (*programs.Server).Stop, false},
		{"stopped", (*programs.Server).Stop, true},
		{"hanging", (*programs.Server).Freeze, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			redis := programs.Redis(t)
			if !tt.running {
				tt.breaks(redis)
			}
			server := modeltest.Listen(t, modeltest.Pick("refunds"))
			d := harness.Start(t, withRedis(redis, harness.WithModel(t, server, "")))
			if tt.running {
				tt.breaks(redis)
			}
			client := harness.NewClient(t)
			for i := range contract.AskPolicy.Quota + 1 {
				want := http.StatusOK
				if i == contract.AskPolicy.Quota {
					want = http.StatusTooManyRequests
				}
				harness.WantStatus(t, d.Send(t, client, http.MethodPost, "/v1/ask", harness.Question(beyond), harness.JSONType), want)
			}
			harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
			if server.Calls() != 1 {
				t.Errorf("%d calls of the model, want 1", server.Calls())
			}
			if n := strings.Count(d.Log.String(), "cannot use Redis"); n != 1 || d.SharesLimits() {
				t.Errorf("the log says it %d times, shared %v:\n%s", n, d.SharesLimits(), d.Log)
			}
		})
	}
}
