package middleware

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"frontdesk/contract"
)

// maxRequestID is the longest request id that is accepted from a caller.
const maxRequestID = 64

const requestIDCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// requestID returns the caller's own id when it sends one that is safe to log, or a
// new one. Ids distinguish requests; they are not secret.
func requestID(r *http.Request) string {
	if given := r.Header.Values(contract.HeaderRequestID); len(given) == 1 && validRequestID(given[0]) {
		return given[0]
	}
	return strconv.FormatUint(rand.Uint64(), 16)
}

func validRequestID(id string) bool {
	return id != "" && len(id) <= maxRequestID && strings.Trim(id, requestIDCharacters) == ""
}
