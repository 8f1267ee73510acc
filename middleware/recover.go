package middleware

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	"frontdesk/contract"
)

// Recover answers a panic with internal_error. Its text and its stack go to the log
// only. http.ErrAbortHandler passes: with it a handler ends a connection on purpose.
func Recover(problems *Problems) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				value := recover()
				if value == nil {
					return
				}
				if err, ok := value.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(value)
				}
				exchangeOf(w).stack = debug.Stack()
				problems.Write(w, r, contract.Internal(fmt.Errorf("panic: %v", value)))
			}()
			next.ServeHTTP(w, r)
		})
	}
}
