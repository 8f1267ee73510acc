package app

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
	"frontdesk/internal/model"
	"frontdesk/internal/outbox"
	"frontdesk/internal/owner"
	"frontdesk/internal/quota"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/middleware"
)

// ownerService is what the owner's pages show and do of the service; it implements
// owner.Service.
type ownerService struct {
	live    *live
	config  config.Service
	store   *records.Store
	calls   quota.CallCounter
	outbox  *outbox.Outbox
	builder builder
	mails   *mailer.Folder

	mu        sync.Mutex
	comparing sync.WaitGroup
	of        *snapshot // that of the warnings
	warnings  []string
	complete  bool
}

// Live implements owner.Service.
func (o *ownerService) Live() owner.Live {
	now := o.live.current.Load()
	return owner.Live{Content: now.content, Revision: now.state.Revision(), Since: now.facts.Loaded}
}

// StyleSheet implements owner.Service.
func (o *ownerService) StyleSheet() []byte {
	for _, asset := range o.live.current.Load().site.Assets() {
		if strings.HasPrefix(asset.Type, "text/css") {
			return asset.Bytes
		}
	}
	return nil
}

// Warnings implements owner.Service. Dates are left out: the page has a list of its own
// for them. The comparison of the entries trains the selector a few times, so it is made
// in the background, once for each content that someone looks at.
func (o *ownerService) Warnings() (warnings []string, complete bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.live.current.Load(); now != o.of {
		o.of, o.complete, o.warnings = now, false, nil
		for _, warning := range now.content.Warnings(time.Time{}) { // no date is past then
			o.warnings = append(o.warnings, warning.String())
		}
		o.warnings = append(o.warnings, faq.SizeWarnings(now.content.FAQ, o.builder.encoder)...)
		o.comparing.Go(func() { o.compare(now) })
	}
	return o.warnings, o.complete
}

// compare adds the warnings about entries that compete with each other.
func (o *ownerService) compare(of *snapshot) {
	build := func(entries content.FAQ) *faq.Book {
		return o.builder.newBook(entries, of.content.Golden.Unanswered, o.builder.precision, discovery.Addresses{}.Resolve)
	}
	var found []string
	for _, warning := range faq.Compete(of.content.FAQ, build) {
		found = append(found, warning.String())
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == of {
		o.warnings, o.complete = append(o.warnings, found...), true
	}
}

// ModelCallsLeft implements owner.Service.
func (o *ownerService) ModelCallsLeft(ctx context.Context) (left, limit int, err error) {
	if !o.config.Model.IsSet() {
		return 0, 0, nil
	}
	calls, err := o.calls.ModelCalls(ctx, model.Day(time.Now()))
	return max(0, o.config.ModelDailyCap-calls), o.config.ModelDailyCap, err
}

// Resend implements owner.Service.
func (o *ownerService) Resend(ctx context.Context, id string) (records.Inquiry, error) {
	return o.outbox.Resend(ctx, id)
}

// ownerPages makes the owner's pages and lets the admin listener serve them.
func (p parts) ownerPages(operator *admin, builder builder, calls quota.CallCounter, settings config.Settings, reload chan<- chan<- reloadVerdict, version string, opened *closers) *owner.Pages {
	service := &ownerService{live: p.live, config: p.config, store: p.store, calls: calls, outbox: p.outbox, builder: builder, mails: mailer.FolderOf(settings.Dir())}
	opened.add(service.comparing.Wait)
	hosts := ownerHosts(p.config)
	pages := owner.New(owner.Config{
		Service: service,
		Corrections: &corrections{
			store: p.store, folder: settings.Content, builder: builder, reload: reload,
			shared: settings.DatabaseURL != "" || settings.DatabaseURLFile != "" || p.quota != nil,
		},
		Store: p.store, KeepsAnswered: p.config.KeepAnswered, Token: p.config.AdminToken, Address: p.config.OwnerURL,
		HTTPS:         func(host string) bool { return hosts[hostOf(host)] },
		ContentFolder: settings.Content, Version: version, Log: p.log,
	})
	operator.pages, operator.published = middleware.ClientAddress(p.config.TrustedProxies, p.log)(pages), hosts
	return pages
}

// ownerHosts are the hosts under which browsers may reach the owner's pages, beside the
// admin address itself, by whether they do so by https.
func ownerHosts(checked config.Service) map[string]bool {
	hosts := map[string]bool{}
	for _, address := range []string{checked.BaseURL, checked.OwnerURL} {
		if parsed, err := url.Parse(address); err == nil && parsed.Host != "" {
			host := hostOf(parsed.Host)
			hosts[host] = hosts[host] || parsed.Scheme == "https"
		}
	}
	return hosts
}

// SignInLink makes a link that opens the owner's pages in one browser. There is none
// without an admin address.
func (s *Service) SignInLink(ctx context.Context) (string, error) {
	if s.pages == nil {
		return "", errNoPages
	}
	return s.pages.SignInLink(ctx)
}
