// Command ownmain is frontdesk with a layer, a route and a mailer of its own, in a module beside the clone.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"frontdesk/contract"
	"frontdesk/desk"
	"frontdesk/mailer"
	"frontdesk/middleware"
)

func main() {
	desk.Main(
		desk.Layer(marked),
		desk.Handle(http.MethodPost, "/v1/echo", "the message that was sent", echo),
		desk.Mail(box{}),
	)
}

// marked marks every answer, and refuses a path.
func marked(next http.Handler) http.Handler {
	problems := &middleware.Problems{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Own", "1")
		if r.URL.Path == "/v1/closed" {
			problems.Write(w, r, &contract.Error{Code: contract.Forbidden, Detail: "Only for staff."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

func echo(w http.ResponseWriter, r *http.Request) error {
	message := r.FormValue("message")
	if message == "" {
		return contract.Invalid("message", "message is required")
	}
	_, err := fmt.Fprint(w, message)
	return err
}

// box prints each mail.
type box struct{}

func (box) Send(_ context.Context, mail mailer.Message) error {
	fmt.Fprintf(os.Stderr, "mail to %s: %s\n", mail.To, mail.Subject)
	return nil
}
