package app

import (
	"context"
	"math"
	"net/url"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/faq/evaluation"
	"frontdesk/internal/config"
	"frontdesk/internal/control"
	"frontdesk/internal/notify"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
	"frontdesk/middleware"
)

// ownerService is what the owner's pages show and do of the service; it implements
// owner.Service.
type ownerService struct {
	*Service
	mails   *mailer.Folder
	working context.Context // ends when the service does
}

func (o *ownerService) Live() owner.Live {
	now := o.live.now()
	return owner.Live{Content: now.content, Revision: now.state.Revision(), Since: now.facts.Loaded, Waiting: o.waiting()}
}

func (o *ownerService) StyleSheet() []byte {
	for _, asset := range o.live.now().site.Assets() {
		if strings.HasPrefix(asset.Type, "text/css") {
			return asset.Bytes
		}
	}
	return nil
}

// Check implements owner.Service. Dates are left out: the page has a list of its own
// for them. The comparison of the entries trains the selector a few times, so it is made
// in the background, once for each content that someone looks at.
func (o *ownerService) Check() owner.Check {
	now := o.live.now()
	if now.untried { // while the encoder reads the content, the comparison would do so a second time
		return owner.Check{}
	}
	now.comparing.Do(func() {
		warnings := now.content.Warnings(time.Time{}) // no date is past then
		warnings = append(warnings, faq.SizeWarnings(now.content.FAQ, o.builder.reader != nil)...)
		now.check.Store(&owner.Check{Warnings: warnings})
		go o.compare(now, warnings)
	})
	return *now.check.Load()
}

// compare adds the warnings about entries that compete with each other, and what callers can expect.
func (o *ownerService) compare(of *snapshot, warnings []content.Fault) {
	defer o.builder.reader.Hold()()
	overlaps, asked := faq.CrossValidate(o.working, of.content.FAQ, o.builder.trial(of.content), owner.Precisions[:]...)
	check := owner.Check{Warnings: append(warnings, overlaps...), Expected: ownerExpected(asked[0]), Compared: true}
	for i := range check.At {
		check.At[i] = ownerExpected(asked[1+i])
	}
	of.check.Store(&check)
}

// ownerExpected is what callers can expect, in whole questions of a hundred.
func ownerExpected(asked []evaluation.Result) *owner.Expected {
	if len(asked) < leastAsked {
		return nil
	}
	report, hundredth := evaluation.New(asked), func(share float64) int { return int(math.Round(100 * share)) }
	return &owner.Expected{
		Asked: len(asked), Found: hundredth(*report.InScopeAcc + *report.AmongCandidates),
		First: hundredth(*report.InScopeAcc), Wrong: hundredth(*report.AnsweredWrong),
	}
}

func (o *ownerService) Events(ctx context.Context) (events []span.Event, shared bool) {
	return o.events.List(), o.config.DatabaseURL == "" && o.config.DatabaseURLFile == "" &&
		control.Shared(ctx, o.config.Dir())
}

func (o *ownerService) SendTests(ctx context.Context) []notify.Tested {
	tests := o.config.Tests()
	tests.Language = o.live.language()
	return tests.Send(ctx)
}

func (o *ownerService) Resend(ctx context.Context, id string) (records.Inquiry, error) {
	return o.outbox.Resend(ctx, id)
}

// makeOwnerPages makes the owner's pages and returns the hosts under which browsers may reach them.
func (s *Service) makeOwnerPages(working context.Context) (hosts map[string]bool) {
	service := &ownerService{Service: s, mails: mailer.FolderOf(s.config.Dir()), working: working}
	hosts, address := ownerHosts(s.config), s.config.OwnerURL
	if s.config.AdminAddr == "" && s.config.OwnerDomain == "" { // a published address cannot lead to a port that changes
		address = s.ownPages()
	}
	s.admin.owner = owner.New(owner.Config{
		Service: service, Curator: s.curator(), Obstacle: s.obstacle,
		Store: s.store, KeepsAnswered: s.config.KeepAnswered, Token: s.config.AdminToken,
		Precision: s.config.AnswerPrecision.Text, Address: address,
		HTTPS:         func(host string) bool { return hosts[hostOf(host)] },
		Desk:          s.config.BaseURL,
		ContentFolder: s.config.Content, MailServer: mailServer(s.config.Mail), Version: s.options.Version, Log: s.log,
	})
	s.admin.pages = middleware.ClientAddress(s.config.TrustedProxies, nil, s.log)(s.admin.owner)
	return hosts
}

// mailServer is the host of a mail server; empty for mails that are kept as files.
func mailServer(mail mailer.Transport) string {
	address, err := url.Parse(mail.String())
	if err != nil {
		return ""
	}
	return address.Hostname()
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

// SignInLink makes a link that opens the owner's pages in one browser.
func (s *Service) SignInLink(ctx context.Context) (string, error) {
	return s.admin.owner.SignInLink(ctx)
}
