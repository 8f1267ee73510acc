package handlers

import (
	"net/http"
	"slices"
	"strings"
)

// notModified sets the ETag of an answer and, when the client holds what the answer
// would send, answers 304 and returns true (RFC 9110 13.1.2, weak comparison). Other
// are the tags of further forms of the same thing: a client that holds one of them
// gets a 304 with that tag.
func notModified(w http.ResponseWriter, r *http.Request, etag string, other ...string) bool {
	w.Header().Set("ETag", etag)
	for _, line := range r.Header.Values("If-None-Match") {
		for held := range strings.SplitSeq(line, ",") {
			held = strings.TrimPrefix(strings.TrimSpace(held), "W/")
			if held != "*" && held != etag && !slices.Contains(other, held) {
				continue
			}
			if held != "*" {
				w.Header().Set("ETag", held)
			}
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}
