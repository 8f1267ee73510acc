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
	for _, name := range append([]string{""}, SampleNames()...) {
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
	what, text string
	line       int
}

func (c *Content) catalogRecords() []record {
	list := []record{{"the business", c.Business.Summary, 0}}
	for i, service := range c.Services {
		list = append(list, record{fmt.Sprintf("the service %q", service.ID), service.Description, c.records.services[i].line})
	}
	for i, band := range c.Bands {
		list = append(list, record{fmt.Sprintf("the pricing band %q", band.ID), band.Summary, c.records.bands[i].line})
	}
	return list
}

// IsSample reports whether any text of the content is still from a sample and so speaks
// for a business that does not exist.
func (c *Content) IsSample() bool { return len(c.leftovers()) > 0 }

// maxNamed is how many leftovers of one file a warning names.
const maxNamed = 10

// leftovers names the entries, pages and parts that are still the sample's. Statements
// are not compared, because any business may use them.
func (c *Content) leftovers() (warnings []Fault) {
	samples := samplesRead()
	var names []string
	first := 0
	add := func(name string, line int, isLeft bool) {
		if isLeft {
			if len(names) == 0 {
				first = line
			}
			names = append(names, name)
		}
	}
	warn := func(file string) {
		if len(names) > 0 {
			message := "still from the sample, whose business does not exist"
			if more := len(names) - maxNamed; more > 0 {
				names = append(names[:maxNamed], fmt.Sprintf("and %d more", more))
			}
			if list := strings.Join(names, ", "); list != "" {
				message += ": " + list
			}
			warnings = append(warnings, Fault{File: file, Line: first, Message: message,
				Hint: "write your own, or delete what you do not need"})
		}
		names, first = nil, 0
	}
	for _, record := range c.catalogRecords() {
		add(record.what, record.line, samples.records[record.text])
	}
	warn(catalogFile)
	for i := range c.FAQ.Entries {
		entry := &c.FAQ.Entries[i]
		add(entry.ID, entry.Line, samples.answers[entry.Answer])
	}
	warn(faqFile)
	for i := range c.Pages {
		page := &c.Pages[i]
		add("", 0, samples.pages[page.Markdown])
		warn(page.file)
	}
	for _, image := range c.Images {
		add("", 0, isSampleImage(image))
		warn(assetsFolder + "/" + image.Name)
	}
	return warnings
}

func isSampleImage(image Image) bool {
	return slices.ContainsFunc(SampleNames(), func(name string) bool {
		data, err := fs.ReadFile(SampleNamed(name), assetsFolder+"/"+image.Name)
		return err == nil && bytes.Equal(data, image.Data)
	})
}
