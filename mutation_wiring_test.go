package main

import (
	"net"
	"net/http"
	"slices"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/conform"
	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/config"
	"frontdesk/internal/limits"
	"frontdesk/internal/outbox"
	"frontdesk/mcpserver"
	"frontdesk/routes"
)

// broken says what of a service is wired wrongly. The zero value, with the policies
// of the contract, is the service itself; TestMutants holds that too.
type broken struct {
	ask, contact, trial contract.Policy

	sender func(outbox.Sender) outbox.Sender
	api    func(*handlers.API, routes.Limiters)
	core   func(*mcpserver.Core, routes.Limiters)
	mcp    func(*routes.MCP, *mcpserver.Core, *snapshot)
	stack  func(*routes.Config)
	table  func([]routes.Route, routes.Limiters) []routes.Route
	front  []func(http.Handler) http.Handler // before everything else, the first outermost
	hears  bool                              // the front changes requests
}

// kind tells where a service is broken.
type kind int

const (
	inside kind = iota // it is wired of other parts
	hears              // a layer before it changes requests
	says               // a layer before it changes answers
)

func (b broken) kind() kind {
	whole := asContracted()
	switch {
	case b.ask != whole.ask, b.contact != whole.contact, b.trial != whole.trial,
		b.sender != nil, b.api != nil, b.core != nil, b.mcp != nil, b.stack != nil, b.table != nil:
		return inside
	case b.hears:
		return hears
	}
	return says
}

// startBroken serves the content of a whole service, wired anew and wrongly in one
// place. It returns the address, and the sink of its mail.
func startBroken(t *testing.T, whole *desk, b broken) (string, *conform.Sink) {
	t.Helper()
	sink := listenMail(t)
	listener, err := listen(t.Context(), "ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	settings := whole.settings
	settings.SMTPURL = sink.URL()
	server := newServer(b.handler(t, whole, settings, listener.Addr().(*net.TCPAddr).Port), zerolog.Nop())
	go func() { _ = server.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), sink
}

// handler is that of a service with the content of a whole one, and with records of
// its own until the test ends.
func (b broken) handler(t *testing.T, whole *desk, settings config.Settings, port int) http.Handler {
	t.Helper()
	settings.Data = t.TempDir()
	s := &service{log: zerolog.Nop(), settings: settings}
	var err error
	if s.config, err = settings.Service(port); err != nil {
		t.Fatal(err)
	}
	if s.store, err = openRecords(t.Context(), settings.DataFolder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.store.Close(); err != nil {
			t.Error(err)
		}
	})
	s.live.current.Store(whole.live.current.Load())
	s.signed.current.Store(whole.signed.current.Load())
	return b.wire(s)
}

// wire is (*service).handler with the parts of b in their places.
func (b broken) wire(s *service) http.Handler {
	limiters := routes.Limiters{Ask: limits.New(b.ask), Contact: limits.New(b.contact), Trial: limits.New(b.trial)}
	sender := s.sender()
	if b.sender != nil {
		sender = b.sender(sender)
	}
	s.outbox = outbox.New(outbox.Config{Store: s.store, Sender: sender, Log: s.log})
	api := s.api(limiters)
	if b.api != nil {
		b.api(api, limiters)
	}
	s.core = s.mcpCore(api, limiters)
	if b.core != nil {
		b.core(s.core, limiters)
	}
	now := s.live.current.Load()
	mcp := routes.MCP{
		Website:   serving(s.core.Website(now.facts.Catalog, now.published())),
		Workspace: serving(s.core.Workspace(now.facts.Catalog)),
	}
	if b.mcp != nil {
		b.mcp(&mcp, s.core, now)
	}
	stack := s.stack()
	if b.stack != nil {
		b.stack(&stack)
	}
	table := routes.Table(api, mcp, limiters)
	if b.table != nil {
		table = b.table(table, limiters)
	}
	handler := routes.New(table, stack)
	for _, layer := range slices.Backward(b.front) {
		handler = layer(handler)
	}
	return handler
}

func serving(server *mcpserver.Server) *mcpserver.Handler {
	return &mcpserver.Handler{Current: func() *mcpserver.Server { return server }}
}
