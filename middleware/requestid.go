package middleware

import (
	"math/rand/v2"
	"net/http"
	"strconv"

	"frontdesk/contract"
)

// maxRequestID is the longest request id that is accepted from a caller.
const maxRequestID = 64

// requestID returns the caller's own id when it sends one that is safe to log, or a
// new one. Ids distinguish requests; they are not secret.
func requestID(r *http.Request) string {
	if given := r.Header.Values(contract.HeaderRequestID); len(given) == 1 && validRequestID(given[0]) {
		return given[0]
	}
	return strconv.FormatUint(rand.Uint64(), 16)
}

func validRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
