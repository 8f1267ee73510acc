package metrics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	names "github.com/prometheus/common/model"

	"frontdesk/contract"
	"frontdesk/internal/backup"
	"frontdesk/internal/certificates"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/pilot"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/middleware"
)

func known(context.Context) State {
	return State{
		Version: "v1", LogDropped: 12, Revision: "0123456789abcdef", Entries: 3,
		Certificates: []certificates.State{{Domain: "desk.example", Start: time.Unix(1e9, 0), End: time.Unix(2e9, 0)},
			{Domain: "new.example"}},
		CapLeft: new(7), Backup: &backup.State{At: time.Unix(1e9, 0), Bytes: 4096}, ModelResting: new(true), Dropped: 7,
		StoreWritable: true, Encoded: 12, Busy: 1, SharedLimits: true, Inquiries: map[records.State]int{records.Failed: 4},
		Redis: &quota.Stats{Calls: 10, Failures: 3, Spent: 1500 * time.Millisecond, InUse: 2, Idle: 30},
	}
}

func newMetrics() *Metrics {
	routes := map[string][]string{contract.PathAsk: {"POST"}, contract.PathCatalog: {"GET"}}
	return New(Config{Routes: routes, State: known})
}

func scrape(t testing.TB, m *Metrics) (text []byte, families map[string]*dto.MetricFamily) {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	parser := expfmt.NewTextParser(names.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(w.Body.Bytes()))
	if err != nil || w.Code != 200 {
		t.Fatalf("%d, %v\n%s", w.Code, err, w.Body)
	}
	return w.Body.Bytes(), families
}

func use(m *Metrics) {
	m.Request(middleware.Finished{Method: "POST", Route: contract.PathAsk, Status: 429, Took: time.Millisecond,
		Policy: contract.AskPolicy.Name})
	m.Asked(contract.Answer{Match: contract.MatchExact, Reason: contract.ReasonMatched})
	m.Notified(notify.Ntfy, notify.Sent)
	m.Mailed(nil, time.Second)
	m.Mailed(&mailer.Error{Outcome: mailer.Failed, Stage: "RCPT"}, time.Second)
	m.ModelCalled(model.Chosen, time.Second)
	m.Pilot(pilot.Accepted)
	m.Reload(Reloaded)
}

// Dashboards and alerts are built on the names and labels, which Prometheus' own linter checks too.
func TestNames(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	use(m)
	text, families := scrape(t, m)
	if problems, err := promlint.New(bytes.NewReader(text)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v, %+v", err, problems)
	}
	var lines []string
	for name, family := range families {
		if !strings.HasPrefix(name, contract.Product+"_") {
			continue // those of Go and the process belong to the library
		}
		labels := map[string]bool{}
		for _, metric := range family.Metric {
			for _, label := range metric.Label {
				labels[label.GetName()] = true
			}
		}
		kind := strings.ToLower(family.GetType().String())
		lines = append(lines, fmt.Sprintf("%s %s %v", name, kind, slices.Sorted(maps.Keys(labels))))
	}
	slices.Sort(lines)
	golden.Check(t, filepath.Join("testdata", "names.golden"), []byte(strings.Join(lines, "\n")+"\n"))
	expect.Holds(t, "what the library adds", text, "\ngo_goroutines ", "\nprocess_open_fds ")
}

func TestValues(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	use(m)
	use(m)
	m.Request(middleware.Finished{Method: "POST", Route: contract.PathAsk, Status: 429, Policy: "x"})
	m.Request(middleware.Finished{Method: "BREW", Route: "/coffee", Status: http.StatusTeapot})
	text, _ := scrape(t, m)
	for _, want := range []string{
		`http_requests_total{method="POST",route="/v1/ask",status="429"} 3`,
		`http_requests_total{method="other",route="other",status="other"} 1`,
		`http_requests_total{method="GET",route="/v1/catalog",status="500"} 0`,
		`http_request_duration_seconds_count{route="/v1/catalog"} 0`,
		`http_request_duration_seconds_count{route="/v1/ask"} 3`,
		`http_request_duration_seconds_bucket{route="/v1/ask",le="0.001"} 3`,
		`limit_refusals_total{policy="contact"} 0`,
		`asks_total{match="none",reason="model_unavailable"} 0`,
		`notifications_total{outcome="sent",target="ntfy"} 2`,
		`notifications_total{outcome="failed",target="chat"} 0`,
		`mail_failures_total{stage="RCPT"} 2`,
		`mail_failures_total{stage="other"} 0`,
		`mail_duration_seconds_count 4`,
		`model_call_duration_seconds_count{outcome="chosen"} 2`,
		`model_resting 1`,
		`redis_calls_total{result="ok"} 7`,
		`redis_calls_total{result="failed"} 3`,
		`redis_call_seconds_total 1.5`,
		`redis_connections{state="in_use"} 2`,
		`database_up 1`,
		`store_writable 1`,
		`pilot_requests_total{outcome="accepted"} 2`,
		`pilot_requests_total{outcome="daily_limit"} 0`,
		`pilot_requests_total{outcome="internal_error"} 0`,
		`inquiries{state="failed"} 4`,
		`inquiries{state="pending"} 0`,
		`limiter_store{store="memory"} 0`,
		`limiter_store{store="redis"} 1`,
		`build_info{version="v1"} 1`,
		`log_lines_dropped_total 12`,
	} {
		if !bytes.Contains(text, []byte("\nfrontdesk_"+want+"\n")) {
			t.Errorf("no line %s", want)
		}
	}
	text, _ = scrape(t, New(Config{State: func(context.Context) State { return State{} }}))
	expect.Lacks(t, "what is unknown", text, "model_cap_left", "model_resting", "redis_", "frontdesk_inquiries")
	expect.Holds(t, "a database that is down", text, "frontdesk_database_up 0\n")
}

// What callers can make up creates no label and is not published.
func TestBounded(t *testing.T) {
	t.Parallel()
	const marked = "sesame"
	m := newMetrics()
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			for range 2500 {
				word := fmt.Sprint(marked, rand.Int64())
				m.Request(middleware.Finished{Method: word, Route: "/" + word, Status: 100 + rand.IntN(900), Policy: word})
				m.Mailed(&mailer.Error{Stage: word, Err: errors.New(word)}, 0)
				m.ModelCalled(model.Outcome(word), 0)
				m.Asked(contract.Answer{Answer: word, Match: contract.Match(word), Reason: contract.Reason(word)})
			}
		})
	}
	senders.Wait()
	text, families := scrape(t, m)
	series := 0
	for name, family := range families {
		if strings.HasPrefix(name, contract.Product+"_") {
			series += len(family.Metric)
		}
	}
	expect.AtMost(t, "series", 150, series)
	expect.Lacks(t, "what is published", text, marked)
}
