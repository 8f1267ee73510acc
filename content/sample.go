package content

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed samples
var embedded embed.FS

// firmSample is the sample of an invented firm, served until the owner sets a content folder.
const firmSample = "firm"

// Sample returns the content of that firm.
func Sample() fs.FS { return SampleNamed("") }

// SampleNames lists the samples, one for each kind of business.
func SampleNames() (names []string) {
	entries, _ := embedded.ReadDir("samples") // embedded
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// SampleNamed returns a sample by its name; the empty name means Sample.
func SampleNamed(name string) fs.FS {
	sample, _ := fs.Sub(embedded, "samples/"+cmp.Or(name, firmSample)) // one of SampleNames is a valid path
	return sample
}

// Init writes a sample into dir, which it creates if needed, and returns the paths
// of the written files. If any of them exists, nothing is written and the error names
// all of these. The empty name means Sample; the error for an unknown one lists
// SampleNames.
func Init(dir, sample string) ([]string, error) {
	if sample != "" && !slices.Contains(SampleNames(), sample) {
		return nil, fmt.Errorf("there is no sample %q (%s)", sample, suggest(sample, SampleNames()))
	}
	source := SampleNamed(sample)
	var written []string
	var existing error
	if err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		written = append(written, path)
		switch _, err := os.Lstat(path); { // a dangling link counts as an existing file
		case err == nil:
			existing = errors.Join(existing, fmt.Errorf("%s: %w", path, fs.ErrExist))
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if existing != nil {
		return nil, errors.Join(existing, errors.New("nothing was written: name another folder, or remove these files first"))
	}
	return written, os.CopyFS(dir, source) // overwrites no file, not even one created meanwhile
}

// sampleTexts returns two sets: the texts of all samples, and their test questions that must not be answered. They are
// read on first use.
var sampleTexts = sync.OnceValues(func() (texts, unanswered map[string]bool) {
	texts, unanswered = map[string]bool{}, map[string]bool{}
	for _, name := range SampleNames() {
		sample, err := Load(SampleNamed(name))
		if err != nil {
			panic(err) // embedded, and checked by a test
		}
		for _, edition := range sample.editions {
			texts[edition.Request], texts[strings.Join(edition.Statements, "\n")] = true, true
		}
		for _, own := range sample.ownParts() {
			texts[own.text] = true
		}
		for _, question := range sample.Golden.Answered {
			texts[question.Q] = true
		}
		for _, question := range sample.Golden.Unanswered {
			unanswered[question.Q] = true
		}
	}
	return texts, unanswered
})

// ownParts lists the parts of the content that belong to one business only, in the order of the files. Weekly hours
// are none, because any business may have the same, and neither is one statement of several.
func (c *Content) ownParts() (parts []SamplePart) {
	add := func(kind PartKind, id, file string, line int, text string) {
		if text != "" {
			parts = append(parts, SamplePart{kind, id, file, line, text})
		}
	}
	fact := func(kind PartKind, text string) { add(kind, "", CatalogFile, 0, text) }
	for _, edition := range c.editions {
		fact(PartName, edition.Name)
	}
	for _, edition := range c.editions {
		fact(PartSummary, edition.Summary)
	}
	fact(PartPhone, c.Phone)
	fact(PartEmail, c.Email)
	if c.Address != nil {
		fact(PartAddress, c.Address.Street+c.Address.PostalCode+c.Address.City)
	}
	if c.Coordinates != nil {
		fact(PartPlace, fmt.Sprint(*c.Coordinates))
	}
	if len(c.SpecialHours) > 0 {
		fact(PartSpecial, fmt.Sprint(c.SpecialHours))
	}
	for _, service := range c.Services {
		add(PartService, service.ID, CatalogFile, c.serviceLines[service.ID], service.Description)
	}
	for _, band := range c.Bands {
		add(PartBand, band.ID, CatalogFile, cmp.Or(c.bandLines[band.ID], c.serviceLines[band.ID]), band.Summary)
	}
	// of the first language; those of the others go with them
	fact(PartStatements, strings.Join(c.Statements, "\n"))
	for entry := range c.FAQ.own() {
		add(PartAnswer, entry.ID, FAQFile, entry.Line, entry.Answer)
	}
	for _, page := range c.Pages {
		add(PartPage, page.Name, page.file, 0, page.Markdown)
	}
	for _, image := range c.Images {
		add(PartPicture, image.Name, AssetsFolder+"/"+image.Name, 0, image.Path())
	}
	return parts
}

// PartKind is a kind of what a sample has.
type PartKind string

// The kinds.
const (
	PartName       PartKind = "name"
	PartSummary    PartKind = "summary"
	PartAddress    PartKind = "address"
	PartPhone      PartKind = "phone"
	PartEmail      PartKind = "email"
	PartPlace      PartKind = "map position"
	PartSpecial    PartKind = "special hours"
	PartService    PartKind = "service"
	PartBand       PartKind = "pricing band"
	PartStatements PartKind = "statements"
	PartAnswer     PartKind = "answer"
	PartPage       PartKind = "page"
	PartPicture    PartKind = "picture"
)

// SamplePart is a part of the content that is still a sample's.
type SamplePart struct {
	Kind PartKind
	ID   string // of a service, a band or an answer; the name of a page or a picture; else empty
	File string // in the content folder
	Line int    // 0 for a whole file

	text string // that its owner must write; of a picture, the address of its bytes
}

// what names the part in a warning; empty for a whole file.
func (p SamplePart) what() string {
	switch p.Kind {
	case PartService, PartBand:
		return fmt.Sprintf("the %s %q", p.Kind, p.ID)
	case PartAnswer:
		return p.ID
	case PartPage, PartPicture:
		return ""
	}
	return fmt.Sprintf("the %s of the business", p.Kind)
}

// StillSample lists what is still from a sample and so speaks for a business that does not
// exist, in the order of the files.
func (c *Content) StillSample() (parts []SamplePart) {
	texts, _ := sampleTexts()
	parts = slices.DeleteFunc(c.ownParts(), func(part SamplePart) bool { return !texts[part.text] })
	if len(parts) == 1 && parts[0].Kind == PartStatements { // kept on purpose: they may suit any business
		return nil
	}
	return slices.CompactFunc(parts, func(a, b SamplePart) bool { // an answer may be there in several languages
		return a.Kind == b.Kind && a.ID == b.ID && a.File == b.File
	})
}

// IsSampleRequest reports whether a message is called what a sample calls it, in every language. It is no SamplePart,
// because the name may suit any business.
func (c *Content) IsSampleRequest() bool {
	texts, _ := sampleTexts()
	return !slices.ContainsFunc(c.editions, func(edition Edition) bool { return !texts[edition.Request] })
}

// IsSampleQuestion reports whether question is a test question of a sample that must not be answered, or one whose
// answer or service is still the sample's.
func (c *Content) IsSampleQuestion(question string) bool {
	texts, unanswered := sampleTexts()
	isAsked := func(golden GoldenQuestion) bool { return golden.Q == question }
	return unanswered[question] && slices.ContainsFunc(c.Golden.Unanswered, isAsked) ||
		texts[question] && slices.ContainsFunc(c.Golden.Answered, func(golden GoldenQuestion) bool {
			return isAsked(golden) && slices.ContainsFunc(c.StillSample(), func(part SamplePart) bool {
				return part.Kind == PartAnswer && part.ID == golden.ID ||
					part.Kind == PartService && factPrice+part.ID == golden.ID
			})
		})
}

// maxNamed is how many leftovers of one file a warning names.
const maxNamed = 10

// leftovers warns of each file in which something is still the sample's.
func (c *Content) leftovers() (warnings []Diagnostic) {
	parts := c.StillSample()
	for len(parts) > 0 {
		file, line := parts[0].File, parts[0].Line
		var names []string
		for len(parts) > 0 && parts[0].File == file {
			if name := parts[0].what(); name != "" {
				names = append(names, name)
			}
			parts = parts[1:]
		}
		message := "still from the sample, whose business does not exist"
		if more := len(names) - maxNamed; more > 0 {
			names = append(names[:maxNamed], fmt.Sprintf("and %d more", more))
		}
		if len(names) > 0 {
			message += ": " + strings.Join(names, ", ")
		}
		warnings = append(warnings,
			faultIn(file, line, message, "write your own, or delete what you do not need", "warning.sample"))
	}
	return warnings
}
