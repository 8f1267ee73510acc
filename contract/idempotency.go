package contract

import (
	"fmt"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"
)

// MaxKey is the longest Idempotency-Key, in characters without its quotes, and
// KeyLifetime is how long its answer is kept (decisions, Idempotency-Key).
const (
	MaxKey      = 255
	KeyLifetime = 24 * time.Hour
)

// FieldIdempotencyKey is the tool argument that carries an Idempotency-Key.
const FieldIdempotencyKey = "idempotency_key"

// IdempotencyKey names one real request, however often it is sent. The zero value means
// no key.
type IdempotencyKey struct {
	Value string
	Field string // how the caller sent it: the header or the tool argument
}

// ParseKey reads an Idempotency-Key from the values of the header or of the tool
// argument; without any value it returns the zero key. The draft writes a key as a
// string of structured fields (RFC 9651 3.3.3), in quotes. Most clients send it bare:
// "k" and k are the same key. The error is an invalid_request that names field.
func ParseKey(field string, values []string) (IdempotencyKey, error) {
	if len(values) == 0 {
		return IdempotencyKey{}, nil
	}
	key, ok := "", false
	if len(values) == 1 { // several values may be different keys; values joined by a proxy contain a comma
		key, ok = unquoteKey(strings.Trim(values[0], " \t"))
	}
	if !ok || key == "" || len(key) > MaxKey {
		refusal := Invalid(field, fmt.Sprintf("%s must be given once, as 1 to %d printable ASCII characters", field, MaxKey))
		refusal.Hint = "Send a random key such as a UUID, bare or in double quotes; one with spaces, commas or quotes must " +
			"be in quotes."
		return IdempotencyKey{}, refusal
	}
	return IdempotencyKey{Value: key, Field: field}, nil
}

func unquoteKey(text string) (key string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return text, !strings.ContainsFunc(text, func(r rune) bool {
			return r <= ' ' || r > '~' || r == ',' || r == '"'
		})
	}
	item, err := httpsfv.UnmarshalItem([]string{text})
	if err != nil {
		return "", false
	}
	key, ok = item.Value.(string)
	return key, ok
}

// KeyReused refuses a request whose key, sent as field, was used for another request.
func KeyReused(field string) *Error {
	refusal := Invalid(field, field+" was sent with other fields before")
	refusal.Hint = "A key names one request: repeat that one with the very same fields, or send this one with a new " +
		"random key."
	return refusal
}

// FoldAddress returns an e-mail address in lower case, as the scope of a key: spellings
// that differ only by case are one sender.
func FoldAddress(address string) string { return strings.ToLower(address) }
