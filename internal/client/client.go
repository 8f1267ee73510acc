package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// How long a call may take. A contact request waits for the mail server.
const (
	readTimeout    = 10 * time.Second
	contactTimeout = 40 * time.Second
)

// maxAnswer is the largest answer that is read, in bytes.
const maxAnswer = 4 << 20

const userAgent = contract.Product + "-cli"

// urlSetting names the settings of the address.
const urlSetting = "--url or FRONTDESK_URL"

// parseAddress reads --url. Its error never repeats the text, which may hold a password.
func parseAddress(text string) (*url.URL, error) {
	base, err := url.Parse(strings.TrimSpace(text))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.RawQuery != "" ||
		base.ForceQuery || base.Fragment != "" {
		return nil, errors.New("the address of the service must begin with http:// or https://, name a host and end " +
			"before ? and #, such as http://localhost:8080 (" + urlSetting + ")")
	}
	return base, nil
}

// address is the address of the service without a trailing slash and without a password.
func (c Connection) address() string { return strings.TrimRight(c.base.Redacted(), "/") }

// request is one call of the service: a GET, or the POST of body as JSON.
type request struct {
	path    string
	body    any
	timeout time.Duration
	header  http.Header // further headers
	stay    bool        // do not follow redirects

	uncertain string // is said after a failure after which the service may have acted
	again     string // is said after a failure after which the request may be repeated
}

// received is an answer of the service, read to its end.
type received struct {
	*http.Response
	body []byte
}

// printAnswer makes a call and prints the genuine answer.
func printAnswer[T any](ctx context.Context, c Connection, r request, genuine func(T) bool,
	fill func(*page, T)) error {
	value, answer, failed := fetch(ctx, c, r, genuine)
	if failed != nil {
		return c.fail(failed)
	}
	return c.show(answer.body, func(p *page) { fill(p, value) })
}

// fetch makes a call and reads its answer as a T. It fails when genuine rejects the answer
// as not being what the contract promises.
func fetch[T any](ctx context.Context, c Connection, r request, genuine func(T) bool) (value T, answer received,
	failed *failure) {
	answer, failed = c.call(ctx, r)
	if failed == nil && (json.Unmarshal(answer.body, &value) != nil || !genuine(value)) {
		failed = c.foreign("a document of another kind")
	}
	if failed != nil {
		if failed.uncertain && r.uncertain != "" {
			failed.notes = append(failed.notes, r.uncertain)
		}
		if (failed.uncertain || failed.retry) && r.again != "" {
			failed.notes = append(failed.notes, r.again)
		}
	}
	return value, answer, failed
}

// call makes a call and returns the answer, which is a success with a JSON body.
func (c Connection) call(ctx context.Context, r request) (received, *failure) {
	limited, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	var connected atomic.Bool
	traced := httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	answer, err := c.roundTrip(traced, r)
	if err != nil {
		return received{}, c.lost(ctx, err, r.timeout, connected.Load())
	}
	return answer, c.judge(answer)
}

// roundTrip follows the redirects of a GET, as net/http does, and of no other
// method: what a person sends goes only to the address they gave.
func (c Connection) roundTrip(ctx context.Context, r request) (received, error) {
	method, body := http.MethodGet, []byte(nil)
	header := http.Header{"User-Agent": {userAgent}, "Accept": {contract.TypeJSON + ", " + contract.TypeProblem}}
	maps.Copy(header, r.header)
	if r.body != nil {
		method = http.MethodPost
		header.Set("Content-Type", contract.TypeJSON)
		body = payload.JSON(r.body)
	}
	address := c.base.JoinPath(r.path).String() // which was parsed
	outgoing, _ := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	outgoing.Header = header
	var client http.Client
	if c.dial != "" {
		host, _, _ := net.SplitHostPort(c.dial)
		transport := &http.Transport{
			// The certificate of this machine's own desk may be of a private authority. What leaves the
			// machine is verified.
			TLSClientConfig: &tls.Config{InsecureSkipVerify: contract.IsLoopback(host)},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, c.dial)
			},
			ForceAttemptHTTP2: true,
		}
		defer transport.CloseIdleConnections()
		client.Transport = transport
	}
	if r.stay || method != http.MethodGet {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	response, err := client.Do(outgoing)
	if err != nil {
		return received{}, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // a longer one is no JSON
	return received{response, body}, err
}

// judge returns nil for a success, and otherwise why it is a refusal or the answer of
// another program.
func (c Connection) judge(r received) *failure {
	if target := r.Header.Get("Location"); target != "" && r.StatusCode/100 == 3 {
		return &failure{
			code:    ExitRefused,
			summary: fmt.Sprintf("%s redirects to %s, and nothing was sent there", c.address(), target),
			notes:   []string{"Hint: If you trust that address, give its base with " + urlSetting + "."},
		}
	}
	given := r.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(given)
	if err != nil || kind != contract.TypeJSON && !strings.HasSuffix(kind, "+json") || !json.Valid(r.body) {
		return c.foreign(fmt.Sprintf("HTTP %d and no JSON (Content-Type %q)", r.StatusCode, given))
	}
	if r.StatusCode == http.StatusOK {
		return nil
	}
	var problem contract.Problem
	if json.Unmarshal(r.body, &problem) != nil || problem.Code == "" {
		return c.foreign(fmt.Sprintf("HTTP %d without a problem record", r.StatusCode))
	}
	return refused(problem, r)
}
