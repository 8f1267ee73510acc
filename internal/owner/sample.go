package owner

import (
	"errors"
	"slices"
	"strings"

	"frontdesk/content"
)

// sampleForms are what the parts of a sample are written with; the others are facts of the business.
var sampleForms = map[content.PartKind]*form{
	content.PartService: &services, content.PartBand: &prices, content.PartAnswer: &answers,
	content.PartPage: &pages, content.PartPicture: &pictures,
}

// sampleFields are the fields in which the form of the business shows these facts.
var sampleFields = map[content.PartKind]string{
	content.PartName: "business.name", content.PartSummary: "business.summary", content.PartPhone: "business.phone",
	content.PartEmail: "business.email", content.PartAddress: "business.address.street",
	content.PartPlace: "business.coordinates.latitude", content.PartSpecial: "business.special_hours",
	content.PartStatements: "statements",
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
		path := business.at(sampleFields[part.Kind])
		if f := sampleForms[part.Kind]; f != nil {
			path = f.home
		}
		parts = append(parts, samplePart{key, path, 1})
	}
	return parts
}

// removeSample proposes to remove every item that is still the sample's and that nothing else needs, and the sample's
// questions that must not be answered, because the owner's answers may fit them.
func (v visit) removeSample() error {
	rest := v.Text("owner.today.sample.rest")
	change := v.Curator.NewChange(v.Text("owner.summary.removed", rest))
	var err error
	for _, part := range v.live().StillSample() {
		switch f := sampleForms[part.Kind]; {
		case part.Kind == content.PartStatements:
			err = errors.Join(err, change.Delete(catalogFile, content.Path{"statements"}))
		case f == nil, len(v.usersOf(*f, change, part.ID)) > 0:
		case f.files != nil: // only the file in the language that is still the sample's
			err = errors.Join(err, change.Remove(part.File))
		default:
			err = errors.Join(err, change.RemoveItem(f.file, f.list, part.ID))
		}
	}
	for _, golden := range v.live().Golden.Unanswered {
		if v.live().IsSampleQuestion(golden.Q) {
			err = errors.Join(err, change.RemoveGolden(golden.Q))
		}
	}
	if v.live().IsSampleRequest() {
		err = errors.Join(err, change.Delete(catalogFile, content.Path{"requests", "name"}))
	}
	return v.propose(proposal{
		Back: Path, Next: Path, Intro: v.Text("owner.form.removes", rest),
	}, change, err)
}
