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
	// Transport carries the requests to the base address and to the model; nil
	// means net/http's own.
	Transport http.RoundTripper
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

// Checks lists the checks of a service, in the order of the report.
func Checks(options Options) []Check {
	return examine(options).checks()
}

func examine(options Options) *examination {
	options.Settings = options.Settings.WithDefaults()
	e := &examination{Options: options, client: &http.Client{
		Transport:     options.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // a published address must answer directly
	}}
	e.cost = sync.OnceValues(options.FirstStart)
	e.service, e.faulty = options.Settings.Service(0)
	return e
}

func (e *examination) checks() []Check {
	return []Check{
		{Name: "settings", Run: e.settings},
		{Name: "content", Run: e.content, Limit: contentLimit},
		{Name: "first start", Run: e.firstStart},
		{Name: "data folder", Run: e.dataFolder},
		{Name: "disk", Run: e.disk},
		{Name: "database", Run: e.database},
		{Name: "redis", Run: e.redis},
		{Name: "signing key", Run: e.signingKey},
		{Name: "backups", Run: e.backups},
		{Name: "mail", Run: e.mail},
		{Name: "notifications", Run: e.notifications},
		{Name: "model", Run: e.model},
		{Name: "listen address", Run: e.listenAddress},
		{Name: "domains", Run: e.domains},
		{Name: "certificates", Run: e.certificates},
		{Name: "base address", Run: e.baseAddress},
		{Name: "trusted proxies", Run: e.trustedProxies},
		{Name: "limits", Run: e.limits},
	}
}
