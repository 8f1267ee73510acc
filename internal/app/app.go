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
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/faq/meaning"
	"frontdesk/handlers"
	"frontdesk/internal/backup"
	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
	"frontdesk/internal/gaps"
	"frontdesk/internal/limits"
	"frontdesk/internal/metrics"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/outbox"
	"frontdesk/internal/owner"
	"frontdesk/internal/pilot"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
	"frontdesk/mcpserver"
	"frontdesk/middleware"
	"frontdesk/routes"
)

// Options are what a service is made of beside its settings.
type Options struct {
	Log zerolog.Logger
	// LogDropped counts the lines that the log has dropped; nil for a log that drops none.
	LogDropped func() int64
	Version    string           // of the program, for the metrics
	Hangups    <-chan os.Signal // each asks for a reload; nil for none
	Own        routes.Own       // of an own main
}

// Parts are what a step of New leaves to the next one. Tests replace some in between.
type Parts struct {
	Maker    faq.Maker       // of Listen
	Reader   *meaning.Reader // of Maker; nil without an encoder
	Patience time.Duration   // of Listen: how long the start waits for the selector

	Limiters routes.Limiters // of Open
}

// Wiring is what the routes and the layers around them are made of.
type Wiring struct {
	Limiters routes.Limiters
	API      *handlers.API
	Core     *mcpserver.Core // what the MCP tools call
	MCP      routes.MCP
	Layers   routes.Config
	Live     Published
}

// Table lists the routes, those of an own main included.
func (s *Service) Table(w Wiring) ([]routes.Route, error) {
	return s.options.Own.With(routes.Table(w.API, w.MCP, w.Limiters))
}

// Published is what the live content publishes.
type Published interface {
	Catalog() contract.Catalog
	mcpserver.Documents
}

// Service is the running whole.
type Service struct {
	Parts   Parts
	options Options
	log     zerolog.Logger
	events  *span.Events
	config  config.Service
	isNew   bool // the database was made at this start
	closers []func()

	started  func()          // ends the asking for more time
	working  context.Context // of what runs in the background; it ends with Close at the latest
	stopWork func()
	loaded   *content.Content // that the start begins with

	listener net.Listener
	server   *http.Server
	https    https
	draining atomic.Bool // readiness fails, and answers close their connections
	admin    *admin
	metrics  *metrics.Metrics

	builder  builder
	live     *live
	previews *lru.Cache[string, *snapshot] // of changes that were tried, by revision
	late     <-chan outcome[*faq.Book]     // the selector for which the start did not wait; nil if it has
	// meaningError is why the selector that came late stays off.
	meaningError atomic.Pointer[error]
	tried        content.State // state of the content folder when it was last read
	// reloadRequests are reloads whose callers wait for the verdict.
	reloadRequests chan chan<- error

	store    *records.Store
	quota    *quota.Store
	model    *model.Chooser    // nil without
	calls    quota.CallCounter // of the model
	keys     *keys
	sender   mailer.Sender
	outbox   *outbox.Outbox
	notifier *notify.Notifier
	keeper   *gaps.Recorder
	backups  *backup.Daily // nil without
	counts   *counts
}

