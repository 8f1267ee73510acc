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
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/span"
)

// maxReply bounds what is read of a reply, in bytes. A choice takes less than one
// thousand; what a reasoning model adds is not for us.
const maxReply = 64 << 10

// maxModels bounds what is read of a list of models, in bytes: vendors serve
// hundreds, each with a description.
const maxModels = 4 << 20

// Paths that are added to the address of the endpoint
// (https://platform.openai.com/docs/api-reference/models/list).
const (
	completionsPath = "/chat/completions"
	modelsPath      = "/models"
)

// Endpoint is where a model is served. The zero Endpoint is none.
type Endpoint struct {
	URL     string // with /v1 and without a final slash; /chat/completions is added
	Name    string // of the model, as the endpoint knows it
	Key     string // sent as a bearer token; empty where none is asked for
	Timeout time.Duration
}

// IsSet reports whether there is a model at all.
func (e Endpoint) IsSet() bool { return e.URL != "" }

// String names the model for the log, without its key.
func (e Endpoint) String() string { return fmt.Sprintf("%s at %s", e.Name, e.URL) }

// newClient returns a client of endpoints.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = concurrentCalls
	transport.MaxResponseHeaderBytes = maxReply
	return &http.Client{
		Transport: transport,
		// Elsewhere is not where the owner has sent the key and the questions.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// choose asks once, without a second try, and returns the place of the entry that
// the model names, or None. Its errors hold neither the question nor the reply nor the key.
func (e Endpoint) choose(ctx context.Context, client *http.Client, question string, entries []*content.Entry) (int,
	error) {
	body, _ := json.Marshal(newRequest(e.Name, question, entries)) // only strings and numbers: nothing can fail
	reply, contentType, err := e.send(ctx, client, http.MethodPost, completionsPath, body, maxReply)
	if err != nil {
		return None, err
	}
	if mediaType, _, err := mime.ParseMediaType(contentType); err != nil || mediaType != contract.TypeJSON {
		return None, errors.New("the model's endpoint answers with another type than " + contract.TypeJSON)
	}
	return readReply(reply, entries)
}

// send sends a request and returns the answer and its type, if its status is 200 and it has
// at most a number of bytes.
func (e Endpoint) send(ctx context.Context, client *http.Client, method, path string, body []byte,
	most int) (reply []byte, contentType string, err error) {
	request, err := http.NewRequestWithContext(ctx, method, e.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept", contract.TypeJSON)
	request.Header.Set("User-Agent", contract.Product)
	if body != nil {
		request.Header.Set("Content-Type", contract.TypeJSON)
	}
	if e.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.Key)
	}
	if parent := span.From(ctx).Parent; parent.IsSet() {
		request.Header.Set(span.Header, parent.String())
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, "", bare(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, "", &StatusError{response.StatusCode}
	}
	reply, err = io.ReadAll(io.LimitReader(response.Body, int64(most)+1))
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("reading the model's reply: %w", bare(err))
	case len(reply) > most:
		return nil, "", fmt.Errorf("the model's reply is larger than %d bytes", most)
	}
	return reply, response.Header.Get("Content-Type"), nil
}

// StatusError is an answer of an endpoint with another status than 200.
type StatusError struct{ Status int }

func (e *StatusError) Error() string {
	return fmt.Sprintf("the model's endpoint answers with status %d", e.Status)
}

// bare takes the address off an error of net/http, which names it in each: the log
// names the endpoint once, at the start.
func bare(err error) error {
	if failure, ok := errors.AsType[*url.Error](err); ok {
		return failure.Err
	}
	return err
}

// Models lists the models that an endpoint says it has, without a call that counts
// or costs. Not every endpoint has such a list: without one the error is a
// *StatusError of 404 or 405.
func (e Endpoint) Models(ctx context.Context) ([]string, error) {
	client := newClient()
	defer client.CloseIdleConnections()
	text, _, err := e.send(ctx, client, http.MethodGet, modelsPath, nil, maxModels)
	if err != nil {
		return nil, err
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(text, &list) != nil || list.Data == nil {
		return nil, errors.New("the model's endpoint answers with something else than a list of models")
	}
	ids := make([]string, len(list.Data))
	for i, model := range list.Data {
		ids[i] = model.ID
	}
	return ids, nil
}
