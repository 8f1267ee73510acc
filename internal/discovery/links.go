package discovery

import (
	"fmt"

	"frontdesk/contract"
)

// link writes one target of a Link header (RFC 8288).
func (a Addresses) link(path, rel, mediaType string) string {
	return fmt.Sprintf("<%s>; rel=%q; type=%q", a.Base+path, rel, mediaType)
}

// apiCatalogLink is the Link header that an answer to HEAD of the api-catalog must have
// (RFC 9727, 2).
func (a Addresses) apiCatalogLink() string {
	return a.link(contract.PathAPICatalog, "api-catalog", contract.TypeLinkset)
}

// pageLinks returns the Link headers of both forms of the page at path: each names the
// other form, and both lead to the documents that describe the service to programs
// (RFC 9727, RFC 8631, llms.txt v2, ARD).
func (a Addresses) pageLinks(path string) (html, markdown string) {
	documents := ", " + a.link(contract.PathLLMS, "describedby", contract.TypeText) +
		", " + a.apiCatalogLink() +
		", " + a.link(contract.PathOpenAPI, "service-desc", contract.TypeJSON) +
		", " + a.link(contract.PathDevelopers, "service-doc", contract.TypeHTML) +
		", " + a.link(contract.PathHealth, "status", contract.TypeJSON) +
		", " + a.link(contract.PathARD, "ard", contract.TypeJSON)
	return a.link(contract.TwinPath(path), "alternate", contract.TypeMarkdown) + documents,
		a.link(path, "canonical", contract.TypeHTML) + documents
}
