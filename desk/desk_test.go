package desk

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"frontdesk/mailer"
)

type sender struct{}

func (sender) Send(context.Context, mailer.Message) error { return nil }

func TestOptions(t *testing.T) {
	t.Parallel()
	layer := func(next http.Handler) http.Handler { return next }
	got, err := collect([]Option{Layer(layer), Mail(sender{}), Layer(layer), Handle("GET", "/own", "", nil)})
	if err != nil || len(got.Layers) != 2 || len(got.Routes) != 1 || got.Sender != (sender{}) {
		t.Errorf("%+v, %v", got, err)
	}
	for want, options := range map[string][]Option{
		"desk.Main: an option is nil":      {nil},
		"desk.Layer: the layer is nil":     {Layer(nil)},
		"desk.Mail: the sender is nil":     {Mail(nil)},
		"desk.Mail: there are two senders": {Mail(sender{}), Mail(sender{})},
	} {
		if _, err := collect(options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
