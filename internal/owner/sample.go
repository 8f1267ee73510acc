package owner

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"frontdesk/content"
)

// sampleForms are what the parts of a sample are written with; the others are facts of the business.
var sampleForms = map[content.PartKind]*form{
	content.PartService: &services, content.PartBand: &prices, content.PartAnswer: &answers,
	content.PartPage: &pages, content.PartPicture: &pictures,
}

// samplePart is how many parts of a kind are still the sample's.
type samplePart struct {
	Key  string // of its message
	Path string // where they are written
	N    int
}

// sampleParts counts what is still the sample's, by kind.
func sampleParts(c *content.Content) (parts []samplePart) {
	for _, part := range c.StillSample() {
		key := "owner.today.sample." + strings.ReplaceAll(string(part.Kind), " ", "-")
		if i := slices.IndexFunc(parts, func(known samplePart) bool { return known.Key == key }); i >= 0 {
			parts[i].N++
			continue
		}
		path := pathBusiness
		if f := sampleForms[part.Kind]; f != nil {
			path = f.home
		}
		parts = append(parts, samplePart{key, path, 1})
	}
	return parts
}

// removeSample proposes to remove every item that is still the sample's and that nothing else needs.
func (p *Pages) removeSample(w http.ResponseWriter, r *http.Request, s session) error {
	rest := s.Text("owner.today.sample.rest")
	return p.propose(w, r, s, proposal{
		Back: Path, Action: r.URL.Path, Here: Path, Next: Path, Intro: s.Text("owner.form.removes", rest),
		prepare: func(context.Context) (*content.Change, error) {
			change := p.Curator.NewChange(s.Text("owner.summary.removed", rest))
			for _, part := range p.Service.Live().Content.StillSample() {
				f := sampleForms[part.Kind]
				if f == nil || f.inUse != nil && len(f.inUse(p, s, change, part.ID)) > 0 {
					continue
				}
				take := f.removeItem
				if f.files != nil { // only the file in the language that is still the sample's
					take = func(change *content.Change, _ string) error { return change.Remove(part.File) }
				}
				if err := take(change, part.ID); err != nil {
					return nil, err
				}
			}
			return change, nil
		},
	})
}
