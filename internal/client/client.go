package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"frontdesk/contract"
)

// How long a call may take. A contact request waits for the mail server.
const (
	readTimeout    = 10 * time.Second
	contactTimeout = 40 * time.Second
)

// maxAnswer is the largest answer that is read, in bytes.
const maxAnswer = 4 << 20

const userAgent = contract.Product + "-cli"

// request is one call of the service: a GET, or the POST of body as JSON.
type request struct {
	path    string
	body    any
	timeout time.Duration

	idempotencyKey  string                        // names a request that may be sent again
	acceptSignature string                        // asks for a signed answer
	received        func(response *http.Response) // called with a genuine answer, its body unread
	stay            bool                          // do not follow redirects
}

// fetch makes a call and reads its answer as a T, which it returns with the body as it
// was served. It fails when genuine rejects the answer as not being what the contract
// promises.
func fetch[T any](ctx context.Context, c Connection, r request, genuine func(T) bool) (T, []byte, error) {
	var value T
	base, err := parseAddress(c.URL)
	if err != nil {
		return value, nil, &failure{code: ExitUsage, summary: err.Error()}
	}
	body, err := base.call(ctx, r)
	if err != nil {
		return value, nil, err
	}
	if json.Unmarshal(body, &value) != nil || !genuine(value) {
		return value, nil, foreign(base, "a document of another kind")
	}
	return value, body, nil
}

// call makes a call and returns the JSON body of a success.
func (a address) call(ctx context.Context, r request) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	var connected atomic.Bool
	traced := httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	response, body, err := a.roundTrip(traced, r) // roundTrip reads it to its end and closes it
	if errors.Is(err, errTooLarge) {
		return nil, foreign(a, fmt.Sprintf("more than %d MiB", maxAnswer>>20))
	}
	if err != nil {
		return nil, a.lost(ctx, err, r.timeout, connected.Load())
	}
	judged, err := a.judge(response, body)
	if err == nil && r.received != nil {
		response.Body = io.NopCloser(bytes.NewReader(body)) // roundTrip has read and closed it
		r.received(response)
	}
	return judged, err
}

var errTooLarge = errors.New("the answer is too large")

func (a address) roundTrip(ctx context.Context, r request) (*http.Response, []byte, error) {
	outgoing, err := a.compose(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	client := http.Client{CheckRedirect: followReads}
	if r.stay {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	response, err := client.Do(outgoing)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = errTooLarge
	}
	return response, body, err
}

func (a address) compose(ctx context.Context, r request) (*http.Request, error) {
	method, body := http.MethodGet, []byte(nil)
	if r.body != nil {
		method = http.MethodPost
		var err error
		if body, err = encode(r.body); err != nil {
			return nil, err
		}
	}
	outgoing, err := http.NewRequestWithContext(ctx, method, a.at(r.path), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	outgoing.Header.Set("User-Agent", userAgent)
	outgoing.Header.Set("Accept", contract.TypeJSON+", "+contract.TypeProblem)
	if r.body != nil {
		outgoing.Header.Set("Content-Type", contract.TypeJSON)
	}
	if r.idempotencyKey != "" {
		outgoing.Header.Set(contract.HeaderIdempotencyKey, r.idempotencyKey)
	}
	if r.acceptSignature != "" {
		outgoing.Header.Set(contract.HeaderAcceptSignature, r.acceptSignature)
	}
	return outgoing, nil
}

// followReads follows the redirects of a GET, as many as net/http would, and of no other
// method: what a person sends goes only to the address they gave.
func followReads(next *http.Request, via []*http.Request) error {
	if via[0].Method != http.MethodGet {
		return http.ErrUseLastResponse
	}
	if len(via) >= 10 {
		return errors.New("stopped after 10 redirects")
	}
	return nil
}

// encode writes v as one line of JSON. It does not escape <, > and &: each would take
// six bytes of the body's cap.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return b.Bytes(), err
}

// judge distinguishes a success, a refusal, and the answer of another program.
func (a address) judge(response *http.Response, body []byte) ([]byte, error) {
	if target := response.Header.Get("Location"); target != "" && response.StatusCode/100 == 3 {
		return nil, redirected(a, target)
	}
	kind := response.Header.Get("Content-Type")
	if !isJSON(kind) || !json.Valid(body) {
		return nil, foreign(a, fmt.Sprintf("HTTP %d and no JSON (Content-Type %q)", response.StatusCode, kind))
	}
	if response.StatusCode == http.StatusOK {
		return body, nil
	}
	var problem contract.Problem
	if json.Unmarshal(body, &problem) != nil || problem.Code == "" {
		return nil, foreign(a, fmt.Sprintf("HTTP %d without a problem record", response.StatusCode))
	}
	return nil, refused(problem, response, body)
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == contract.TypeJSON || strings.HasSuffix(kind, "+json"))
}
