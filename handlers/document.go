package handlers

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/payload"
	"frontdesk/internal/signing"
)

// cacheDocument allows caching for five minutes; the ETag makes revalidation cheap.
const cacheDocument = "public, max-age=300"

// Document answers with the document that is published under path, also under aliases.
func (a *API) Document(path string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		document := a.Documents.Document(path)
		if document == nil { // a reload has just switched trials off
			return contract.NoEndpoint("")
		}
		return writeDocument(w, r, document)
	}
}

// Catalog answers with the catalog (section 4), which is signed on request.
func (a *API) Catalog(w http.ResponseWriter, r *http.Request) error {
	return writeVarying(w, r, a.Documents.Document(contract.PathCatalog), "Accept-Encoding, "+
		contract.HeaderAcceptSignature)
}

// writeDocument sends a document, compressed if the client accepts gzip. It answers 304
// if the client has this form or the plain one, which every client accepts.
func writeDocument(w http.ResponseWriter, r *http.Request, document *discovery.Document) error {
	return writeVarying(w, r, document, "Accept-Encoding")
}

// writeVarying is writeDocument for an answer that also varies by other headers.
func writeVarying(w http.ResponseWriter, r *http.Request, document *discovery.Document, vary string) error {
	form := &document.Body
	if payload.AcceptsGzip(r.Header.Values("Accept-Encoding")) {
		form = document.Gzip()
	}
	header := w.Header()
	header.Set("Cache-Control", cacheDocument)
	header.Add("Vary", vary)
	maps.Copy(header, document.Header)
	if notModified(w, r, form.ETag, document.Body.ETag) {
		return nil
	}
	if form.Encoding != "" {
		header.Set("Content-Encoding", form.Encoding)
	}
	writeBody(w, http.StatusOK, document.ContentType, form.Bytes)
	return nil
}

// notModified sets the ETag of an answer. If the client already has the answer, it
// answers 304 and returns true (RFC 9110 13.1.2, weak comparison). The tags are those of the
// forms that the client accepts, first that of the answer: a client that has one of them
// gets a 304 with its tag.
func notModified(w http.ResponseWriter, r *http.Request, tags ...string) bool {
	w.Header().Set("ETag", tags[0])
	for _, line := range r.Header.Values("If-None-Match") {
		for held := range strings.SplitSeq(line, ",") {
			held = strings.TrimPrefix(strings.TrimSpace(held), "W/")
			if held != "*" && !slices.Contains(tags, held) {
				continue
			}
			if held != "*" {
				w.Header().Set("ETag", held)
			}
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

var healthy = payload.JSON(contract.Health{Status: contract.HealthOK})

// Health is the liveness check.
func Health(w http.ResponseWriter, _ *http.Request) error {
	writeEncoded(w, healthy)
	return nil
}

// exposedByKeys are the headers that pages of other origins need to verify the
// directory.
var exposedByKeys = strings.Join([]string{"ETag", contract.HeaderContentDigest,
	contract.HeaderSignature, contract.HeaderSignatureInput}, ", ")

// cacheKeys is the Cache-Control of the directory. Its signatures are valid for longer.
var cacheKeys = fmt.Sprintf("public, max-age=%.0f, no-transform", signing.DirectoryMaxAge.Seconds())

// KeyDirectory answers with the service's verification keys (section 5.8). The directory
// is never compressed, because its digest is signed, and it is signed only for the
// service's own authority.
func (a *API) KeyDirectory(w http.ResponseWriter, r *http.Request) error {
	keys := a.Keys()
	header := w.Header()
	header.Set("Cache-Control", cacheKeys)
	header.Set("Access-Control-Expose-Headers", exposedByKeys)
	keys.SetHeaders(header, r.Host)
	if !notModified(w, r, `"`+discovery.Revision(keys.Body())+`"`) {
		writeBody(w, http.StatusOK, contract.TypeKeyDirectory, keys.Body())
	}
	return nil
}
