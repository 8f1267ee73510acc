package middleware

import (
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/questions"
)

// ConformanceCheck keeps what frontdesk conform asks out of the owner's lists. Its
// requests bear a User-Agent of their own; they are answered and limited like all
// others, so a caller that borrows the name only leaves no trace in these lists.
func ConformanceCheck(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() == contract.ConformUserAgent {
			r = r.WithContext(questions.WithoutKeeping(r.Context()))
		}
		next.ServeHTTP(w, r)
	})
}
