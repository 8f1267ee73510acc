package middleware

import (
	"net/http"

	"frontdesk/payload"
)

// BodyCap reads the body of a request, up to limit bytes, and answers 413 when
// there is more. Everything behind it works on a body that is whole and small.
func BodyCap(limit int64, problems *Problems) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := payload.Read(r, limit); err != nil {
				problems.Write(w, r, err)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
