// Package desk is frontdesk for a main of your own. [Main] is the whole command line; its options add a layer, a
// route or a mailer without a change to frontdesk's files:
//
//	func main() {
//		desk.Main(desk.Mail(queue{}), desk.Handle("GET", "/v1/orders", "open orders", orders))
//	}
//
// The main belongs to the clone of frontdesk, or to a module beside it whose go.mod has the lines
//
//	require frontdesk v0.0.0
//	replace frontdesk => ../frontdesk
//
// There, "go mod tidy" adds what frontdesk needs.
package desk

import (
	"errors"
	"fmt"
	"net/http"
	"os"

	"frontdesk/contract"
	"frontdesk/internal/command"
	"frontdesk/mailer"
	"frontdesk/routes"
)

// Option adds one thing to frontdesk.
type Option func(*own) error

// own collects the options.
type own struct{ command.Own }

// Main runs the command line of the process and exits with its code. An invalid option ends the program
// with an error that names it: a route when the service starts, any other at once.
func Main(options ...Option) {
	added, err := collect(options)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", contract.Product, err)
		os.Exit(1)
	}
	command.Main(added.Own)
}

func collect(options []Option) (added own, err error) {
	for _, option := range options {
		if option == nil {
			return added, errors.New("desk.Main: an option is nil")
		}
		if err := option(&added); err != nil {
			return added, err
		}
	}
	return added, nil
}

// Layer adds a layer around every public request: behind the log, the standard headers, the recovery from panics and
// the address of the client, and in front of the check of Origin. Of several, the first is the outermost. A
// layer that passes its own ResponseWriter on gives it a method Unwrap, as for [http.ResponseController]: the log
// learns of errors through it.
func Layer(layer func(next http.Handler) http.Handler) Option {
	return func(added *own) error {
		if layer == nil {
			return errors.New("desk.Layer: the layer is nil")
		}
		added.Layers = append(added.Layers, layer)
		return nil
	}
}

// Handle adds a route. The method is GET, which answers HEAD too, POST, PUT, PATCH or DELETE; purpose describes the
// route to readers of the code. The path is fixed and takes precedence over a page of the content; under /v1 its
// answers have the version header. The body is at most 8192 bytes. An error of the handler is a [*contract.Error],
// which is written as a problem record; any other is answered as an internal error, and only logged.
func Handle(method, path, purpose string, handler func(http.ResponseWriter, *http.Request) error) Option {
	return func(added *own) error {
		added.Routes = append(added.Routes, routes.OwnRoute(method, path, purpose, handler))
		return nil
	}
}

// Mail sends every mail with sender in place of SMTP. The settings FRONTDESK_SMTP_URL and FRONTDESK_SMTP_URL_FILE
// are then not read; FRONTDESK_MAIL_TO and FRONTDESK_MAIL_FROM are required. [mailer.Sender] documents Send.
// The outcome of a mail is unknown ([mailer.Unknown]) if Send panics, has not returned a second after
// [mailer.SendTimeout], or returns an error without an outcome. Such a mail may have arrived: it is never sent again
// automatically.
func Mail(sender mailer.Sender) Option {
	return func(added *own) error {
		if sender == nil {
			return errors.New("desk.Mail: the sender is nil")
		}
		if added.Sender != nil {
			return errors.New("desk.Mail: there are two senders")
		}
		added.Sender = sender
		return nil
	}
}