// New opens what the settings name, builds the service from it, and starts it. Nothing is served before Run is
// called, but the admin listener answers that the service starts; Close frees what New opened.
func New(ctx context.Context, settings config.Settings, options Options) (*Service, error) {
	s, err := Listen(ctx, settings, options)
	if err != nil {
		return nil, err
	}
	if err = s.Open(ctx); err == nil {
		var table []routes.Route
		w := s.Build()
		if table, err = s.Table(w); err == nil {
			err = s.Start(ctx, routes.New(table, w.Layers))
		}
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
	previews, _ := lru.New[string, *snapshot](maxPreviews) // its only error is a size below 1
	s := &Service{
		options: options, log: options.Log, events: &span.Events{}, live: &live{}, previews: previews,
		reloadRequests: make(chan chan<- error),
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	// First: a misspelt name is often why another setting stops the start.
	for _, warning := range settings.Warnings(os.Environ()) {
		s.log.Warn().Msg(warning)
	}
	starting, started := context.WithCancel(ctx)
	s.onClose(started)
	s.started = started
	go s.extendStart(starting)
	s.working, s.stopWork = context.WithCancel(ctx)
	s.onClose(s.stopWork)

	if s.listener, err = listen(ctx, "ADDR", settings.Addr); err != nil {
		return nil, err
	}
	s.onClose(func() { _ = s.listener.Close() }) // Serve has closed it already, unless it never ran
	if s.config, err = settings.Service(s.listener.Addr().(*net.TCPAddr).Port); err != nil {
		return nil, err
	}
	if s.admin, err = openAdmin(ctx, settings.AdminAddr, s.log); err != nil {
		return nil, err
	}
	s.onClose(s.admin.close)
	if err = s.openHTTPS(ctx); err != nil {
		return nil, err
	}
	if settings.AdminAddr != "" && settings.OwnerURL.Text == "" && s.config.OwnerDomain == "" {
		s.config.OwnerURL = s.ownPages()
	}
	s.Parts.Patience = MeaningPatience
	files := config.Vectors(filepath.Join(s.config.Dir(), content.VectorsFile), s.config.Content)
	s.Parts.Maker, s.Parts.Reader, err = s.config.Maker(files, func(err error) {
		s.log.Warn().Err(err).Msg("cannot use the encoder cache")
	})
	return s, err
}

// Open reads the content, and opens the database, the keys and Redis. Beside it the selector is trained.
func (s *Service) Open(ctx context.Context) error {
	loaded, state, err := loadState(s.config.Content)
	if err != nil {
		return err
	}
	s.builder = s.newBuilder()
	s.loaded, s.tried = loaded, state
	train := s.builder.train // of a copy: the rest of the start goes on to change the builder
	s.late = begin(s.log, func() (*faq.Book, error) { return train(s.working, loaded) })
	if err := s.openRecords(ctx); err != nil {
		return err
	}
	if s.config.KeepAnswered {
		s.builder.mostAsked = s.mostAsked
	}
	if s.keys, err = openKeys(s.config, s.config.Dir()); err != nil {
		return err
	}
	if s.backups, err = s.config.DailyBackup(); err != nil {
		return err
	}
	return s.openLimits(ctx)
}

// Build makes what stores, mails, notifies and answers.
func (s *Service) Build() Wiring {
	s.metrics = metrics.New(metrics.Config{
		Routes: routes.Patterns(s.options.Own.Routes...), Databases: s.store.Pools(), State: s.collect,
	})
	s.counts = &counts{metrics: s.metrics, scraped: s.config.AdminAddr != "", store: s.store,
		events: s.events, log: s.log}
	s.keeper = gaps.NewRecorder(gaps.Config{
		Store: s.store, Questions: s.config.KeepQuestions.Value, Answered: s.config.KeepAnswered,
		DailyRows: s.config.DailyRows.Value, Events: s.events, Log: s.log,
	})
	s.notifier = notify.New(notify.Config{
		Store: s.store, Targets: s.config.Notify, OwnerURL: s.config.OwnerURL, Language: s.live.language,
		Count: s.metrics.Notified, Events: s.events, Log: s.log,
	})
	s.sender = meteredSender{s.config.Mail, s.metrics}
	s.outbox = outbox.New(outbox.Config{
		Store: s.store, Sender: s.sender, Notifier: s.notifier,
		DailySends: s.config.DailySends.Value, Retry: s.config.MailRetry.Value, Events: s.events, Log: s.log,
	})
	if s.config.Model.IsSet() {
		s.model = model.New(model.Config{
			Endpoint: s.config.Model, DailyCap: s.config.ModelDailyCap.Value, ClientCap: s.config.ModelClientCap,
			Calls: s.calls, Called: s.metrics.ModelCalled, Events: s.events, Log: s.log,
		})
		s.live.model = s.model
	}
	return s.wire()
}

// Start makes the content live and gives the handler of the public listener to Run.
func (s *Service) Start(ctx context.Context, handler http.Handler) error {
	first, err := s.first(ctx, s.loaded, s.tried, s.late, s.Parts.Patience)
	if err != nil {
		return err
	}
	s.loaded = nil // it is replaced with the first reload
	s.live.swap(first)
	s.builder.reader.Serve()
	hosts := s.makeOwnerPages(s.working)
	s.server = newServer(watchWork(s.closing(s.onlyOwnerPages(handler))), s.log)
	s.beginAdmin(hosts)
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

// newBuilder returns what makes snapshots.
func (s *Service) newBuilder() builder {
	return builder{
		newBook: s.Parts.Maker, reader: s.Parts.Reader,
		at:      discovery.Addresses{Base: s.config.BaseURL, App: s.config.AppURL},
		origins: append([]string{s.config.BaseURL}, s.config.Origins...),
		cache:   filepath.Join(s.config.Dir(), "images"), proofs: s.config.Proofs,
	}
}

// openRecords opens the database and announces this process to others that send its mails.
func (s *Service) openRecords(ctx context.Context) (err error) {
	s.isNew = s.config.DataFolder.IsNew()
	// With PostgreSQL nothing else makes it before the first mail is kept as a file. Whatever needs it
	// logs what cannot be done without it.
	_ = os.MkdirAll(s.config.Dir(), 0o700)
	if s.store, err = s.config.OpenRecords(ctx, records.Options{MayBeAway: true}); err != nil {
		return err
	}
	s.onClose(func() {
		if err := s.store.Close(); err != nil {
			s.log.Error().Err(err).Msg("closing the database failed")
		}
	})
	if err := s.store.Away(); err != nil {
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
	s.quota, s.calls, s.Parts.Limiters = &quota.Store{}, s.store, routes.NewLimiters(nil)
	if s.config.Redis.IsSet() {
		if err := s.config.Redis.Check(ctx); errors.Is(err, quota.ErrCluster) {
			return fmt.Errorf("%sREDIS_URL: %w", config.Prefix, err)
		}
		s.quota = quota.Open(ctx, s.config.Redis, s.events, s.log)
		s.onClose(func() { _ = s.quota.Close() }) // its counts are in Redis
		s.calls, s.Parts.Limiters = quota.Calls{Shared: s.quota, Kept: s.store}, routes.NewLimiters(s.quota)
	}
	return nil
}

// wire connects the core to the routes, and gives the builder what the MCP tools call.
func (s *Service) wire() Wiring {
	s.live.keeper, s.live.counts = s.keeper, s.counts
	pilots := &pilot.Requests{
		Limits:  pilot.Limits{Slots: s.Parts.Limiters.Contact, KeyReuse: s.Parts.Limiters.KeyReuse},
		Outbox:  s.outbox,
		Mail:    pilot.Addresses{From: s.config.MailFrom, To: s.config.MailTo},
		BaseURL: s.config.BaseURL,
		Wording: s.live.wording,
		Count:   s.metrics.Pilot,
	}
	trials := &pilot.Trials{
		Limits: pilot.Limits{Slots: s.Parts.Limiters.Trial, KeyReuse: s.Parts.Limiters.KeyReuse},
		Store:  s.store, Notifier: s.notifier, AppURL: s.config.AppURL, Log: s.log,
	}
	if s.config.TrialMail.Value {
		trials.Notice = &pilot.Notice{From: s.config.MailFrom, To: s.config.MailTo, Sender: s.sender}
	}
	w := Wiring{
		Limiters: s.Parts.Limiters,
		API: &handlers.API{
			Documents: s.live, Site: s.live.pages, Answers: s.live, Answered: s.live.Answered, Pilots: pilots,
			Feedbacks: s.keeper, Keys: s.keys.current.Load,
			AskLimit: s.Parts.Limiters.Ask, Proofs: s.config.Proofs,
		},
		Core: &mcpserver.Core{
			Answers: s.live, AskLimit: s.Parts.Limiters.Ask, Pilots: pilots, Trials: trials, ToolErrors: s.config.MCPToolErrors,
		},
		MCP: routes.MCP{
			Website:   &mcpserver.Handler{Current: func() *mcpserver.Server { return s.live.now().published().website }},
			Workspace: &mcpserver.Handler{Current: func() *mcpserver.Server { return s.live.now().published().workspace }},
		},
		Layers: s.layers(),
		Live:   s.live,
	}
	s.builder.core, w.Layers.Content = w.Core, w.API
	return w
}

// layers is what the layers around every route know of the service.
func (s *Service) layers() routes.Config {
	return routes.Config{
		Log:            s.log,
		Own:            s.options.Own.Layers,
		Origins:        middleware.Origins{Base: s.config.BaseURL, Extra: s.config.Origins, Workspace: s.config.AppOrigin},
		TrustedProxies: s.config.TrustedProxies,
		Pools:          limits.NewPools(s.config.SharedClients, s.config.LimitExempt, s.keys.people),
		Problems:       &middleware.Problems{BaseURL: s.config.BaseURL, Page: s.live.errorPage},
		HTTPS:          strings.HasPrefix(s.config.BaseURL, "https:") && !s.config.Loopback,
		SignOnRequest:  s.keys.signAnswer,
		Observe:        s.counts.request,
	}
}

// Addr is the address on which the service listens.
func (s *Service) Addr() net.Addr { return s.listener.Addr() }

// AdminAddr is the address of the admin listener.
func (s *Service) AdminAddr() net.Addr { return s.admin.listener.Addr() }

// ownPages is the address of the owner's pages on the admin listener itself.
func (s *Service) ownPages() string {
	return config.OwnerURLAt(s.admin.address(s.config.AdminAddr))
}

// BaseURL is the address that the service publishes.
func (s *Service) BaseURL() string { return s.config.BaseURL }

// Handler answers every request of the public listener.
func (s *Service) Handler() http.Handler { return s.server.Handler }

// Live is the content that is served now.
func (s *Service) Live() *content.Content { return s.live.now().content }

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
			Msg("the data folder is new: there are no inquiries or questions from before; if there should be, check " +
				"FRONTDESK_DATA")
	}
	if s.config.Content != "" { // the last line says enough about the embedded sample
		s.warn(s.Live())
	}
	if s.https.plain != nil {
		s.log.Info().Strs("domains", s.config.Domains).Str("owner", s.config.OwnerDomain).Stringer("http",
			s.https.plain.Addr()).
			Msg("the service answers HTTPS by itself; frontdesk doctor shows its certificates")
	}
	if s.config.AdminAddr == "" {
		s.log.Info().Msg("the owner's pages are open to this machine only: frontdesk admin-link prints a sign-in link")
	} else {
		s.log.Info().Stringer("address", s.AdminAddr()).
			Msg("the admin listener has the owner's pages under " + owner.Path +
				", and metrics and profiles without a password: keep its address private")
	}
	for _, target := range s.config.Notify {
		s.log.Info().Str("target", target.Name).Msg("the owner is notified; frontdesk notify --test tries it")
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
	if s.late != nil {
		message += "; the encoder reads the content"
	}
	if s.config.MailFiles {
		message += "; no mail server: mails are kept as files in " + filepath.Join(s.config.Dir(), "mail")
	}
	s.log.Info().Msg(message)
}
