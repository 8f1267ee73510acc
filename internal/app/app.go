// Package app is the running service: it builds the parts, serves one snapshot of
// the content after another, and stops without losing a request.
package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/admin"
	"frontdesk/internal/backup"
	"frontdesk/internal/certificates"
	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
	"frontdesk/internal/images"
	"frontdesk/internal/limits"
	"frontdesk/internal/live"
	"frontdesk/internal/metrics"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/outbox"
	"frontdesk/internal/owner"
	"frontdesk/internal/pilot"
	"frontdesk/internal/questions"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/internal/server"
	"frontdesk/internal/span"
	"frontdesk/mailer"
	"frontdesk/mcpserver"
	"frontdesk/middleware"
	"frontdesk/routes"
)

// Options configure a service beyond its settings.
type Options struct {
	Log zerolog.Logger
	// LogDropped counts the lines that the log has dropped; nil for a log that drops none.
	LogDropped func() int64
	Version    string           // of the program, for the metrics
	Hangups    <-chan os.Signal // each asks for a reload; nil for none
	Own        routes.Own       // of a custom main
}

// Wiring holds the parts from which the routes and the layers around them are made.
type Wiring struct {
	Limiters routes.Limiters
	API      *handlers.API
	Core     *mcpserver.Core // what the MCP tools call
	MCP      routes.MCP
	Layers   routes.Config
	Live     *live.Content
}

// Service is a running frontdesk.
type Service struct {
	options Options
	log     zerolog.Logger
	events  *span.Events
	config  config.Service
	isNew   bool // the database was made at this start
	closers []func()
	started func()          // ends the requests to systemd for more time
	working context.Context // of work in the background; ends with Close at the latest

	server *server.Server
	admin  *admin.Admin
	// Content is filled in by each step of New. Tests replace its BuildAnswerer after Listen.
	Content *live.Content
	// Limiters are made by Open. Tests replace them before Build.
	Limiters routes.Limiters

	store    *records.Store
	quota    *quota.Store
	calls    quota.CallCounter // of the model
	keys     *keys
	backups  *backup.Daily // nil without
	metrics  *metrics.Metrics
	model    *model.Chooser // nil without
	counts   *counts
	keeper   *questions.Recorder
	notifier *notify.Notifier
	outbox   *outbox.Outbox
}

