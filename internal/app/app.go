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

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/faq/meaning"
	"frontdesk/handlers"
	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
	"frontdesk/internal/gaps"
	"frontdesk/internal/metrics"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/outbox"
	"frontdesk/internal/owner"
	"frontdesk/internal/pilot"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/internal/workspace"
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
	Replace    Replacements
}

// Replacements swap parts of the service. Tests use them to break one thing at a
// time, and to train a selector once for many services. The zero value replaces
// nothing.
type Replacements struct {
	Book     faq.Maker                                     // of the settings
	Limiters func() routes.Limiters                        // of this instance; Redis is not asked
	Sender   func(outbox.Sender) outbox.Sender             // of every mail
	API      func(*handlers.API, routes.Limiters)          // what the HTTP handlers call
	Core     func(*mcpserver.Core, routes.Limiters)        // what the MCP tools call
	MCP      func(*routes.MCP, *mcpserver.Core, Published) // the MCP endpoints
	Stack    func(*routes.Config)                          // what the layers know
	Table    func([]routes.Route, routes.Limiters) []routes.Route
	Front    func(http.Handler) http.Handler // around everything else
}

// Published is what the live content publishes.
type Published interface {
	Catalog() contract.Catalog
	mcpserver.Documents
}

// parts are what the handlers, the tools and the layers are made of.
type parts struct {
	log      zerolog.Logger
	config   config.Service
	store    *records.Store
	quota    *quota.Store // nil without Redis
	sender   outbox.Sender
	outbox   *outbox.Outbox
	notifier *notify.Notifier // nil without targets: no one is notified
	keeper   *gaps.Keeper
	keys     *keys
	metrics  *metrics.Metrics // nil without an admin address: nothing is counted
	live     *live
	days     *tally
}

// Service is the running whole.
type Service struct {
	parts
	settings config.Settings
	isNew    bool // the database was made at this start
	listener net.Listener
	server   *http.Server
	admin    *admin       // nil without an admin address
	pages    *owner.Pages // likewise
	draining *atomic.Bool // readiness fails, and answers close their connections
	builder  builder
	hangups  <-chan os.Signal
	// reloadRequests are reloads whose callers wait for the verdict.
	reloadRequests chan chan<- reloadVerdict
	tried          content.State // state of the content folder when it was last read
	closers        closers
}

