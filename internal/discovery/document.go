package discovery

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"

	"frontdesk/contract"
)

// Document is a published document as it is sent. It is made once, when content is
// loaded, and compressed when a client first accepts gzip.
type Document struct {
	ContentType string
	Header      http.Header // further headers of every answer; nil for most
	Body        Form
	Gzip        func() *Form
}

// Form is one encoding of a document, with its headers.
type Form struct {
	Bytes    []byte
	ETag     string // strong, and different for each form (RFC 9110 8.8.3.3)
	Encoding string // the Content-Encoding; empty for the plain form
}

// Page is a page for people in its two forms.
type Page struct {
	HTML, Markdown *Document
	Path           string // under which it is published
	Title          string
	// Language is the page's; Offering is its HTML with a link to the page in another
	// language, keyed by that language. Both are empty on a site of one language.
	Language string
	Offering map[string]*Document
}

// Published returns documents and pages by path, nil if there is none.
type Published interface {
	Document(path string) *Document
	Page(path string) *Page
}

// NewPage makes both forms of a page.
func NewPage(title string, html, markdown []byte) *Page {
	return &Page{
		Title:    title,
		HTML:     NewDocument(contract.TypeHTML+contract.CharsetUTF8, html),
		Markdown: NewDocument(typeMarkdown, markdown),
	}
}

// With returns the page with the Link headers of the page at path: each of its forms names the other one, and both
// lead to the documents that describe the service to programs (RFC 9727, RFC 8631, llms.txt v2, ARD).
func (p *Page) With(at Addresses, path string) *Page {
	documents := ", " + at.link(contract.PathLLMS, "describedby", contract.TypeText) +
		", " + at.apiCatalogLink() +
		", " + at.link(contract.PathOpenAPI, "service-desc", contract.TypeJSON) +
		", " + at.link(contract.PathDevelopers, "service-doc", contract.TypeHTML) +
		", " + at.link(contract.PathHealth, "status", contract.TypeJSON) +
		", " + at.link(contract.PathARD, "ard", contract.TypeJSON)
	html := at.link(contract.TwinPath(path), "alternate", contract.TypeMarkdown) + documents
	p.Path = path
	// Caches revalidate a page each time, so that it never asks for the style sheet of an older version; the ETag makes
	// that cheap.
	p.HTML.Header = http.Header{"Link": {html}, "Cache-Control": {"no-cache"}}
	p.Markdown.Header = http.Header{"Link": {at.link(path, "canonical", contract.TypeHTML) + documents}}
	for _, offering := range p.Offering {
		offering.Header = p.HTML.Header
	}
	return p
}

// Revision returns a short name for exactly these bytes: the first 16 hexadecimal digits of their SHA-256.
func Revision(body []byte) string { return fmt.Sprintf("%.8x", sha256.Sum256(body)) }

// NewDocument makes a document of a media type.
func NewDocument(contentType string, body []byte) *Document {
	revision := Revision(body)
	return &Document{
		ContentType: contentType,
		Body:        Form{Bytes: body, ETag: `"` + revision + `"`},
		// Compressing all documents takes a sixth of the time of a start.
		Gzip: sync.OnceValue(func() *Form {
			return &Form{Bytes: compress(body), ETag: `"` + revision + `-gzip"`, Encoding: "gzip"}
		}),
	}
}

// NewImage makes a document of a type that is already compressed: it has no gzip form.
func NewImage(contentType string, body []byte) *Document {
	document := NewDocument(contentType, body)
	document.Gzip = func() *Form { return &document.Body }
	return document
}

// compress uses the best level, because it runs once a document.
func compress(body []byte) []byte {
	var out bytes.Buffer
	writer, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // its only error is an unknown level
	_, _ = writer.Write(body)                                    // a bytes.Buffer never fails
	_ = writer.Close()
	return out.Bytes()
}

// link writes one target of a Link header (RFC 8288).
func (a Addresses) link(path, rel, mediaType string) string {
	return fmt.Sprintf("<%s>; rel=%q; type=%q", a.Base+path, rel, mediaType)
}

// apiCatalogLink is the Link header that an answer to HEAD of the api-catalog must have
// (RFC 9727, 2).
func (a Addresses) apiCatalogLink() string {
	return a.link(contract.PathAPICatalog, "api-catalog", contract.TypeLinkset)
}