// New opens what the settings name, builds the service from it, and starts it. Nothing is served before Run, but the
// admin listener reports that the service is starting. Close frees what New opened.
func New(ctx context.Context, settings config.Settings, options Options) (*Service, error) {
	s, err := Listen(ctx, settings, options)
	if err != nil {
		return nil, err
	}
	if err = s.Open(ctx); err == nil {
		w := s.Build()
		err = s.Start(ctx, w, func(table []routes.Route) http.Handler { return routes.New(table, w.Layers) })
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Listen opens the ports and checks the settings.
func Listen(ctx context.Context, settings config.Settings, options Options) (_ *Service, err error) {
	settings = settings.WithDefaults()
	s := &Service{options: options, log: options.Log, events: &span.Events{}}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	// First: a misspelt name is often why another setting stops the start.
	for _, warning := range config.Warnings(os.Environ()) {
		s.log.Warn().Msg(warning)
	}
	starting, started := context.WithCancel(ctx)
	s.started = started
	s.onClose(started)
	go server.ExtendStart(starting, s.log)
	working, stop := context.WithCancel(ctx)
	s.working = working
	s.onClose(stop)

	listener, err := server.Listen(ctx, "ADDR", settings.Addr)
	if err != nil {
		return nil, err
	}
	s.onClose(func() { _ = listener.Close() }) // Run has closed it already
	if s.config, err = settings.Service(listener.Addr().(*net.TCPAddr).Port); err != nil {
		return nil, err
	}
	if s.admin, err = admin.Listen(ctx, settings.AdminAddr, s.config.Dir(), s.log); err != nil {
		return nil, err
	}
	s.onClose(s.admin.Close)
	s.server, err = server.Open(ctx, s.config, listener, s.events, s.log,
		func(ctx context.Context, state certificates.State) {
			s.notifier.CertificateEnding(ctx, state.Domain, state.End)
		})
	if err != nil {
		return nil, err
	}
	s.onClose(s.server.Close)
	if settings.AdminAddr != "" && settings.OwnerURL.Text == "" && s.config.OwnerDomain == "" {
		s.config.OwnerURL = s.admin.PagesURL(settings.AdminAddr)
	}
	s.Content = live.New(live.Config{Folder: s.config.Content, Log: s.log, Builder: live.Builder{
		At:      discovery.Addresses{Base: s.config.BaseURL, App: s.config.AppURL},
		Origins: append([]string{s.config.BaseURL}, s.config.Origins...),
		Proofs:  s.config.Proofs, Cache: filepath.Join(s.config.Dir(), images.Folder),
	}})
	files := config.Vectors(filepath.Join(s.config.Dir(), content.VectorsFile), s.config.Content)
	s.Content.BuildAnswerer, s.Content.Embedder, err = s.config.BuildAnswerer(files, func(err error) {
		s.log.Warn().Err(err).Msg("cannot use the encoder cache")
	})
	return s, err
}

// Open reads the content, whose selector is trained in the meantime, and opens the database, the keys and Redis.
func (s *Service) Open(ctx context.Context) error {
	err := s.Content.Load(s.working)
	if err != nil {
		return err
	}
	if err := s.openRecords(ctx); err != nil {
		return err
	}
	if s.keys, err = openKeys(s.config); err != nil {
		return err
	}
	if s.backups, err = s.config.DailyBackup(); err != nil {
		return err
	}
	return s.openLimits(ctx)
}

// Build makes what stores, mails, notifies and answers, and returns what the routes are made of.
func (s *Service) Build() Wiring {
	s.metrics = metrics.New(metrics.Config{
		Routes: routes.Patterns(s.options.Own.Routes...), Databases: s.store.Pools(), State: s.admin.State,
	})
	zone := func() *time.Location { return s.Content.Site().Zone }
	s.counts = &counts{metrics: s.metrics, scraped: s.config.AdminAddr != "", store: s.store,
		zone: zone, events: s.events, log: s.log}
	s.keeper = questions.NewRecorder(questions.Config{
		Store: s.store, Questions: s.config.KeepQuestions.Value, Answered: s.config.KeepAnswered,
		DailyRows: s.config.DailyRows.Value, Events: s.events, Log: s.log,
	})
	s.notifier = notify.New(notify.Config{
		Store: s.store, Targets: s.config.Notify, OwnerURL: s.config.OwnerURL, Language: s.Content.Language,
		Zone: zone, Count: s.metrics.Notified, Events: s.events, Log: s.log,
	})
	sender := meteredSender{s.config.Mail, s.metrics}
	s.outbox = outbox.New(outbox.Config{
		Store: s.store, Sender: sender, Mail: s.config.Mail.Now, Notifier: s.notifier,
		OwnerURL: s.config.OwnerURL, Language: s.Content.Language,
		DailySends: s.config.DailySends.Value, Retry: s.config.MailRetry.Value, Events: s.events, Log: s.log,
	})
	s.buildContent()
	return s.wire(sender)
}

// buildContent gives the content what it needs of the service.
func (s *Service) buildContent() {
	c := s.Content
	if s.config.Model.IsSet() {
		s.model = model.New(model.Config{
			Endpoint: s.config.Model, DailyCap: s.config.ModelDailyCap.Value, ClientCap: s.config.ModelClientCap,
			Calls: s.calls, Called: s.metrics.ModelCalled, Events: s.events, Log: s.log,
		})
		c.Model = s.model
	}
	if s.config.KeepAnswered {
		c.MostAsked = s.mostAsked
	}
	c.Answered = func(ctx context.Context, q string, answer contract.Answer) {
		s.keeper.Keep(ctx, q, answer)
		s.counts.asked(answer)
	}
	c.Also = func() error { return errors.Join(s.reloadKeys(), s.server.Reload()) }
	c.Count, c.Changed = s.metrics.Reload, s.admin.NoteEdit
	c.Refused = func(revision string, faults int) {
		s.events.Add(span.ContentRefused, revision)
		s.notifier.ContentRefused(context.Background(), revision, faults)
	}
}

// Start makes the content live, and gives Run and the admin listener what they serve.
func (s *Service) Start(ctx context.Context, w Wiring, handle func([]routes.Route) http.Handler) error {
	table, err := s.options.Own.With(routes.Table(w.API, w.MCP, w.Limiters))
	if err != nil {
		return err
	}
	if err := s.Content.Start(ctx); err != nil {
		return err
	}
	s.admin.Begin(admin.Config{
		Settings: s.config, Version: s.options.Version, Log: s.log, LogDropped: s.options.LogDropped,
		Events: s.events, Working: s.working, Live: s.Content, Server: s.server, Store: s.store, Outbox: s.outbox,
		Questions: s.keeper, Quota: s.quota, Model: s.model, Calls: s.calls, Backups: s.backups, Metrics: s.metrics,
	})
	s.server.Handle(s.admin.OnlyOwnerPages(handle(table)))
	s.started()
	return nil
}

// mostAsked returns the ids of the entries that answered, the most asked first. Pages do not
// wait long for the database: without it their order is that of the content.
func (s *Service) mostAsked() (ids []string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	uses, err := s.store.EntryUses(ctx)
	if err != nil {
		s.log.Debug().Err(err).Msg("cannot read what is asked most")
	}
	for _, use := range uses {
		ids = append(ids, use.EntryID)
	}
	return ids
}

// openRecords opens the database and announces this process to others that send its mails.
func (s *Service) openRecords(ctx context.Context) (err error) {
	s.isNew = s.config.DataFolder.IsNew()
	// Reported only if the records cannot be opened: with PostgreSQL the folder is optional, and whatever needs it logs
	// its own error.
	folderErr := os.MkdirAll(s.config.Dir(), 0o700)
	if s.store, err = s.config.OpenRecords(ctx, records.Options{MayBeAway: true}); err != nil {
		return errors.Join(folderErr, err)
	}
	s.onClose(func() {
		if err := s.store.Close(); err != nil {
			s.log.Error().Err(err).Msg("closing the database failed")
		}
	})
	if err := s.store.ConnectError(); err != nil {
		s.events.Add(span.DatabaseAway, "")
		s.log.Error().Err(err).
			Msg("the database does not answer: starting without it; pilot requests are refused until it does")
	}
	leave, err := s.store.JoinSenders(ctx, s.config.Dir())
	if err != nil {
		s.log.Warn().Err(err).Msg("cannot detect other senders; interrupted mails are retried after one minute")
	}
	s.onClose(leave)
	return nil
}

// openLimits makes the limits and the cap of the model: of this instance or, with Redis,
// of all instances.
func (s *Service) openLimits(ctx context.Context) error {
	s.quota, s.calls, s.Limiters = &quota.Store{}, s.store, routes.NewLimiters(nil)
	if s.config.Redis.IsSet() {
		if err := s.config.Redis.Check(ctx); errors.Is(err, quota.ErrCluster) {
			return fmt.Errorf("%sREDIS_URL: %w", config.Prefix, err)
		}
		s.quota = quota.Open(ctx, s.config.Redis, s.events, s.log)
		s.onClose(func() { _ = s.quota.Close() }) // its counts are in Redis
		s.calls, s.Limiters = quota.Calls{Shared: s.quota, Kept: s.store}, routes.NewLimiters(s.quota)
	}
	return nil
}

// wire connects the core to the routes.
func (s *Service) wire(sender mailer.Sender) Wiring {
	c := s.Content
	pilots := &pilot.Requests{
		Limits:  pilot.Limits{Slots: s.Limiters.Contact, KeyReuse: s.Limiters.KeyReuse},
		Outbox:  s.outbox,
		Mail:    s.config.Mail.Now,
		BaseURL: s.config.BaseURL,
		Wording: c.Wording,
		Count:   s.metrics.Pilot,
	}
	trials := &pilot.Trials{
		Limits: pilot.Limits{Slots: s.Limiters.Trial, KeyReuse: s.Limiters.KeyReuse},
		Store:  s.store, Notifier: s.notifier, AppURL: s.config.AppURL, Log: s.log,
	}
	if s.config.TrialMail.Value {
		trials.Notice = &pilot.Notice{Mail: s.config.Mail.Now, Sender: sender}
	}
	c.Core = &mcpserver.Core{
		Answers: c, AskLimit: s.Limiters.Ask, Pilots: pilots, Trials: trials, ToolErrors: s.config.MCPToolErrors,
	}
	tolerant := s.config.MCPVersions == contract.MCPVersionsTolerant
	w := Wiring{
		Limiters: s.Limiters,
		API: &handlers.API{
			Documents: c, Site: c.Site, Answers: c, Answered: c.AnswerPage, Pilots: pilots, Feedbacks: s.keeper,
			Keys: s.keys.current.Load, AskLimit: s.Limiters.Ask, Proofs: s.config.Proofs,
		},
		Core: c.Core,
		MCP: routes.MCP{
			Website:   &mcpserver.Handler{Tolerant: tolerant, Current: c.Website},
			Workspace: &mcpserver.Handler{Tolerant: tolerant, Current: c.Workspace},
		},
		Layers: s.layers(),
		Live:   c,
	}
	w.Layers.Content = w.API
	return w
}

// layers returns what the layers around every route need of the service.
func (s *Service) layers() routes.Config {
	return routes.Config{
		Log:            s.log,
		Own:            s.options.Own.Layers,
		Origins:        middleware.Origins{Base: s.config.BaseURL, Extra: s.config.Origins, Workspace: s.config.AppOrigin},
		TrustedProxies: s.config.TrustedProxies,
		Pools:          limits.NewPools(s.config.SharedClients, s.config.LimitExempt, s.keys.people),
		Problems:       &middleware.Problems{BaseURL: s.config.BaseURL, Page: s.Content.ErrorPage},
		HTTPS:          strings.HasPrefix(s.config.BaseURL, "https:") && !s.config.Loopback,
		SignOnRequest:  s.keys.signAnswer,
		Observe:        s.counts.request,
	}
}

// Addr returns the address on which the service listens.
func (s *Service) Addr() net.Addr { return s.server.Addr() }

// AdminAddr returns the address of the admin listener.
func (s *Service) AdminAddr() net.Addr { return s.admin.Addr() }

// BaseURL returns the address that the service publishes.
func (s *Service) BaseURL() string { return s.config.BaseURL }

// Handler answers every request of the public listener.
func (s *Service) Handler() http.Handler { return s.server.Handler() }

// SignInLink makes a link that opens the owner's pages in one browser.
func (s *Service) SignInLink(ctx context.Context) (string, error) { return s.admin.SignInLink(ctx) }

// Store holds the records of the service.
func (s *Service) Store() *records.Store { return s.store }

// onClose adds what Close frees.
func (s *Service) onClose(free func()) { s.closers = append(s.closers, free) }

// Close frees what New opened, the last first. A service that runs has to be stopped
// first, by the end of Run's context.
func (s *Service) Close() {
	for _, free := range slices.Backward(s.closers) {
		free()
	}
	s.closers = nil
}

// Announce logs where the service is, what it serves and what it still lacks.
func (s *Service) Announce() {
	for _, setting := range s.config.Describe() {
		s.log.Debug().Str("setting", setting.Name).Str("value", setting.Value).Msg("setting")
	}
	if s.isNew {
		// A new database under content of one's own is often a lost one: a folder that was
		// not mounted, or another working directory.
		level := zerolog.InfoLevel
		if s.config.Content != "" {
			level = zerolog.WarnLevel
		}
		s.log.WithLevel(level).Str("data", s.config.Dir()).
			Msg("created a new database in the data folder; if you expected existing records, check FRONTDESK_DATA")
		if !s.config.Loopback && s.config.MCPToolErrors == contract.ToolErrorsContract {
			s.log.Info().Msg(config.AboutMCPToolErrors)
		}
	}
	if s.config.Content != "" { // the last line says enough about the embedded sample
		s.Content.Warn()
	}
	if plain := s.server.HTTPAddr(); plain != nil {
		s.log.Info().Strs("domains", s.config.Domains).Str("owner", s.config.OwnerDomain).Stringer("http", plain).
			Msg("the service answers HTTPS by itself; frontdesk doctor shows its certificates")
	}
	if s.config.AdminAddr == "" {
		s.log.Info().Msg("only this machine can open the owner's pages; frontdesk admin-link prints a sign-in link")
	} else {
		s.log.Info().Stringer("address", s.AdminAddr()).
			Msg("the admin listener has the owner's pages under " + owner.Path +
				", and metrics and profiles without a password: keep its address private")
	}
	for _, target := range s.config.Notify {
		s.log.Info().Str("target", target.Name).Msg("notifications are on; frontdesk notify --test tries them")
	}
	if !s.config.Mail.Now().IsSet() {
		by := "with FRONTDESK_SMTP_URL"
		if !s.config.MailFixed {
			by = "on the owner's pages or " + by
		}
		s.log.Warn().Msg("no mail server is set up: requests are stored, answered 502 and mailed later; set one up " + by)
	}
	if len(s.config.Notify) > 0 && s.config.OwnerURL == "" {
		s.log.Warn().Msg("notifications have no link: set FRONTDESK_ADMIN_ADDR, and FRONTDESK_OWNER_URL if its address is " +
			"not the public one")
	}
	if s.config.Model.IsSet() {
		s.log.Info().Stringer("model", s.config.Model).Int("daily_cap", s.config.ModelDailyCap.Value).
			Msg("a model chooses an entry when the embedded selector is not sure")
	}
	message := fmt.Sprintf("frontdesk serves %s on %s; ", s.BaseURL(), s.Addr())
	if s.config.Content == "" {
		message += "sample content (frontdesk init DIR writes it to edit)"
	} else {
		message += "content of " + s.config.Content
	}
	if state, _ := s.Content.State(); state == live.Encoding {
		message += "; the encoder reads the content"
	}
	if s.config.Mail.Now().KeepsFiles() {
		message += "; no mail server: mails are kept as files in " + filepath.Join(s.config.Dir(), mailer.MailsFolder)
	}
	s.log.Info().Msg(message)
}
