package handlers

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/dunglas/httpsfv"

	"frontdesk/contract"
)

// idempotencyKey returns the key of a request, or "" when it has none. The draft
// writes it as a string of structured fields (RFC 9651 3.3.3), in quotes; most clients
// send it bare. "k" and k are the same key.
func idempotencyKey(header http.Header) (string, error) {
	given := header.Values(contract.HeaderIdempotencyKey)
	if len(given) == 0 {
		return "", nil
	}
	key, ok := "", false
	if len(given) == 1 { // two lines may be two keys, and two that a proxy has joined have a comma
		key, ok = unquote(strings.Trim(given[0], " \t"))
	}
	if !ok || key == "" || len(key) > contract.MaxKey {
		refusal := contract.Invalid(contract.HeaderIdempotencyKey, fmt.Sprintf(
			"%s must be given once, as 1 to %d printable ASCII characters", contract.HeaderIdempotencyKey, contract.MaxKey))
		refusal.Hint = "Send a random key such as a UUID, bare or in double quotes; one with spaces, commas or quotes must be in quotes."
		return "", refusal
	}
	return key, nil
}

func unquote(text string) (key string, ok bool) {
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