// New listens, checks the settings and builds the service. Nothing is served before
// Run is called; Close frees what New opened.
func New(ctx context.Context, settings config.Settings, options Options) (_ *Service, err error) {
	log, replace := options.Log, options.Replace
	settings = settings.WithDefaults()
	var opened closers
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	listener, err := listen(ctx, "ADDR", settings.Addr)
	if err != nil {
		return nil, err
	}
	opened.add(func() { _ = listener.Close() }) // Serve has closed it already, unless it never ran
	checked, err := settings.Service(listener.Addr().(*net.TCPAddr).Port)
	if err != nil {
		return nil, err
	}
	loaded, state, err := loadState(settings.Content)
	if err != nil {
		return nil, err
	}
	builder := builder{
		precision: checked.Precision,
		at:        discovery.Addresses{Base: checked.BaseURL, App: checked.AppURL},
		cache:     filepath.Join(settings.Dir(), "images"),
	}
	var reader *meaning.Reader
	if replace.Book != nil {
		builder.newBook = replace.Book
	} else if builder.newBook, reader, err = settings.Maker(settings.Dir(), func(err error) { log.Warn().Err(err).Msg("the cache of the encoder") }); err != nil {
		return nil, err
	}
	builder.encoder = reader != nil
	book := builder.train(loaded) // in the background, while the rest is opened

	isNew := settings.DataFolder.IsNew()
	store, err := openRecords(ctx, settings.DataFolder, records.Options{})
	if err != nil {
		return nil, err
	}
	opened.add(func() {
		if err := store.Close(); err != nil {
			log.Error().Err(err).Msg("closing the database failed")
		}
	})
	keys, err := openKeys(checked, settings.Dir(), log)
	if err != nil {
		return nil, err
	}
	var shared *quota.Store
	var calls quota.CallCounter = store
	if checked.Redis.IsSet() {
		if err := checked.Redis.RefuseCluster(ctx); err != nil {
			return nil, fmt.Errorf("%sREDIS_URL: %w", config.Prefix, err)
		}
		shared = quota.Open(ctx, checked.Redis, log)
		opened.add(func() { _ = shared.Close() }) // its counts are in Redis
		calls = quota.Calls{Shared: shared, Kept: store}
	}
	days := &tally{store: store, log: log}
	keeper := gaps.NewKeeper(gaps.Config{
		Store: store, Questions: checked.KeepQuestions, Answered: checked.KeepAnswered,
		Limits: records.BatchLimits{DailyRows: checked.DailyRows, Answers: config.AnsweredRows}, Log: log,
	})
	live := &live{}
	var counted *metrics.Metrics
	var operator *admin
	if settings.AdminAddr != "" {
		counted = metrics.New(metrics.Config{
			Routes:     routes.Patterns(),
			Version:    options.Version,
			LogDropped: options.LogDropped,
			Databases:  store.Pools(),
			State:      metricsState{live: live, reader: reader, config: checked, calls: calls, quota: shared, keeper: keeper, store: store},
		})
		if operator, err = openAdmin(ctx, settings.AdminAddr, counted, store.CheckWrite, log); err != nil {
			return nil, err
		}
		opened.add(operator.close)
		if settings.OwnerURL.Text == "" {
			checked.OwnerURL = config.OwnerURLAt(operator.address(settings.AdminAddr))
		}
	}
	live.model = newModel(checked, calls, counted, log)
	sender := outbox.Sender(meteredSender{checked.Mail, counted})
	if replace.Sender != nil {
		sender = replace.Sender(sender)
	}
	leave, err := store.JoinSenders(ctx, settings.Dir())
	if err != nil {
		log.Warn().Err(err).Msg("cannot detect other senders; interrupted mails are retried after one minute")
	}
	opened.add(leave)

	notifier := notify.New(notify.Config{
		Store: store, Targets: checked.Notify, OwnerURL: checked.OwnerURL, Count: counted.Notified, Log: log,
	})
	parts := parts{
		notifier: notifier,
		log:      log, config: checked, store: store, quota: shared,
		sender: sender, outbox: newOutbox(checked, store, sender, notifier, log),
		keeper: keeper, keys: keys, metrics: counted, live: live, days: days,
	}
	handler, core := parts.wire(replace)
	builder.core = core
	first, err := builder.snapshot(loaded, state, <-book)
	if err != nil {
		return nil, err
	}
	live.swap(first)
	reloads := make(chan chan<- reloadVerdict)
	var pages *owner.Pages
	if operator != nil {
		pages = parts.ownerPages(operator, builder, calls, settings, reloads, options.Version, &opened)
	}
	draining := new(atomic.Bool)
	return &Service{
		parts: parts, settings: settings, isNew: isNew,
		listener: listener, server: newServer(watchWork(closing(draining, handler)), log), admin: operator, pages: pages, draining: draining,
		builder: builder, hangups: options.Hangups, reloadRequests: reloads, tried: state,
		closers: opened,
	}, nil
}

// newOutbox makes the outbox of the settings.
func newOutbox(c config.Service, store *records.Store, sender outbox.Sender, notifier *notify.Notifier, log zerolog.Logger) *outbox.Outbox {
	made := outbox.Config{Store: store, Sender: sender, DailySends: c.DailySends, Retry: c.MailRetry, Log: log}
	if notifier != nil { // a nil pointer would be an interface that is not nil
		made.Notifier = notifier
	}
	return outbox.New(made)
}

