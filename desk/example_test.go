package desk_test

import (
	"context"
	"fmt"
	"net/http"

	"frontdesk/contract"
	"frontdesk/desk"
	"frontdesk/mailer"
)

func ExampleLayer() {
	noIndex := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Robots-Tag", "noindex")
			next.ServeHTTP(w, r)
		})
	}
	desk.Main(desk.Layer(noIndex))
}

func ExampleHandle() {
	orders := map[string]string{"A1": "ready"}
	order := func(w http.ResponseWriter, r *http.Request) error {
		state, found := orders[r.URL.Query().Get("id")]
		if !found {
			return contract.Invalid("id", "id is not the id of an order")
		}
		_, err := fmt.Fprintf(w, `{"state":%q}`, state)
		return err
	}
	desk.Main(desk.Handle("GET", "/v1/order", "state of an order", order))
}

type queue chan mailer.Message

func (q queue) Send(ctx context.Context, mail mailer.Message) error {
	select {
	case q <- mail:
		return nil
	case <-ctx.Done():
		return &mailer.Error{Outcome: mailer.Failed, Stage: "queue", Err: ctx.Err()}
	}
}

func ExampleMail() {
	desk.Main(desk.Mail(make(queue, 100)))
}
