package handlers

import (
	"net/http"
	"slices"
	"strings"
)

// notModified sets the ETag of an answer. If the client already has the answer, it
// answers 304 and returns true (RFC 9110 13.1.2, weak comparison). other are the ETags of
// other forms of the same document: a client that has one of them gets a 304 with that
// tag.
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
