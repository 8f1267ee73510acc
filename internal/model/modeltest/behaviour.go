package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// None is what the behaviours of this package answer for no entry.
const None = "none"

// Pick answers with an id, as a model does that keeps to the schema.
func Pick(id string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, asked Request) {
		Say(fmt.Sprintf(`{%q: %q}`, asked.Field, id))(w, r, asked)
	}
}

// Say answers with a completion of any text.
func Say(text string) Behaviour {
	return Send("application/json", string(Completion(text)))
}

// Completion is the body of a completion as the API describes it.
func Completion(text string) []byte {
	completion, err := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": Name,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop", "logprobs": nil,
			"message": map[string]any{"role": "assistant", "content": text, "refusal": nil},
		}},
		"usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 8, "total_tokens": 108},
	})
	if err != nil {
		panic(err) // cannot happen: it holds only strings and numbers
	}
	return completion
}

// Send answers 200 with a body of any type.
func Send(contentType, body string) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write([]byte(body)) // the client may have read enough
	}
}

// Fail answers with a status and an error as the API has it. Like a vendor's it
// quotes the key to the caller.
func Fail(status int) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, asked Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"%s: %s","type":"error","code":null}}`, Key, asked.Question)
	}
}

// Hang answers nothing until the client gives up.
func Hang(_ http.ResponseWriter, r *http.Request, _ Request) { <-r.Context().Done() }

// StreamForever answers with white space, which JSON may begin with, and never with
// more.
func StreamForever(w http.ResponseWriter, r *http.Request, _ Request) {
	w.Header().Set("Content-Type", "application/json")
	spaces := []byte(strings.Repeat(" ", 100))
	for r.Context().Err() == nil {
		if _, err := w.Write(spaces); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
	}
}

// Stall answers with the first byte of a reply and never with more.
func Stall(w http.ResponseWriter, r *http.Request, asked Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("{"))
	_ = http.NewResponseController(w).Flush()
	Hang(w, r, asked)
}

// CutOff breaks the connection in the middle of a reply.
func CutOff(w http.ResponseWriter, _ *http.Request, _ Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write(Completion("{")[:20])
	panic(http.ErrAbortHandler)
}

// Redirect sends the client to another address.
func Redirect(to string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, _ Request) {
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}
}
