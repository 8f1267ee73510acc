package doctor

import (
	"context"
	"net/http"
	"sync"
	"time"

	"frontdesk/faq/meaning"
	"frontdesk/internal/config"
)

// Options select what is checked.
type Options struct {
	Settings config.Settings
	Environ  []string // as os.Environ returns it
	// Content checks the content folder as frontdesk check does, and returns a summary
	// and the number of warnings.
	Content func(ctx context.Context) (summary string, warnings int, err error)
	// FirstStart measures what the encoder has to read at the next start.
	FirstStart func() (meaning.Cost, error)
}

// contentLimit is longer than the other limits, because training the selector on
// thousands of entries takes time.
const contentLimit = time.Minute

// examination is the data that the checks share. They only read it.
type examination struct {
	Options
	service config.Service
	faulty  error // the errors of the settings, if any; service is then incomplete
	client  *http.Client
	cost    func() (meaning.Cost, error) // of the next start, measured once
}

// Run runs all checks of a service concurrently and returns their findings in the order of
// the report.
func Run(ctx context.Context, options Options) []Examined {
	return run(ctx, examine(options).checks())
}

func examine(options Options) *examination {
	options.Settings = options.Settings.WithDefaults()
	e := &examination{Options: options, cost: sync.OnceValues(options.FirstStart), client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // a published address must answer directly
	}}
	e.service, e.faulty = options.Settings.Service(0)
	return e
}

func (e *examination) checks() []check {
	return []check{
		{name: "settings", run: e.settings},
		{name: "content", run: e.content, limit: contentLimit},
		{name: "first start", run: e.firstStart},
		{name: "data folder", run: e.dataFolder},
		{name: "disk", run: e.disk},
		{name: "database", run: e.database},
		{name: "redis", run: e.redis},
		{name: "signing key", run: e.signingKey},
		{name: "backups", run: e.backups},
		{name: "mail", run: e.mail},
		{name: "notifications", run: e.notifications},
		{name: "model", run: e.model},
		{name: "listen address", run: e.listenAddress},
		{name: "domains", run: e.domains},
		{name: "certificates", run: e.certificates},
		{name: "base address", run: e.baseAddress},
		{name: "trusted proxies", run: e.trustedProxies},
		{name: "limits", run: e.limits},
	}
}
