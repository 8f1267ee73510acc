package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/handlers"
	"frontdesk/internal/config"
	"frontdesk/internal/metrics"
	"frontdesk/internal/outbox"
	"frontdesk/internal/pilot"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/mcpserver"
	"frontdesk/middleware"
	"frontdesk/routes"
)

// serveCmd runs the service until it is told to stop.
type serveCmd struct {
	config.Settings
}

// Help is kong's text below the usage.
func (serveCmd) Help() string {
	return "Without a setting it serves the sample content on http://localhost:8080, and keeps records and mail in ./data. " +
		"Each setting is a flag and a variable of the environment; a flag wins. " +
		"Anything that is wrong stops the start and is named.\n\n" +
		"A change in the content folder, or SIGHUP, loads the content anew; content with a fault is refused, and what was served stays. " +
		"SIGTERM and SIGINT end it: what is in flight is finished first.\n\n" +
		"Example:\n\n\tfrontdesk serve --content mydesk --addr 127.0.0.1:9000"
}

// Run starts the service and waits for the end of ctx.
func (c *serveCmd) Run(ctx context.Context, std streams) error {
	log, flush, err := newLog(c.Settings, std.err)
	if err != nil {
		return err
	}
	// From the very start: by default the signal ends a process.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	signal.Ignore(syscall.SIGPIPE) // else the end of whoever reads the log would end the service
	defer flush()
	defer runtime.KeepAlive(newBallast())
	service, err := newService(ctx, c.Settings, log, faq.New)
	if err != nil {
		return err
	}
	defer service.close()
	service.hangups = hangups
	service.announce()
	return service.serve(ctx)
}

// service is the running whole.
type service struct {
	log      zerolog.Logger
	settings config.Settings
	config   config.Service
	listener net.Listener
	store    *records.Store
	quota    *quota.Store // nil without Redis
	outbox   *outbox.Outbox
	leave    func() // the senders of the store
	signed   signed
	live     live
	core     *mcpserver.Core // what the MCP servers of each snapshot call
	server   *http.Server

	admin   *admin           // nil without an admin address
	metrics *metrics.Metrics // nil likewise: nothing is counted

	newBook bookMaker
	hangups <-chan os.Signal // each asks for a reload; nil for none
	tried   content.State    // of the content folder when it was last read
}

// bookMaker is faq.New. Making a book trains its selector, so tests that start many
// services on one content make it once.
type bookMaker func(approved content.FAQ, unanswered []content.GoldenQuestion, precision float64, resolveURL func(string) string) *faq.Book

// newService listens, checks the settings and puts the service together. Nothing
// is served before serve is called.
func newService(ctx context.Context, settings config.Settings, log zerolog.Logger, newBook bookMaker) (_ *service, err error) {
	s := &service{log: log, settings: settings, newBook: newBook}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.listener, err = listen(ctx, "ADDR", cmp.Or(settings.Addr, ":8080")); err != nil {
		return nil, err
	}
	if s.config, err = settings.Service(s.listener.Addr().(*net.TCPAddr).Port); err != nil {
		return nil, err
	}
	loaded, state, err := loadState(settings.Content)
	if err != nil {
		return nil, err
	}
	trained := make(chan *faq.Book, 1) // training takes longer than all the rest together
	go func() { trained <- s.book(loaded) }()
	if s.store, err = openRecords(ctx, settings.DataFolder); err != nil {
		return nil, err
	}
	if err = s.openAdmin(ctx); err != nil {
		return nil, err
	}
	s.openOutbox(ctx)
	if err = s.signed.open(s.config, settings.Dir(), log); err != nil {
		return nil, err
	}
	if s.config.Redis.IsSet() {
		s.quota = quota.Open(ctx, s.config.Redis, log)
	}
	s.live.model, s.live.gaps = s.model(), s.keeper()
	handler := s.handler()
	first, err := s.snapshot(loaded, state, <-trained)
	if err != nil {
		return nil, err
	}
	s.tried = state
	s.live.swap(first)
	s.server = newServer(handler, log)
	return s, nil
}

