package live

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/faq/semantic"
	"frontdesk/internal/discovery"
	"frontdesk/internal/site"
	"frontdesk/mcpserver"
)

// Snapshot is content that was checked, indexed and encoded once.
type Snapshot struct {
	Content  *content.Content
	Answerer *faq.Answerer
	Loaded   time.Time

	version content.Digest // of the folder it was read from
	facts   discovery.Publication
	site    *site.Site
	builder Builder // which made it

	publishing sync.Mutex
	current    *published // guarded by publishing; nil before the first use
}

// Revision returns the revision of the content.
func (s *Snapshot) Revision() string { return s.version.Revision() }

// isOutdated reports whether facts have changed since s was loaded, or the clock was set back to before that.
func (s *Snapshot) isOutdated(now time.Time) bool {
	change := s.Content.FactsChange
	now = now.Round(0) // the wall clock
	return now.Before(s.Loaded) || !change.IsZero() && !now.Before(change)
}

// Builder makes snapshots of loaded content. With only BuildAnswerer set it checks content.
type Builder struct {
	BuildAnswerer faq.Builder        // trains the selector, which takes longer than the rest of a start
	Embedder      *semantic.Embedder // nil without an encoder
	At            discovery.Addresses
	Origins       []string          // of the pages whose requests the service answers
	Proofs        map[string]string // texts that prove the domain, by path
	Cache         string            // folder of smaller variants of photos; empty keeps none
	Core          *mcpserver.Core   // what the MCP tools call; nil makes no MCP servers
	MostAsked     func() []string   // ids of entries, the most asked first; nil if that is not known
}

// train makes the answerer of loaded content. It fails when ctx ends, and when a golden question fails.
func (b Builder) train(ctx context.Context, loaded *content.Content) (*faq.Answerer, error) {
	release, err := faq.Prepare(ctx, b.Embedder, loaded.FAQ, loaded.Golden)
	defer release()
	if err != nil {
		return nil, err
	}
	answerer := b.BuildAnswerer(loaded.FAQ, loaded.Golden.Unanswered, b.At.Resolve)
	faults := answerer.CheckGolden(ctx, loaded.Golden)
	if ctx.Err() == nil && len(faults) > 0 {
		return nil, faults
	}
	return answerer, ctx.Err()
}

// Trial returns what makes answerers of changed entries of a content, to check them.
func (b Builder) Trial(of *content.Content) func(content.FAQ) *faq.Answerer {
	return func(entries content.FAQ) *faq.Answerer {
		return b.BuildAnswerer(entries, of.Golden.Unanswered, discovery.Addresses{}.Resolve)
	}
}

// snapshot makes what is served of loaded content and its answerer. What it publishes is made on first use.
func (b Builder) snapshot(loaded *content.Content, version content.Digest, answerer *faq.Answerer) (*Snapshot, error) {
	s := &Snapshot{Content: loaded, Answerer: answerer, Loaded: time.Now(), version: version, builder: b}
	s.facts = discovery.Publication{Content: loaded, At: b.At, Catalog: discovery.Catalog(loaded, b.At),
		Loaded: s.Loaded, Proofs: b.Proofs}
	var err error
	s.site, err = site.New(site.Source{
		Content: loaded, Catalog: s.facts.Catalog, Base: b.At.Base, Origins: b.Origins,
		Auth: string(discovery.AuthGuide(&s.facts)), Cache: b.Cache,
	})
	return s, err
}

// build trains an answerer, and makes its snapshot with everything that it publishes.
func (b Builder) build(ctx context.Context, loaded *content.Content, version content.Digest) (*Snapshot, error) {
	answerer, err := b.train(ctx, loaded)
	if err != nil {
		return nil, err
	}
	return b.complete(ctx, loaded, version, answerer)
}

// complete is snapshot with everything that it publishes. It fails when ctx ends, so that nothing is rendered for a
// client that has left.
func (b Builder) complete(ctx context.Context, loaded *content.Content, version content.Digest,
	answerer *faq.Answerer) (*Snapshot, error) {
	s, err := b.snapshot(loaded, version, answerer)
	if err != nil {
		return nil, err
	}
	s.current = s.publish(ctx, s.Loaded) // no one else has the snapshot yet
	return s, ctx.Err()
}

// LoadFolder reads a content folder, or the embedded sample when dir is empty.
func LoadFolder(dir string) (*content.Content, error) {
	loaded, _, err := loadVersion(dir)
	return loaded, err
}

// loadVersion is LoadFolder with the version that was read, even if the content is bad.
func loadVersion(dir string) (*content.Content, content.Digest, error) {
	if dir == "" {
		return content.LoadWithDigest(content.Sample())
	}
	folder, err := os.OpenRoot(dir) // links that leave the folder are refused
	if err != nil {
		return nil, content.Digest{}, fmt.Errorf("FRONTDESK_CONTENT: %s is not a folder that can be read (%w); frontdesk "+
			"init %s makes one from the sample", dir, err, dir)
	}
	defer folder.Close()
	return content.LoadWithDigest(folder.FS())
}
