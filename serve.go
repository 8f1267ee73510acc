package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"frontdesk/config"
	"frontdesk/contract"
	"frontdesk/discovery"
	"frontdesk/handlers"
	"frontdesk/middleware"
	"frontdesk/outbox"
	"frontdesk/pilot"
	"frontdesk/records"
	"frontdesk/routes"
	"frontdesk/site"
)

// serveCmd runs the service until it is told to stop.
type serveCmd struct {
	config.Settings
}

// Times of the server. A contact request may take mailer.SendTimeout to answer,
// so writing and stopping take longer than that.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
	shutdownTimeout   = 20 * time.Second
)

// Run starts the service and waits for the end of ctx.
func (c *serveCmd) Run(ctx context.Context, std streams) error {
	log, err := newLog(c.Settings, std.err)
	if err != nil {
		return err
	}
	service, err := newService(ctx, c.Settings, log)
	if err != nil {
		return err
	}
	defer service.close()
	service.announce()
	return service.serve(ctx)
}

// newLog makes the log: for people on a terminal, one JSON object a line else.
func newLog(settings config.Settings, w io.Writer) (zerolog.Logger, error) {
	file, isFile := w.(*os.File)
	console, formatErr := settings.Console(isFile && isatty.IsTerminal(file.Fd()))
	level, levelErr := settings.Level()
	if err := errors.Join(formatErr, levelErr); err != nil {
		return zerolog.Nop(), err
	}
	if console {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger(), nil
}

// service is the running whole.
type service struct {
	log      zerolog.Logger
	settings config.Settings
	config   config.Service
	listener net.Listener
	store    *records.Store
	live     live
	server   *http.Server
}

// newService listens, checks the settings and puts the service together. Nothing
// is served before serve is called.
func newService(ctx context.Context, settings config.Settings, log zerolog.Logger) (_ *service, err error) {
	s := &service{log: log, settings: settings}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.listener, err = listen(ctx, settings.Addr); err != nil {
		return nil, err
	}
	if s.config, err = settings.Service(s.listener.Addr().(*net.TCPAddr).Port); err != nil {
		return nil, err
	}
	loaded, err := loadContent(settings.Content)
	if err != nil {
		return nil, err
	}
	at := discovery.Addresses{Base: s.config.BaseURL, App: s.config.AppURL}
	first, err := newSnapshot(loaded, s.config.Precision, at)
	if err != nil {
		return nil, err
	}
	if s.store, err = records.Open(ctx, records.Options{Dir: settings.Dir()}); err != nil {
		return nil, fmt.Errorf("%sDATA: %w", config.Prefix, err)
	}
	s.live.model, s.live.gaps = s.model(), s.keeper()
	s.live.swap(first)
	s.server = newServer(s.handler(), log)
	return s, nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	if addr == "" {
		addr = ":8080"
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%sADDR: %w", config.Prefix, err)
	}
	return listener, nil
}

// handler wires the core to the routes.
func (s *service) handler() http.Handler {
	limiters := routes.NewLimiters()
	problems := &middleware.Problems{BaseURL: s.config.BaseURL, Page: site.ErrorPage}
	api := &handlers.API{
		Documents: &s.live,
		Answers:   &s.live,
		Pilots: &pilot.Desk{
			Mail:    pilot.Addresses{From: s.config.MailFrom, To: s.config.MailTo},
			BaseURL: s.config.BaseURL,
			Limit:   limiters.Contact,
			Courier: outbox.New(outbox.Config{Store: s.store, Sender: s.config.Mail, Log: s.log}),
		},
		Feedbacks:    feedbacks{s.store, s.live.gaps},
		ContactLimit: limiters.Contact,
	}
	return routes.New(routes.Table(api, limiters), routes.Config{
		Log:            s.log,
		Origins:        middleware.Origins{Base: s.config.Origin, Extra: s.config.Origins},
		TrustedProxies: s.config.TrustedProxies,
		Problems:       problems,
	})
}

func newServer(handler http.Handler, log zerolog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    contract.MaxHeaderBytes,
		ErrorLog:          stdlog.New(log, "", 0),
		// OPTIONS * goes the way of every other request.
		DisableGeneralOptionsHandler: true,
	}
}

// serve answers requests until ctx ends, then lets those in flight finish.
func (s *service) serve(ctx context.Context) error {
	working, stopWork := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { s.prune(working) })
	defer background.Wait()
	defer stopWork()
	// Requests in flight may still be without an answer that is worth keeping.
	keeping, stopKeeping := context.WithCancel(context.WithoutCancel(ctx))
	background.Go(func() { s.live.gaps.Run(keeping) })
	defer stopKeeping()

	failed := make(chan error, 1)
	go func() { failed <- s.server.Serve(s.listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.log.Info().Msg("stopping: finishing what is in flight")
	// ctx has ended; the requests get a time of their own.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := s.server.Shutdown(grace); err != nil {
		return fmt.Errorf("requests were still in flight after %v: %w", shutdownTimeout, err)
	}
	s.log.Info().Msg("stopped")
	return nil
}

// prune deletes what is older than the retention, now and once a day. A failure is
// tried again the next day: nobody waits for it.
func (s *service) prune(ctx context.Context) {
	daily := time.NewTicker(24 * time.Hour)
	defer daily.Stop()
	for {
		deleted, err := s.store.Prune(ctx, time.Now().Add(-s.config.Retention))
		switch {
		case err != nil && ctx.Err() == nil:
			s.log.Error().Err(err).Msg("old records could not be deleted")
		case deleted > 0:
			s.log.Info().Int64("rows", deleted).Msg("old records deleted")
		}
		select {
		case <-ctx.Done():
			return
		case <-daily.C:
		}
	}
}

func (s *service) close() {
	if s.listener != nil {
		_ = s.listener.Close() // Serve has closed it already, unless it never ran
	}
	if s.store != nil {
		if err := s.store.Close(); err != nil {
			s.log.Error().Err(err).Msg("closing the database")
		}
	}
}

// announce says in one line where the service is and what it still lacks.
func (s *service) announce() {
	for _, setting := range s.settings.Describe() {
		s.log.Debug().Str("setting", setting.Name).Str("value", setting.Value).Msg("setting")
	}
	for _, name := range config.Unknown(os.Environ()) {
		s.log.Warn().Str("variable", name).Msg("this variable is no setting of frontdesk: misspelt?")
	}
	if s.settings.Content != "" { // of the embedded sample the line below says enough
		for _, warning := range s.live.current.Load().content.Warnings(time.Now()) {
			s.log.Warn().Msg(warning.String())
		}
	}
	if s.config.Model.IsSet() {
		s.log.Info().Stringer("model", s.config.Model).Int("daily_cap", s.config.ModelDailyCap).
			Msg("a model chooses an entry when the embedded selector is not sure")
	}
	var lacks []string
	if s.live.current.Load().content.Sample {
		lacks = append(lacks, "sample content (frontdesk init DIR writes it to edit)")
	}
	if s.config.MailUnset {
		lacks = append(lacks, "no mail server: mails are kept in "+s.config.Mail.String())
	}
	message := fmt.Sprintf("frontdesk serves %s on %s", s.config.BaseURL, s.listener.Addr())
	if len(lacks) > 0 {
		message += "; " + strings.Join(lacks, "; ")
	}
	s.log.Info().Msg(message)
}