// openOutbox makes the outbox, one sender among others that may use the store.
func (s *service) openOutbox(ctx context.Context) {
	var err error
	if s.leave, err = s.store.JoinSenders(ctx, s.settings.Dir()); err != nil {
		s.log.Warn().Err(err).Msg("whether other programs send mails cannot be seen: " +
			"what a crash interrupted is sent when it is a minute old")
	}
	s.outbox = outbox.New(outbox.Config{Store: s.store, Sender: s.sender(), Log: s.log})
}

// handler wires the core to the routes.
func (s *service) handler() http.Handler {
	limiters := s.limiters()
	api := s.api(limiters)
	s.core = s.mcpCore(api, limiters)
	return routes.New(routes.Table(api, s.live.mcp(), limiters), s.stack())
}

// api are the handlers on the live content.
func (s *service) api(limiters routes.Limiters) *handlers.API {
	return &handlers.API{
		Documents: &s.live,
		Forms:     &s.live,
		Answers:   &s.live,
		Pilots: &pilot.Desk{
			Mail:    pilot.Addresses{From: s.config.MailFrom, To: s.config.MailTo},
			BaseURL: s.config.BaseURL,
			Limit:   limiters.Contact,
			Courier: s.outbox,
		},
		Feedbacks:    feedbacks{s.store, s.live.gaps},
		Keys:         s.signed.directory,
		AskLimit:     limiters.Ask,
		ContactLimit: limiters.Contact,
	}
}

// stack is what the layers around every route are made of.
func (s *service) stack() routes.Config {
	stack := routes.Config{
		Log:            s.log,
		Origins:        middleware.Origins{Base: s.config.Origin, Extra: s.config.Origins, Workspace: s.config.AppOrigin},
		TrustedProxies: s.config.TrustedProxies,
		Problems:       &middleware.Problems{BaseURL: s.config.BaseURL, Page: s.live.ErrorPage},
		HTTPS:          strings.HasPrefix(s.config.BaseURL, "https:"),
		Signer:         &s.signed,
	}
	if s.signed.agents != nil { // a nil pointer would be an interface that is not nil
		stack.Agents = s.signed.agents
	}
	if s.metrics != nil {
		stack.Observer = s.metrics
	}
	return stack
}

// sender sends every mail of the service.
func (s *service) sender() outbox.Sender { return countedMail{s.config.Mail, s.metrics} }

func (s *service) close() {
	s.admin.close()
	if s.listener != nil {
		_ = s.listener.Close() // Serve has closed it already, unless it never ran
	}
	if s.quota != nil {
		_ = s.quota.Close() // what it counted is in Redis
	}
	if s.leave != nil {
		s.leave()
	}
	if s.store != nil {
		if err := s.store.Close(); err != nil {
			s.log.Error().Err(err).Msg("closing the database")
		}
	}
}

// announce says in one line where the service is, what it serves and what it still
// lacks.
func (s *service) announce() {
	for _, setting := range s.settings.Describe() {
		s.log.Debug().Str("setting", setting.Name).Str("value", setting.Value).Msg("setting")
	}
	for _, name := range config.Unknown(os.Environ()) {
		s.log.Warn().Str("variable", name).Msg("this variable is no setting of frontdesk: misspelt?")
	}
	if s.settings.Content != "" { // of the embedded sample the line below says enough
		s.warn(s.live.current.Load().content)
	}
	if s.admin != nil {
		s.log.Info().Stringer("address", s.admin.listener.Addr()).
			Msg("the admin listener asks for no password: keep its address inside")
	}
	if s.config.Model.IsSet() {
		s.log.Info().Stringer("model", s.config.Model).Int("daily_cap", s.config.ModelDailyCap).
			Msg("a model chooses an entry when the embedded selector is not sure")
	}
	message := fmt.Sprintf("frontdesk serves %s on %s; ", s.config.BaseURL, s.listener.Addr())
	if s.settings.Content == "" {
		message += "sample content (frontdesk init DIR writes it to edit)"
	} else {
		message += "content of " + s.settings.Content
	}
	if s.config.MailUnset {
		message += "; no mail server: mails are kept as files in " + filepath.Join(s.settings.Dir(), "mail")
	}
	s.log.Info().Msg(message)
}
