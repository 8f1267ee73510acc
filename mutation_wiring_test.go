package main

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/conform"
	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/limits"
	"frontdesk/mcpserver"
	"frontdesk/middleware"
	"frontdesk/outbox"
	"frontdesk/pilot"
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
}

// startBroken serves what a whole service has, wired anew and wrongly in one place. It
// returns the address, and the sink of its mail.
func startBroken(t *testing.T, whole *desk, b broken) (string, *conform.Sink) {
	t.Helper()
	sink, listener := listenMail(t), listenAnywhere(t)
	settings := whole.settings
	settings.SMTPURL = sink.URL()
	parsed, err := settings.Service(listener.Addr().(*net.TCPAddr).Port)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{log: zerolog.Nop(), config: parsed, store: whole.store, signed: whole.signed}
	handler := b.wire(s, &whole.live)
	server := newServer(handler, s.log)
	go func() { _ = server.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), sink
}

func listenAnywhere(t *testing.T) net.Listener {
	t.Helper()
	listener, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// wire is (*service).handler with the parts of b in their places.
func (b broken) wire(s *service, content *live) http.Handler {
	limiters := routes.Limiters{Ask: limits.New(b.ask), Contact: limits.New(b.contact), Trial: limits.New(b.trial)}
	sender := outbox.Sender(s.config.Mail)
	if b.sender != nil {
		sender = b.sender(sender)
	}
	api := &handlers.API{
		Documents: content, Forms: content, Answers: content,
		Pilots: &pilot.Desk{
			Mail: pilot.Addresses{From: s.config.MailFrom, To: s.config.MailTo}, BaseURL: s.config.BaseURL,
			Limit: limiters.Contact, Courier: outbox.New(outbox.Config{Store: s.store, Sender: sender, Log: s.log}),
		},
		Feedbacks: feedbacks{s.store, content.gaps}, Keys: s.signed.directory,
		AskLimit: limiters.Ask, ContactLimit: limiters.Contact,
	}
	if b.api != nil {
		b.api(api, limiters)
	}
	s.core = s.mcpCore(api, limiters)
	if b.core != nil {
		b.core(s.core, limiters)
	}
	now := content.current.Load()
	mcp := routes.MCP{
		Website:   serving(s.core.Website(now.facts.Catalog, now.published())),
		Workspace: serving(s.core.Workspace(now.facts.Catalog)),
	}
	if b.mcp != nil {
		b.mcp(&mcp, s.core, now)
	}
	stack := routes.Config{
		Log:      s.log,
		Origins:  middleware.Origins{Base: s.config.Origin, Extra: s.config.Origins, Workspace: s.config.AppOrigin},
		Problems: &middleware.Problems{BaseURL: s.config.BaseURL, Page: content.ErrorPage},
		HTTPS:    strings.HasPrefix(s.config.BaseURL, "https:"), Signer: s.signed.answers,
	}
	if b.stack != nil {
		b.stack(&stack)
	}
	table := routes.Table(api, mcp, limiters)
	if b.table != nil {
		table = b.table(table, limiters)
	}
	handler := routes.New(table, stack)
	for i := range b.front {
		handler = b.front[len(b.front)-1-i](handler)
	}
	return handler
}

func serving(server *mcpserver.Server) *mcpserver.Handler {
	return &mcpserver.Handler{Current: func() *mcpserver.Server { return server }}
}
