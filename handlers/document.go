package handlers

import (
	"maps"
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/negotiate"
)

// cacheDocument allows caching for five minutes; the ETag makes revalidation cheap.
const cacheDocument = "public, max-age=300"

// Document answers with the document that is published under path, also under aliases.
func (a *API) Document(path string) func(http.ResponseWriter, *http.Request) error {
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
// if the client has either form, because both are the same document.
func writeDocument(w http.ResponseWriter, r *http.Request, document *discovery.Document) error {
	return writeVarying(w, r, document, "Accept-Encoding")
}

// writeVarying is writeDocument for an answer that also varies by other headers.
func writeVarying(w http.ResponseWriter, r *http.Request, document *discovery.Document, vary string) error {
	form := &document.Body
	if negotiate.Gzip(r.Header.Values("Accept-Encoding")) {
		form = document.Gzip()
	}
	header := w.Header()
	header.Set("Cache-Control", cacheDocument)
	header.Add("Vary", vary)
	maps.Copy(header, document.Header)
	if notModified(w, r, form.ETag, document.ETags...) {
		return nil
	}
	if form.Encoding != "" {
		header.Set("Content-Encoding", form.Encoding)
	}
	writeBody(w, http.StatusOK, document.ContentType, form.Bytes)
	return nil
}
