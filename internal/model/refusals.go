package model

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"sync"
	"time"

	"frontdesk/content"
)

// dependsOnQuestion reports whether a call failed because of what was asked, and not
// because the endpoint is down, slow, overloaded or refuses the key: a content filter
// answers 400, and a model that refuses to choose, or does not keep to the schema,
// answers with something that is no id.
func dependsOnQuestion(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		switch status.Status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests:
			return false
		}
		return status.Status >= 400 && status.Status < 500
	}
	return errors.Is(err, errNonsense)
}

// Bounds of the refusals that are remembered.
const (
	maxRefusals = 1024
	refusalTime = time.Hour
)

// refusals remembers the questions for which the model gave no choice.
type refusals struct {
	mu    sync.Mutex
	until map[[sha256.Size]byte]time.Time
}

// refusalKey identifies a question among the entries that it was asked about.
func refusalKey(question string, entries []*content.Entry) (key [sha256.Size]byte) {
	hash := sha256.New()
	hash.Write([]byte(question))
	for _, entry := range entries {
		hash.Write([]byte("\x00" + entry.ID))
	}
	hash.Sum(key[:0])
	return key
}

func (r *refusals) has(key [sha256.Size]byte, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return now.Before(r.until[key])
}

// add remembers a refusal. When there is no room, old ones are forgotten, or else all.
func (r *refusals) add(key [sha256.Size]byte, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.until) >= maxRefusals {
		for known, until := range r.until {
			if !now.Before(until) {
				delete(r.until, known)
			}
		}
	}
	if r.until == nil || len(r.until) >= maxRefusals {
		r.until = map[[sha256.Size]byte]time.Time{}
	}
	r.until[key] = now.Add(refusalTime)
}
