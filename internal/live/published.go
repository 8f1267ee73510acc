package live

import (
	"context"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/pilot"
	"frontdesk/internal/site"
	"frontdesk/mailer"
	"frontdesk/mcpserver"
)

// published is what a snapshot publishes until a page of it changes by itself: documents,
// pages and MCP servers, all encoded.
type published struct {
	documents          map[string]*discovery.Document
	pages              map[string]*discovery.Page
	website, workspace *mcpserver.Server
	from               time.Time // when it was made
	until              time.Time // zero when nothing changes
}

// Document returns the document that is published under a path of the route table.
func (p *published) Document(path string) *discovery.Document { return p.documents[path] }

// Page returns the page that is published under a path of the route table.
func (p *published) Page(path string) *discovery.Page { return p.pages[path] }

// published is what is published now: made when it is first wanted, and again when an entry expires, the business
// opens or closes, a day has passed (other questions may be asked most), or the clock was set back. Callers that
// come while it is being made wait for it.
func (s *Snapshot) published() *published {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	now := time.Now().Round(0) // the wall clock, which may be set
	if p := s.current; p == nil || now.Before(p.from) || !p.until.IsZero() && !now.Before(p.until) {
		s.current = s.publish(context.Background(), now)
	}
	return s.current
}

// publish returns nil once ctx has ended.
func (s *Snapshot) publish(ctx context.Context, now time.Time) *published {
	p := &published{pages: map[string]*discovery.Page{}, from: now, until: s.site.Changes(now)}
	var asked []string
	if s.builder.MostAsked != nil {
		asked = s.builder.MostAsked()
		if tomorrow := now.Add(24 * time.Hour); p.until.IsZero() || tomorrow.Before(p.until) {
			p.until = tomorrow // what is asked most changes
		}
	}
	for path, page := range s.site.Pages(ctx, now, asked...) {
		made := discovery.NewPage(page.Title, page.HTML, page.Markdown)
		for language, offering := range page.Offering {
			if made.Offering == nil {
				made.Language, made.Offering = page.Language, map[string]*discovery.Document{}
			}
			made.Offering[language] = discovery.NewDocument(made.HTML.ContentType, offering)
		}
		p.pages[path] = made.With(s.facts.At, path)
	}
	if ctx.Err() != nil {
		return nil
	}
	p.documents = s.documents(p.pages, now)
	for _, asset := range s.site.Assets() {
		p.documents[asset.Path] = assetDocument(asset)
		p.documents[asset.Path].Header = map[string][]string{"Cache-Control": {"public, max-age=31536000, immutable"}}
	}
	embed := discovery.NewDocument("text/javascript"+contract.CharsetUTF8, s.site.Embed(asked...))
	// for pages that are isolated (COEP)
	embed.Header = map[string][]string{"Cross-Origin-Resource-Policy": {"cross-origin"}}
	p.documents[contract.PathEmbed] = embed
	icon := assetDocument(s.site.PhoneIcon())
	p.documents[contract.PathFavicon], p.documents[contract.PathTouchIcon] = icon, icon
	if core := s.builder.Core; core != nil {
		p.website, p.workspace = core.Servers(&s.facts, p)
	}
	return p
}

func assetDocument(asset site.Asset) *discovery.Document {
	if strings.HasPrefix(asset.Type, "image/") && asset.Type != "image/svg+xml" {
		return discovery.NewImage(asset.Type, asset.Bytes)
	}
	return discovery.NewDocument(asset.Type, asset.Bytes)
}

// documents makes the documents that describe the service. Their examples are real
// answers of the service.
func (s *Snapshot) documents(pages map[string]*discovery.Page, now time.Time) map[string]*discovery.Document {
	facts := s.facts
	facts.Pages, facts.Now = discovery.ListPages(pages), now
	pilots := pilot.Requests{
		// The owner's addresses are not part of a preview, only of its digest.
		Mail:    func() mailer.Account { return mailer.Account{From: "desk@example.com", To: "owner@example.com"} },
		BaseURL: facts.At.Base,
		Wording: func() pilot.Wording { return wordingOf(s.Content) },
	}
	facts.Ask = func(q string) contract.Answer { return s.Answerer.Ask(context.Background(), q) }
	facts.Preview = pilots.Preview
	return discovery.Documents(&facts)
}
