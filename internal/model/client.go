package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/span"
)

// maxReply bounds what is read of a reply, in bytes. A choice takes less than one
// thousand; what a reasoning model adds is not for us.
const maxReply = 64 << 10

// completionsPath is added to the address of the endpoint.
const completionsPath = "/chat/completions"

// client has the conversation with one endpoint.
type client struct {
	endpoint Endpoint
	http     *http.Client
}

func newClient(endpoint Endpoint, transport http.RoundTripper) *client {
	if transport == nil {
		network := http.DefaultTransport.(*http.Transport).Clone()
		network.MaxIdleConnsPerHost = concurrentCalls
		network.MaxResponseHeaderBytes = maxReply
		transport = network
	}
	return &client{
		endpoint: endpoint,
		http: &http.Client{
			Transport: transport,
			// Elsewhere is not where the owner has sent the key and the questions.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// choose asks once, without a second try, and returns the place of the entry that
// the model names, or None. Its errors hold neither the question nor the reply nor the key.
func (c *client) choose(ctx context.Context, question string, entries []*content.Entry) (int, error) {
	body, err := json.Marshal(newRequest(c.endpoint.Name, question, entries))
	if err != nil {
		return None, err
	}
	response, err := c.send(ctx, http.MethodPost, completionsPath, body)
	if err != nil {
		return None, err
	}
	defer response.Body.Close()
	reply, err := readBody(response)
	if err != nil {
		return None, err
	}
	return readReply(reply, entries)
}

// send sends a request and returns the answer if its status is 200.
func (c *client) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", contract.TypeJSON)
	request.Header.Set("User-Agent", contract.Product)
	if body != nil {
		request.Header.Set("Content-Type", contract.TypeJSON)
	}
	if c.endpoint.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.endpoint.Key)
	}
	if parent := span.ParentFrom(ctx); parent.IsSet() {
		request.Header.Set(span.Header, parent.String())
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, bare(err)
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, &StatusError{response.StatusCode}
	}
	return response, nil
}

// readBody reads a reply that is JSON of a bounded size.
func readBody(response *http.Response) ([]byte, error) {
	mediaType, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil || mediaType != contract.TypeJSON {
		return nil, errors.New("the model's endpoint answers with another type than " + contract.TypeJSON)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the model's reply: %w", bare(err))
	case len(body) > maxReply:
		return nil, fmt.Errorf("the model's reply is larger than %d bytes", maxReply)
	}
	return body, nil
}

// bare takes the address off an error of net/http, which names it in each: the log
// names the endpoint once, at the start.
func bare(err error) error {
	if failure, ok := errors.AsType[*url.Error](err); ok {
		return failure.Err
	}
	return err
}
