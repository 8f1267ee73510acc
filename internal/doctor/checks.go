package doctor

import (
	"context"
	"net/http"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/live"
)

// contentLimit is longer than the other limits, because training the selector on
// thousands of entries takes time.
const contentLimit = time.Minute

// examination is the data that the checks share. They only read it.
type examination struct {
	Settings     config.Settings // with their defaults
	environ      []string
	service      config.Service
	faulty       error // the errors of the settings, if any
	client       *http.Client
	checkContent func(context.Context) (live.Checked, error)
}

// Run runs the checks of a service concurrently and returns their findings in the order of
// the report. With wrong settings it runs only the check that names them. environ is as
// os.Environ returns it.
func Run(ctx context.Context, settings config.Settings, environ []string) []Examined {
	e := examine(settings, environ)
	checks := e.checks()
	if e.faulty != nil {
		checks = checks[:1]
	}
	return run(ctx, checks)
}

func examine(settings config.Settings, environ []string) *examination {
	settings = settings.WithDefaults()
	e := &examination{
		Settings: settings, environ: environ,
		client: &http.Client{
			// a published address must answer directly
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		checkContent: func(ctx context.Context) (live.Checked, error) {
			return live.Check(ctx, settings.Content, live.Checks{Selection: settings.Selection, Service: settings.Dir()})
		},
	}
	e.service, e.faulty = settings.Service(0)
	return e
}

func (e *examination) checks() []check {
	return []check{
		{name: "settings", run: e.settings},
		{name: "content", run: e.content, limit: contentLimit},
		{name: "data folder", run: e.dataFolder},
		{name: "disk", run: e.disk},
		{name: "database", run: e.database},
		{name: "redis", run: e.redis},
		{name: "signing key", run: e.signingKey},
		{name: "backups", run: e.backups},
		{name: "mail", run: e.mail},
		{name: "notifications", run: e.notifications},
		{name: "model", run: e.model},
		{name: "domains", run: e.domains},
		{name: "certificates", run: e.certificates},
		{name: "base address", run: e.baseAddress},
		{name: "trusted proxies", run: e.trustedProxies},
		{name: "MCP", run: e.mcp},
	}
}
