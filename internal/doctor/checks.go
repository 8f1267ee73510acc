package doctor

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/signing"
)

// Options are what is examined.
type Options struct {
	Settings config.Settings
	Environ  []string // as os.Environ gives it
	// Content checks the content folder as frontdesk check does, and returns a
	// summary, with how many warnings there are.
	Content func() (summary string, warnings int, err error)
	// Transport carries the requests to the base address and to the model; nil
	// means net/http's own.
	Transport http.RoundTripper
}

// contentLimit is longer than the others': training the selector on thousands of
// entries takes the processor, and waits for nobody.
const contentLimit = time.Minute

// defaultAddr is where a service listens that is told nothing.
const defaultAddr = ":8080"

// examination is what the checks share, read alone.
type examination struct {
	Options
	addr    string // to listen on
	service config.Service
	faulty  error // what is wrong with the settings; service is then half filled
	client  *http.Client
	probe   func(ctx context.Context, origin string) (keys int, err error)
	now     func() time.Time
}

// Checks lists the examinations of a service, in the order in which they are told.
func Checks(options Options) []Check {
	return examine(options).checks()
}

func examine(options Options) *examination {
	e := &examination{
		Options: options, addr: cmp.Or(options.Settings.Addr, defaultAddr),
		client: newClient(options.Transport), probe: signing.Probe, now: time.Now,
	}
	e.service, e.faulty = options.Settings.Service(port(e.addr))
	return e
}

func (e *examination) checks() []Check {
	return []Check{
		{Name: "settings", Run: e.settings},
		{Name: "content", Run: e.content, Limit: contentLimit},
		{Name: "data folder", Run: e.dataFolder},
		{Name: "database", Run: e.database},
		{Name: "redis", Run: e.redis},
		{Name: "signing key", Run: e.signingKey},
		{Name: "mail", Run: e.mail},
		{Name: "model", Run: e.model},
		{Name: "listen address", Run: e.listenAddress},
		{Name: "base address", Run: e.baseAddress},
		{Name: "trusted proxies", Run: e.trustedProxies},
		{Name: "agent directories", Run: e.agentDirectories},
		{Name: "clock", Run: e.clock},
	}
}