// wire connects the core to the routes. It also returns what the MCP tools call:
// each snapshot makes its MCP servers from it.
func (p parts) wire(replace Replacements) (http.Handler, *mcpserver.Core) {
	limiters := p.limiters()
	if replace.Limiters != nil {
		limiters = replace.Limiters()
	}
	faces := faces{live: p.live, asker: gaps.Asker{Keeper: p.keeper, Counter: counters{p.metrics, p.days}}}
	pilots := &pilot.Desk{
		Mail:    pilot.Addresses{From: p.config.MailFrom, To: p.config.MailTo},
		BaseURL: p.config.BaseURL,
		Limit:   limiters.Contact, KeyReuse: limiters.KeyReuse,
		Courier: p.outbox,
		Letter:  p.live.letter,
		Spam:    p.outbox,
	}
	if p.config.MailRetry {
		pilots.Joiner = p.outbox
	}
	api := &handlers.API{
		Documents:    p.live,
		Forms:        faces,
		Answers:      faces,
		Pilots:       pilots,
		Feedbacks:    gaps.Feedback{Keeper: p.keeper},
		Keys:         p.keys.directory,
		AskLimit:     limiters.Ask,
		ContactLimit: limiters.Contact,
	}
	if replace.API != nil {
		replace.API(api, limiters)
	}
	core := p.mcpCore(api, limiters)
	if replace.Core != nil {
		replace.Core(core, limiters)
	}
	mcp := p.live.mcp()
	if replace.MCP != nil {
		replace.MCP(&mcp, core, p.live)
	}
	stack := p.stack()
	if replace.Stack != nil {
		replace.Stack(&stack)
	}
	table := routes.Table(api, mcp, limiters)
	if replace.Table != nil {
		table = replace.Table(table, limiters)
	}
	handler := routes.New(table, stack)
	if replace.Front != nil {
		handler = replace.Front(handler)
	}
	return handler, core
}

// limiters are the limits of this instance or, with Redis, of all instances.
func (p parts) limiters() routes.Limiters {
	if p.quota == nil { // a nil pointer would be an interface that is not nil
		return routes.NewLimiters(nil)
	}
	return routes.NewLimiters(p.quota)
}

// mcpCore is what the MCP tools call: the same core and limits as the HTTP API,
// and the trials.
func (p parts) mcpCore(api *handlers.API, limit routes.Limiters) *mcpserver.Core {
	trials := &workspace.Desk{AppURL: p.config.AppURL, Limit: limit.Trial, KeyReuse: limit.KeyReuse, Store: p.store, Log: p.log}
	if p.notifier != nil {
		trials.Notifier = p.notifier
	}
	if p.config.TrialMail {
		trials.Notice = &workspace.Notice{From: p.config.MailFrom, To: p.config.MailTo, Sender: p.sender}
	}
	return &mcpserver.Core{
		Answers: api.Answers, AskLimit: limit.Ask,
		Pilots: api.Pilots, ContactLimit: limit.Contact,
		Trials: trials, TrialLimit: limit.Trial,
	}
}

// stack is what the layers around every route know of the service.
func (p parts) stack() routes.Config {
	stack := routes.Config{
		Log:            p.log,
		Origins:        middleware.Origins{Base: p.config.Origin, Extra: p.config.Origins, Workspace: p.config.AppOrigin},
		TrustedProxies: p.config.TrustedProxies,
		Problems:       &middleware.Problems{BaseURL: p.config.BaseURL, Page: p.live.ErrorPage},
		HTTPS:          strings.HasPrefix(p.config.BaseURL, "https:"),
		Signer:         p.keys,
	}
	if p.keys.agents != nil { // a nil pointer would be an interface that is not nil
		stack.Agents = p.keys.agents
	}
	stack.Observer = p.days
	if p.metrics != nil {
		stack.Observer = observers{p.metrics, p.days}
	}
	return stack
}

// newModel is the one model of the service, or nil. It outlives the snapshots, with
// its daily cap and its circuit breaker.
func newModel(c config.Service, calls quota.CallCounter, counted *metrics.Metrics, log zerolog.Logger) faq.Model {
	if !c.Model.IsSet() {
		return nil
	}
	return model.New(model.Config{
		Endpoint: c.Model, DailyCap: c.ModelDailyCap, ClientCap: c.ModelClientCap, Calls: calls, Called: counted.ModelCalled, Log: log,
	})
}

