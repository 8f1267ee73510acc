package model

import (
	"fmt"
	"time"
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
