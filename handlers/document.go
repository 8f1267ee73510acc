package handlers

import (
	"iter"
	"net/http"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/negotiate"
)

// cacheDocument lets anyone keep a document for five minutes; its ETag makes
// looking again cheap.
var cacheDocument = []string{"public, max-age=300"}

// writeDocument sends a document: gzip-compressed where that is welcome, and as
// 304 where the client holds either form of it already.
func writeDocument(w http.ResponseWriter, r *http.Request, document *discovery.Document) {
	writeVarying(w, r, document, "Accept-Encoding")
}

// writeVarying is writeDocument for an answer that varies by other headers too.
func writeVarying(w http.ResponseWriter, r *http.Request, document *discovery.Document, vary string) {
	form := &document.Body
	if negotiate.Gzip(r.Header["Accept-Encoding"]) {
		form = document.Gzip()
	}
	header := w.Header()
	header["Cache-Control"] = cacheDocument
	for name, values := range document.Header {
		header[name] = values
	}
	addVary(header, vary)
	if held := heldForm(r.Header["If-None-Match"], document, form); held != nil {
		header["ETag"] = held.ETag
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header["ETag"] = form.ETag
	header["Content-Type"] = document.ContentType
	header["Content-Length"] = form.Length
	if form.Encoding != nil {
		header["Content-Encoding"] = form.Encoding
	}
	_, _ = w.Write(form.Bytes) // the client has gone; nothing is left to tell it
}

// heldForm returns the form that the client holds by its If-None-Match (RFC 9110
// 13.1.2, weak comparison), or nil. Both forms are the same document, so either
// tag will do.
func heldForm(ifNoneMatch []string, document *discovery.Document, chosen *discovery.Form) *discovery.Form {
	for tag := range heldTags(ifNoneMatch) {
		switch tag {
		case "*":
			return chosen
		case document.Body.ETag[0]:
			return &document.Body
		case document.Gzip().ETag[0]:
			return document.Gzip()
		}
	}
	return nil
}

// heldTags yields the entity tags of If-None-Match without their W/.
func heldTags(ifNoneMatch []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range ifNoneMatch {
			for tag := range strings.SplitSeq(line, ",") {
				if !yield(strings.TrimPrefix(strings.TrimSpace(tag), "W/")) {
					return
				}
			}
		}
	}
}

// varySigned is by what a document varies that is signed on request.
const varySigned = "Accept-Encoding, " + contract.HeaderAcceptSignature

var varyBy = map[string][]string{
	"Accept": {"Accept"}, "Accept-Encoding": {"Accept-Encoding"}, varySigned: {varySigned}}

// addVary notes a header by which the answer varies. The layers above may have
// noted one before.
func addVary(header http.Header, name string) {
	if header["Vary"] == nil {
		header["Vary"] = varyBy[name]
		return
	}
	header.Add("Vary", name)
}

// Document answers with the document that is published under path; aliases answer
// with the same one.
func (a *API) Document(path string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		writeDocument(w, r, a.Documents.Document(path))
		return nil
	}
}

// Catalog answers with the catalog (section 4).
func (a *API) Catalog(w http.ResponseWriter, r *http.Request) error {
	writeVarying(w, r, a.Documents.Document(contract.PathCatalog), varySigned)
	return nil
}
