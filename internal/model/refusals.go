package model

import (
	"crypto/sha256"
	"errors"
	"net/http"
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

// Bounds of the refusals that are remembered; the oldest goes first.
const (
	maxRefusals = 1024
	refusalTime = time.Hour
)

// refusal is a question for which the model gave no choice.
type refusal [sha256.Size]byte

// refusalKey identifies a question among the entries that it was asked about.
func refusalKey(question string, entries []*content.Entry) (key refusal) {
	hash := sha256.New()
	hash.Write([]byte(question))
	for _, entry := range entries {
		hash.Write([]byte("\x00" + entry.ID))
	}
	hash.Sum(key[:0])
	return key
}
