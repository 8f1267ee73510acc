// Package modeltest is a language model's endpoint on a port of its own, for tests.
// It holds each request against the published chat completions of the OpenAI API
// (https://platform.openai.com/docs/api-reference/chat/create), answers as a model
// would, and lies, stalls and breaks on demand. What every counter of its calls has to
// promise stands here too.
package modeltest

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Key is the bearer token that the endpoint asks for.
const Key = "sk-test-1234567890"

// Name is the model that the endpoint serves.
const Name = "test-model"

// Behaviour answers a request that is fit for the API.
type Behaviour func(w http.ResponseWriter, r *http.Request, asked Request)

// Server is a running endpoint.
type Server struct {
	t      testing.TB
	server *httptest.Server

	mu        sync.Mutex
	behaviour Behaviour
	requests  []Request
}

// Listen starts an endpoint that behaves as given, and stops it when the test ends.
func Listen(t testing.TB, behaviour Behaviour) *Server {
	t.Helper()
	s := &Server{t: t, behaviour: behaviour}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

// URL is the address as FRONTDESK_MODEL_URL takes it.
func (s *Server) URL() string { return s.server.URL + "/v1" }

// Behave changes how further requests are answered.
func (s *Server) Behave(behaviour Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = behaviour
}

// Requests are those that came in, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[:len(s.requests):len(s.requests)]
}

// Calls is how many requests came in.
func (s *Server) Calls() int { return len(s.Requests()) }

// ServeHTTP fails the test on a request that the API does not describe, and answers
// the others.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.RequestURI() == "/v1/models" {
		list(w, r)
		return
	}
	asked, err := read(r)
	if errors.Is(err, errLeft) {
		return
	}
	if err != nil {
		s.t.Errorf("the model's endpoint was sent what the API does not describe: %v", err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, asked)
	behaviour := s.behaviour
	s.mu.Unlock()
	behaviour(w, r, asked)
}

// list answers with the models that the endpoint serves, to those who have the key
// (https://platform.openai.com/docs/api-reference/models/list).
func list(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if given := r.Header.Get("Authorization"); given != "Bearer "+Key {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s","type":"error","code":null}}`, given)
		return
	}
	_, _ = fmt.Fprintf(w, `{"object":"list","data":[{"id":"another-model","object":"model"},{"id":%q,"object":"model"}]}`,
		Name)
}
