// Package recorded holds the answers that frontdesk gave, by scenario, for the other
// servers of the benchmark. The limit sends them unchanged; the peers build them again
// with their own MCP library.
package recorded

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
)

// Environment variables of a server of the benchmark.
const (
	EnvAddr    = "BENCH_ADDR"    // where it listens
	EnvAnswers = "BENCH_ANSWERS" // the file of the recorded answers
)

// Names of the scenarios and of their recorded answers.
const (
	Health       = "health"
	Catalog      = "catalog"
	NotModified  = "304"
	Gzip         = "gzip"
	Ask          = "ask"
	Refused      = "429"
	DryRun       = "contact dry run"
	ListServices = "MCP list_services"
	Initialize   = "MCP initialize"
	AskFAQ       = "MCP ask_faq"
)

// Answers are the recorded answers by scenario.
type Answers map[string]Answer

// Answer is one recorded answer, without the headers that net/http adds.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Write writes the answers to a file.
func (a Answers) Write(path string) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// Read reads the answers from the file that the environment names.
func Read() (Answers, error) {
	text, err := os.ReadFile(os.Getenv(EnvAnswers)) // the driver says which
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EnvAnswers, err)
	}
	var answers Answers
	if err := json.Unmarshal(text, &answers); err != nil {
		return nil, fmt.Errorf("%s: %w", EnvAnswers, err)
	}
	return answers, nil
}

// Result is the part of a tool's result that the peers repeat.
type Result struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
}

// Result returns the recorded result of a tool call.
func (a Answers) Result(scenario string) (Result, error) {
	var reply struct{ Result Result }
	if err := json.Unmarshal(a[scenario].Body, &reply); err != nil {
		return Result{}, fmt.Errorf("the answer of %s: %w", scenario, err)
	}
	if len(reply.Result.Content) == 0 {
		return Result{}, errors.New("the answer of " + scenario + " is no result of a tool")
	}
	return reply.Result, nil
}

// PathHealth and PathMCP are the paths of every peer.
const (
	PathHealth = "/v1/health"
	PathMCP    = "/mcp"
)

// Serve serves a peer's MCP handler, and a health check, until the process is killed.
func Serve(mcp http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle(PathMCP, mcp)
	mux.HandleFunc(PathHealth, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"status":"ok"}`)) // fails when the driver has gone
	})
	return Listen(mux)
}

// Listen serves a handler at the address in the environment, without anything around it
// and without timeouts, which would cost a little at every request.
func Listen(handler http.Handler) error {
	return http.ListenAndServe(os.Getenv(EnvAddr), handler) // only the driver calls it, on loopback
}
