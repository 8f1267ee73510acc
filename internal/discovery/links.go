package discovery

import (
	"fmt"
	"strings"

	"frontdesk/contract"
)

// link is one target of a Link header (RFC 8288).
type link struct {
	Rel, Href, Type string // Href absolute; Type may be empty
}

// linkHeader writes links as one header value.
func linkHeader(links ...link) string {
	values := make([]string, len(links))
	for i, l := range links {
		values[i] = fmt.Sprintf("<%s>; rel=%q", l.Href, l.Rel)
		if l.Type != "" {
			values[i] += fmt.Sprintf("; type=%q", l.Type)
		}
	}
	return strings.Join(values, ", ")
}

// documentLinks lead from every page to the documents that describe the service to
// programs (RFC 9727, RFC 8631, llms.txt v2, ARD).
func (a Addresses) documentLinks() []link {
	return []link{
		{"describedby", a.Base + contract.PathLLMS, contract.TypeText},
		{"api-catalog", a.Base + contract.PathAPICatalog, contract.TypeLinkset},
		{"service-desc", a.Base + contract.PathOpenAPI, contract.TypeJSON},
		{"service-doc", a.Base + contract.PathDevelopers, contract.TypeHTML},
		{"status", a.Base + contract.PathHealth, contract.TypeJSON},
		{"ard", a.Base + contract.PathARD, contract.TypeJSON},
	}
}

// pageLinks returns the Link headers of both forms of the page at path: each names the
// other form, and both lead to the documents.
func (a Addresses) pageLinks(path string) (html, markdown string) {
	documents := a.documentLinks()
	twin := link{"alternate", a.Base + contract.TwinPath(path), contract.TypeMarkdown}
	page := link{"canonical", a.Base + path, contract.TypeHTML}
	return linkHeader(append([]link{twin}, documents...)...), linkHeader(append([]link{page}, documents...)...)
}
