package modeltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
)

// Request is what was asked of the model.
type Request struct {
	Question string   // the user's message
	System   string   // the instructions with the entries
	IDs      []string // the closed set, with the word for none
	Field    string   // of the object that the reply must be
	Parent   string   // the traceparent header
}

// body is the part of the request body that the tests look at. Members of the API
// that it does not name are refused: the client has no use for them.
type body struct {
	Model    *string `json:"model"`
	Messages []struct {
		Role    string  `json:"role"`
		Content *string `json:"content"`
	} `json:"messages"`
	ResponseFormat struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string `json:"name"`
			Strict bool   `json:"strict"`
			Schema schema `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Temperature *float64 `json:"temperature"`
	MaxTokens   *int     `json:"max_tokens"`
}

type schema struct {
	Type                 string            `json:"type"`
	Properties           map[string]schema `json:"properties"`
	Required             []string          `json:"required"`
	AdditionalProperties *bool             `json:"additionalProperties"`
	Enum                 []string          `json:"enum"`
}

// most is how large a request may reasonably be, in bytes.
const most = 256 << 10

// errLeft is the error for a request whose body is cut off because the client was killed.
var errLeft = errors.New("the client left")

func read(r *http.Request) (Request, error) {
	switch {
	case r.Method != http.MethodPost || r.URL.RequestURI() != "/v1/chat/completions":
		return Request{}, fmt.Errorf("%s %s", r.Method, r.URL)
	case r.Header.Get("Content-Type") != "application/json":
		return Request{}, fmt.Errorf("Content-Type %q", r.Header.Get("Content-Type"))
	case r.Header.Get("Authorization") != "Bearer "+Key:
		return Request{}, errors.New("another key, or none")
	}
	// to its end: only then does a server see the client leave
	sent, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, most))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return Request{}, errLeft
	}
	if err != nil {
		return Request{}, err
	}
	var b body
	decoder := json.NewDecoder(bytes.NewReader(sent))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return Request{}, err
	}
	asked, err := b.check()
	asked.Parent = r.Header.Get("traceparent")
	return asked, err
}

// check holds the body against the rules of the API and the promises of ours: the
// question as the whole of its message, a closed set, the least random and a short reply.
func (b body) check() (Request, error) {
	switch {
	case b.Model == nil || *b.Model != Name:
		return Request{}, errors.New("model is missing or another")
	case len(b.Messages) != 2 || b.Messages[0].Role != "system" || b.Messages[1].Role != "user":
		return Request{}, errors.New("messages are not one of the system and one of the user")
	case b.Messages[0].Content == nil || b.Messages[1].Content == nil:
		return Request{}, errors.New("a message has no content")
	case b.Temperature == nil || *b.Temperature != 0:
		return Request{}, errors.New("temperature is not 0")
	case b.MaxTokens == nil || *b.MaxTokens < 1 || *b.MaxTokens > 256:
		return Request{}, errors.New("max_tokens is not small")
	case b.ResponseFormat.Type != "json_schema":
		return Request{}, fmt.Errorf("response_format is of type %q", b.ResponseFormat.Type)
	}
	format := b.ResponseFormat.JSONSchema
	if !schemaName.MatchString(format.Name) || !format.Strict {
		return Request{}, errors.New("the schema has no proper name, or is not strict")
	}
	field, ids, err := format.Schema.choice()
	return Request{Question: *b.Messages[1].Content, System: *b.Messages[0].Content, IDs: ids, Field: field}, err
}

// schemaName is the form of json_schema.name in the API.
var schemaName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// choice reads the one string that a reply must hold. Structured outputs ask that
// each property is required and that no other is allowed.
func (s schema) choice() (field string, ids []string, err error) {
	if s.Type != "object" || len(s.Properties) != 1 || s.AdditionalProperties == nil || *s.AdditionalProperties {
		return "", nil, errors.New("the schema is not a closed object of one property")
	}
	for name, property := range s.Properties {
		field, ids = name, property.Enum
		if property.Type != "string" || !slices.Equal(s.Required, []string{name}) {
			return "", nil, errors.New("the property is not a required string")
		}
	}
	sorted := slices.Sorted(slices.Values(ids))
	if len(ids) < 2 || len(slices.Compact(sorted)) != len(ids) || sorted[0] == "" {
		return "", nil, fmt.Errorf("the enum %q is no set of ids", ids)
	}
	return field, ids, nil
}
