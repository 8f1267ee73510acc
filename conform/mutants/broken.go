package mutants

import (
	"net/http"
	"slices"
	"sync"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/limits"
	"frontdesk/internal/outbox"
	"frontdesk/mcpserver"
	"frontdesk/routes"
)

// broken lists the replaced parts of a service. With only the policies of the contract it
// is the unchanged service.
type broken struct {
	ask, contact, trial contract.Policy

	sender func(outbox.Sender) outbox.Sender
	wiring func(*app.Wiring)
	table  func([]routes.Route, routes.Limiters) []routes.Route
	front  []func(http.Handler) http.Handler // before everything else, the first outermost
	hears  bool                              // the front changes requests
}

// kind is how a service is broken.
type kind int

const (
	inside kind = iota // a part is replaced
	hears              // a layer before it changes requests
	says               // a layer before it changes answers
)

func (b broken) kind() kind {
	whole := asContracted()
	switch {
	case b.ask != whole.ask, b.contact != whole.contact, b.trial != whole.trial,
		b.sender != nil, b.wiring != nil, b.table != nil:
		return inside
	case b.hears:
		return hears
	}
	return says
}

// replacements returns the parts that break a service.
func (b broken) replacements() app.Replacements {
	return app.Replacements{
		Limiters: func() routes.Limiters {
			return routes.Limiters{Ask: limits.New(b.ask), Contact: limits.New(b.contact), Trial: limits.New(b.trial), KeyReuse: limits.New(contract.KeyReusePolicy)}
		},
		Sender: b.sender, Wiring: b.wiring,
		Handler: func(table []routes.Route, w app.Wiring) http.Handler {
			if b.table != nil {
				table = b.table(table, w.Limiters)
			}
			handler := routes.New(table, w.Layers)
			for _, layer := range slices.Backward(b.front) {
				handler = layer(handler)
			}
			return handler
		},
	}
}

// serving returns an MCP endpoint that makes its server at the first call, when the
// content is loaded.
func serving(server func() *mcpserver.Server) *mcpserver.Handler {
	return &mcpserver.Handler{Current: sync.OnceValue(server)}
}
