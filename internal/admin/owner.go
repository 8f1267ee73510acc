package admin

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/faq/evaluation"
	"frontdesk/internal/config"
	"frontdesk/internal/live"
	"frontdesk/internal/notify"
	"frontdesk/internal/outbox"
	"frontdesk/internal/owner"
	"frontdesk/internal/server"
	"frontdesk/internal/span"
	"frontdesk/middleware"
)

// service is what the owner's pages show and do of the service. With its parts it implements owner.Service.
type service struct {
	*Admin
	*live.Content
	*outbox.Outbox
	*server.Server
}

func (o service) Live() owner.Live {
	now := o.Content.Now()
	shown := owner.Live{Content: now.Content, Revision: now.Revision(), Since: now.Loaded}
	if state, reason := o.Content.State(); state != live.Ready {
		shown.Waiting = &owner.Waiting{Err: reason}
		shown.Waiting.Read, shown.Waiting.Texts = o.Content.Progress()
	}
	return shown
}

// checked is what was found in a snapshot.
type checked struct {
	of    *live.Snapshot
	check owner.Check
}

// Check implements owner.Service. Dates are left out: the page has a list of its own for them. The comparison of the
// entries trains the selector a few times, so it is made in the background, once for each content that someone looks
// at.
func (o service) Check() owner.Check {
	if state, _ := o.Content.State(); state == live.Encoding { // the comparison would read the content a second time
		return owner.Check{}
	}
	now, last := o.Content.Now(), o.checked.Load()
	if last != nil && last.of == now {
		return last.check
	}
	warnings := now.Content.Warnings(time.Time{}) // no date is past then
	warnings = append(warnings, faq.SizeWarnings(now.Content.FAQ, o.Content.Embedder != nil)...)
	first := &checked{now, owner.Check{Warnings: warnings}}
	if o.checked.CompareAndSwap(last, first) {
		go o.compare(first)
	}
	return first.check
}

// compare adds the warnings about entries that compete with each other, and what customers can expect.
func (o service) compare(first *checked) {
	defer o.Content.Embedder.Hold()()
	loaded := first.of.Content
	overlaps, asked := faq.CrossValidate(o.Working, loaded.FAQ, o.Content.Trial(loaded), owner.Precisions[:]...)
	check := owner.Check{Warnings: append(first.check.Warnings, overlaps...), Expected: expected(asked[0]), Compared: true}
	for i := range check.At {
		check.At[i] = expected(asked[1+i])
	}
	o.checked.CompareAndSwap(first, &checked{first.of, check})
}

// expected is what customers can expect, in whole questions of a hundred.
func expected(asked []evaluation.Result) *owner.Expected {
	report, hundredth := live.Expected(asked), func(share float64) int { return int(math.Round(100 * share)) }
	if report == nil {
		return nil
	}
	return &owner.Expected{
		Asked: len(asked), Found: hundredth(*report.InScopeAcc + *report.AmongCandidates),
		First: hundredth(*report.InScopeAcc), Wrong: hundredth(*report.AnsweredWrong),
	}
}

func (o service) Events(ctx context.Context) (events []span.Event, shared bool) {
	return o.Admin.Events.List(), !o.Settings.IsShared() && HasSecond(ctx, o.Settings.Dir())
}

func (o service) SendTests(ctx context.Context) []notify.Tested {
	tests := o.Settings.Tests()
	tests.Language = o.Content.Language()
	return tests.Send(ctx)
}

func (o service) Suggest(_ context.Context, q string) []string {
	best := o.Content.Now().Answerer.Try(q).Best
	return slices.Clone(best[:min(len(best), contract.MaxSuggestions)])
}

func (o service) Synonym(ctx context.Context, q string) (word, used string) {
	return o.Content.Now().Answerer.Synonym(ctx, q)
}

// makePages makes the owner's pages and returns the hosts, besides the admin address, under which browsers may reach
// them.
func (a *Admin) makePages() (hosts map[string]bool) {
	hosts, address := ownerHosts(a.Settings), a.Settings.OwnerURL
	if a.Settings.AdminAddr == "" && a.Settings.OwnerDomain == "" { // a published address cannot name a port that changes
		address = a.PagesURL("")
	}
	a.owner = owner.New(owner.Config{
		Service: service{a, a.Live, a.Outbox, a.Server}, Curator: a.curator(), Obstacle: a.obstacle,
		Store: a.Store, Mail: a.Settings.Mail, MailFixed: a.Settings.MailFixed,
		KeepsAnswered: a.Settings.KeepAnswered, Token: a.Settings.AdminToken,
		Precision: a.Settings.AnswerPrecision.Text, Address: address,
		HTTPS: func(host string) bool { return hosts[server.HostOf(host)] },
		Desk:  a.Settings.BaseURL, Version: a.Version, Log: a.Log,
		Refused: a.Metrics.SignInRefused,
	})
	a.pages = chi.Chain(
		middleware.RequestLog(a.Log, a.Metrics.Request),
		middleware.ClientAddress(a.Settings.TrustedProxies, nil, a.Log), named,
	).Handler(a.owner)
	return hosts
}

// named names the route of a request in the log and the metrics. A path that is not a page has none.
func named(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages.ServeHTTP(w, r)
		if _, path, isPage := strings.Cut(r.Pattern, " "); isPage { // set by the mux
			middleware.NameRoute(w, strings.TrimSuffix(path, "{$}"))
		}
	})
}

// OnlyOwnerPages answers under the owner's domain with the owner's pages, and with nothing else.
func (a *Admin) OnlyOwnerPages(next http.Handler) http.Handler {
	if a.Settings.OwnerDomain == "" {
		return next
	}
	pages := middleware.StandardHeaders(true)(a.pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case server.HostOf(r.Host) != a.Settings.OwnerDomain:
			next.ServeHTTP(w, r)
		case r.URL.Path == "/":
			http.Redirect(w, r, owner.Path, http.StatusSeeOther)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// ownerHosts are the hosts under which browsers may reach the owner's pages, besides the
// admin address itself, by whether they do so by https.
func ownerHosts(checked config.Service) map[string]bool {
	hosts := map[string]bool{}
	for _, address := range []string{checked.BaseURL, checked.OwnerURL} {
		if parsed, err := url.Parse(address); err == nil && parsed.Host != "" {
			host := server.HostOf(parsed.Host)
			hosts[host] = hosts[host] || parsed.Scheme == "https"
		}
	}
	return hosts
}

// SignInLink makes a link that opens the owner's pages in one browser.
func (a *Admin) SignInLink(ctx context.Context) (string, error) { return a.owner.SignInLink(ctx) }
