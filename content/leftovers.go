package content

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// sampleTexts are the texts of all samples.
type sampleTexts struct {
	answers, records, pages map[string]bool
}

// samplesRead reads the samples on first use.
var samplesRead = sync.OnceValue(func() sampleTexts {
	texts := sampleTexts{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, name := range SampleNames() {
		sample, err := Load(SampleNamed(name))
		if err != nil {
			panic(err) // embedded, and checked by a test
		}
		for i := range sample.FAQ.Entries {
			texts.answers[sample.FAQ.Entries[i].Answer] = true
		}
		for _, record := range sample.catalogRecords() {
			texts.records[record.text] = true
		}
		for i := range sample.Pages {
			texts.pages[sample.Pages[i].Markdown] = true
		}
	}
	return texts
})

// record is a part of the catalog with the text that its owner must write.
type record struct {
	part SamplePart
	text string
}

// catalogRecords lists the parts of the catalog that belong to one business only.
func (c *Content) catalogRecords() []record {
	b := &c.Business
	list := []record{
		{SamplePart{Kind: PartName}, b.Name},
		{SamplePart{Kind: PartSummary}, b.Summary},
		{SamplePart{Kind: PartPhone}, b.Phone},
		{SamplePart{Kind: PartEmail}, b.Email},
	}
	if b.Address != nil {
		list = append(list, record{SamplePart{Kind: PartAddress}, b.Address.Street + b.Address.PostalCode + b.Address.City})
	}
	for i, service := range c.Services {
		list = append(list, record{SamplePart{Kind: PartService, ID: service.ID, Line: c.editions[0].serviceLines[i]}, service.Description})
	}
	for i, band := range c.Bands {
		list = append(list, record{SamplePart{Kind: PartBand, ID: band.ID, Line: c.editions[0].bandLines[i]}, band.Summary})
	}
	return slices.DeleteFunc(list, func(r record) bool { return r.text == "" })
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
// exist, in the order of the files. Hours and statements are not compared, because any
// business may have the same.
func (c *Content) StillSample() (parts []SamplePart) {
	samples := samplesRead()
	add := func(isLeft bool, part SamplePart) {
		if isLeft {
			parts = append(parts, part)
		}
	}
	for _, record := range c.catalogRecords() {
		record.part.File = catalogFile
		add(samples.records[record.text], record.part)
	}
	for i := range c.FAQ.Entries {
		entry := &c.FAQ.Entries[i]
		part := SamplePart{PartAnswer, entry.ID, faqFile, entry.Line}
		isNamed := len(parts) > 0 && parts[len(parts)-1] == part // in another language
		add(samples.answers[entry.Answer] && !isNamed, part)
	}
	for i := range c.Pages {
		page := &c.Pages[i]
		add(samples.pages[page.Markdown], SamplePart{PartPage, page.Name, page.file, 0})
	}
	for _, image := range c.Images {
		add(isSampleImage(image), SamplePart{PartPicture, image.Name, assetsFolder + "/" + image.Name, 0})
	}
	return parts
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

func isSampleImage(image Image) bool {
	return slices.ContainsFunc(SampleNames(), func(name string) bool {
		data, err := fs.ReadFile(SampleNamed(name), assetsFolder+"/"+image.Name)
		return err == nil && bytes.Equal(data, image.Data)
	})
}
