package content

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// sampleTexts are the texts of all samples, read on first use.
var sampleTexts = sync.OnceValue(func() map[string]bool {
	texts := map[string]bool{}
	for _, name := range SampleNames() {
		sample, err := Load(SampleNamed(name))
		if err != nil {
			panic(err) // embedded, and checked by a test
		}
		for _, own := range sample.ownParts() {
			texts[own.text] = true
		}
	}
	return texts
})

// ownParts lists the parts of the content that belong to one business only, in the order of the files. Hours and statements are none,
// because any business may have the same.
func (c *Content) ownParts() (parts []SamplePart) {
	b := &c.Business
	add := func(kind PartKind, id, file string, line int, text string) {
		if text != "" {
			parts = append(parts, SamplePart{kind, id, file, line, text})
		}
	}
	add(PartName, "", catalogFile, 0, b.Name)
	add(PartSummary, "", catalogFile, 0, b.Summary)
	add(PartPhone, "", catalogFile, 0, b.Phone)
	add(PartEmail, "", catalogFile, 0, b.Email)
	if b.Address != nil {
		add(PartAddress, "", catalogFile, 0, b.Address.Street+b.Address.PostalCode+b.Address.City)
	}
	for i, service := range c.Services {
		add(PartService, service.ID, catalogFile, c.editions[0].serviceLines[i], service.Description)
	}
	for i, band := range c.Bands {
		add(PartBand, band.ID, catalogFile, c.editions[0].bandLines[i], band.Summary)
	}
	for _, entry := range c.FAQ.Entries {
		add(PartAnswer, entry.ID, faqFile, entry.Line, entry.Answer)
	}
	for _, page := range c.Pages {
		add(PartPage, page.Name, page.file, 0, page.Markdown)
	}
	for _, image := range c.Images {
		add(PartPicture, image.Name, assetsFolder+"/"+image.Name, 0, image.Path())
	}
	return parts
}

// PartKind is a kind of what a sample has.
type PartKind string

// The kinds.
const (
	PartName    PartKind = "name"
	PartSummary PartKind = "summary"
	PartAddress PartKind = "address"
	PartPhone   PartKind = "phone"
	PartEmail   PartKind = "email"
	PartService PartKind = "service"
	PartBand    PartKind = "pricing band"
	PartAnswer  PartKind = "answer"
	PartPage    PartKind = "page"
	PartPicture PartKind = "picture"
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
	texts := sampleTexts()
	parts = slices.DeleteFunc(c.ownParts(), func(part SamplePart) bool { return !texts[part.text] })
	return slices.CompactFunc(parts, func(a, b SamplePart) bool { // an answer may be there in several languages
		return a.Kind == b.Kind && a.ID == b.ID && a.File == b.File
	})
}

// maxNamed is how many leftovers of one file a warning names.
const maxNamed = 10

// leftovers warns of each file in which something is still the sample's.
func (c *Content) leftovers() (warnings []Fault) {
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
		warnings = append(warnings, Fault{File: file, Line: line, Message: message,
			Hint: "write your own, or delete what you do not need"})
	}
	return warnings
}