// OpenRecords opens the records for a command beside the service. It never makes a
// database: without one it is records.ErrNoDatabase. Nor does it change the schema of a
// database of another version, because the service of that version may be running: see
// [records.SchemaError]. Other errors name the setting.
func OpenRecords(ctx context.Context, folder config.DataFolder) (*records.Store, error) {
	return openRecords(ctx, folder, records.Options{MustExist: true, KeepSchema: true})
}

// CreateRecords is OpenRecords for a command that writes: it makes the database if there
// is none.
func CreateRecords(ctx context.Context, folder config.DataFolder) (*records.Store, error) {
	return openRecords(ctx, folder, records.Options{KeepSchema: true})
}

func openRecords(ctx context.Context, folder config.DataFolder, how records.Options) (*records.Store, error) {
	options, setting, err := folder.Records()
	if err != nil {
		return nil, err
	}
	options.MustExist, options.KeepSchema = how.MustExist, how.KeepSchema
	store, err := records.Open(ctx, options)
	if errors.Is(err, records.ErrNoDatabase) {
		return nil, err // which says where
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return store, nil
}

// Addr is the address on which the service listens.
func (s *Service) Addr() net.Addr { return s.listener.Addr() }

// AdminAddr is the address of the admin listener, nil without one.
func (s *Service) AdminAddr() net.Addr {
	if s.admin == nil {
		return nil
	}
	return s.admin.listener.Addr()
}

// BaseURL is the address that the service publishes.
func (s *Service) BaseURL() string { return s.config.BaseURL }

// Page returns the page that is published under a path of the route table, or nil.
func (s *Service) Page(path string) *discovery.Page { return s.live.Page(path) }

// Handler answers every request of the public listener.
func (s *Service) Handler() http.Handler { return s.server.Handler }

// Live is the content that is served now.
func (s *Service) Live() *content.Content { return s.live.current.Load().content }

// Store holds the records of the service.
func (s *Service) Store() *records.Store { return s.store }

// Close frees what New opened. A service that runs has to be stopped first, by the
// end of Run's context.
func (s *Service) Close() { s.closers.close() }

// closers free what was opened, the last first.
type closers []func()

func (c *closers) add(free func()) { *c = append(*c, free) }

func (c *closers) close() {
	for _, free := range slices.Backward(*c) {
		free()
	}
	*c = nil
}

// Announce logs where the service is, what it serves and what it still lacks.
func (s *Service) Announce() {
	for _, setting := range s.settings.Describe() {
		s.log.Debug().Str("setting", setting.Name).Str("value", setting.Value).Msg("setting")
	}
	for _, name := range config.Unknown(os.Environ()) {
		s.log.Warn().Str("variable", name).Msg("not a setting of frontdesk; check the spelling")
	}
	for _, warning := range s.settings.Obsolete.Warnings() {
		s.log.Warn().Msg(warning)
	}
	if s.isNew {
		// A new database under content of one's own is often a lost one: a folder that was
		// not mounted, or another working directory.
		level := zerolog.InfoLevel
		if s.settings.Content != "" {
			level = zerolog.WarnLevel
		}
		s.log.WithLevel(level).Str("data", s.settings.Dir()).
			Msg("the data folder is new: there are no inquiries or questions from before; if there should be, check FRONTDESK_DATA")
	}
	if s.settings.Content != "" { // the last line says enough about the embedded sample
		s.warn(s.Live())
	}
	if s.admin != nil {
		s.log.Info().Stringer("address", s.admin.listener.Addr()).
			Msg("the admin listener has the owner's pages under " + owner.Path + ", and metrics and profiles without a password: keep its address private")
	}
	for _, target := range s.config.Notify {
		s.log.Info().Str("target", target.Name).Msg("the owner is notified; frontdesk notify --test tries it")
	}
	if len(s.config.Notify) > 0 && s.config.OwnerURL == "" {
		s.log.Warn().Msg("notifications have no link: set FRONTDESK_ADMIN_ADDR, and FRONTDESK_OWNER_URL if its address is not the public one")
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
	if s.config.MailFiles {
		message += "; no mail server: mails are kept as files in " + filepath.Join(s.settings.Dir(), "mail")
	}
	s.log.Info().Msg(message)
}
