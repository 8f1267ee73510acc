package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/server"
	"frontdesk/mailer"
)

// callers numbers the client addresses, so that no request counts against another's limits.
var callers atomic.Uint32

type caller struct {
	url  string
	http *http.Client
}

// newCaller reuses no connection that was idle for long: the service closes it within server.ReadHeaderTimeout, and
// net/http sends no request again that has just taken it.
func newCaller(t *testing.T, url string) *caller {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: patience}).DialContext,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     server.ReadHeaderTimeout / 2,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &caller{url: url, http: &http.Client{Transport: transport, Timeout: patience}}
}

func (c *caller) leave() { c.http.CloseIdleConnections() }

// answer is the answer to a request; its status is 0 if there was none.
type answer struct {
	status int
	header http.Header
	body   string
	err    error
	took   time.Duration
	again  bool // net/http sent the request again by itself, as it does with an Idempotency-Key
}

func (c *caller) send(method, path, body string, header ...string) answer {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var conn httptrace.GotConnInfo
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { conn = got }})
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewBufferString(body))
	if err != nil {
		return answer{err: err}
	}
	n := callers.Add(1)
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", byte(n>>16), byte(n>>8), byte(n)))
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	again, rewind := false, request.GetBody
	request.GetBody = func() (io.ReadCloser, error) {
		again = true
		return rewind()
	}
	start := time.Now()
	response, err := c.http.Do(request)
	if err != nil {
		took := time.Since(start)
		err = fmt.Errorf("%w after %v, on a connection that was idle for %v", err, took, conn.IdleTime)
		return answer{err: err, took: took, again: again}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{err: err, took: time.Since(start)}
	}
	if response.Close { // net/http removes the header that says so
		response.Header.Set("Connection", "close")
	}
	return answer{response.StatusCode, response.Header, string(text), nil, time.Since(start), again}
}

func pilotRequest(mark string, dryRun bool) string {
	body, _ := json.Marshal(contract.PilotRequest{ // cannot fail: it is text
		Name: "Ada Lovelace", Business: "Analytical Engines Ltd", Email: "ada@example.com",
		Message: "We would like to know more. " + mark, DryRun: dryRun,
	})
	return string(body)
}

func (c *caller) contact(mark, key string) answer {
	var header []string
	if key != "" {
		header = []string{contract.HeaderIdempotencyKey, key}
	}
	return c.send("POST", contract.PathContact, pilotRequest(mark, false), header...)
}

// Anything but a real pilot request is answered with 200.
func (c *caller) checkRest(t *testing.T) {
	t.Helper()
	for _, request := range soakRoutes[:4] {
		got := c.send(request.method, request.path, request.body)
		if got.status != 200 {
			t.Errorf("%s %s: %d %v, want 200: %s", request.method, request.path, got.status, got.err, got.body)
		}
		if got.took >= mailer.SendTimeout { // it has waited for a mail server
			t.Errorf("%s %s took %v", request.method, request.path, got.took)
		}
	}
}

func wantCode(t *testing.T, got answer, status int, code contract.Code) {
	t.Helper()
	var problem contract.Problem
	_ = json.Unmarshal([]byte(got.body), &problem) // what is no JSON has no code
	if got.status != status || problem.Code != code {
		t.Fatalf("the answer is %d %q (%v), want %d %q: %s", got.status, problem.Code, got.err, status, code, got.body)
	}
}
