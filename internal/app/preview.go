package app

import (
	"slices"
	"sync"
	"time"

	"frontdesk/internal/discovery"
)

// Bounds of the previews that are kept: each is as large as the live content.
const (
	maxPreviews = 2
	previewTime = 15 * time.Minute // since someone looked at it
)

// previews are snapshots of changes that were tried, to look at before they are made.
type previews struct {
	mu   sync.Mutex
	kept []*preview // the one that was looked at last is the last
}

// preview is a snapshot until it is forgotten.
type preview struct {
	*snapshot
	forget *time.Timer
}

// keep keeps a snapshot in place of the one that no one has looked at for the longest.
func (p *previews) keep(made *snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.kept) >= maxPreviews {
		p.kept[0].forget.Stop()
		p.kept = slices.Delete(p.kept, 0, 1)
	}
	one := &preview{snapshot: made}
	one.forget = time.AfterFunc(previewTime, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.kept = slices.DeleteFunc(p.kept, func(other *preview) bool { return other == one })
	})
	p.kept = append(p.kept, one)
}

// get returns the snapshot of a revision, or nil.
func (p *previews) get(revision string) *snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.kept, func(one *preview) bool { return one.state.Revision() == revision })
	if at < 0 {
		return nil
	}
	one := p.kept[at]
	one.forget.Reset(previewTime)
	p.kept = append(slices.Delete(p.kept, at, at+1), one)
	return one.snapshot
}

// Preview implements owner.Service.
func (o *ownerService) Preview(revision, path string) (document *discovery.Document, found bool) {
	made := o.previews.get(revision)
	if made == nil {
		return nil, false
	}
	if page := made.published().Page(path); page != nil {
		return page.HTML, true
	}
	return made.published().Document(path), true
}
