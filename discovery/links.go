package discovery

import (
	"fmt"
	"strings"

	"frontdesk/contract"
)

// Link is one target of a Link header (RFC 8288).
type Link struct {
	Rel, Href, Type string // Href absolute; Type may be empty
}

// LinkHeader writes links as one header value.
func LinkHeader(links ...Link) string {
	values := make([]string, len(links))
	for i, link := range links {
		values[i] = fmt.Sprintf("<%s>; rel=%q", link.Href, link.Rel)
		if link.Type != "" {
			values[i] += fmt.Sprintf("; type=%q", link.Type)
		}
	}
	return strings.Join(values, ", ")
}

// DocumentLinks lead from every page to the documents that describe the service
// to a machine (RFC 9727, RFC 8631, llms.txt v2, ARD).
func (a Addresses) DocumentLinks() []Link {
	return []Link{
		{"describedby", a.Base + contract.PathLLMS, contract.TypeText},
		{"api-catalog", a.Base + contract.PathAPICatalog, contract.TypeLinkset},
		{"service-desc", a.Base + contract.PathOpenAPI, contract.TypeJSON},
		{"service-doc", a.Base + contract.PathDevelopers, contract.TypeHTML},
		{"status", a.Base + contract.PathHealth, contract.TypeJSON},
		{"ard", a.Base + contract.PathARD, contract.TypeJSON},
	}
}

// PageLinks are the values of the Link header of both forms of the page at path:
// each names its other form, and both lead to the documents.
func (a Addresses) PageLinks(path string) (html, markdown string) {
	documents := a.DocumentLinks()
	twin := Link{"alternate", a.Base + contract.TwinPath(path), contract.TypeMarkdown}
	page := Link{"canonical", a.Base + path, contract.TypeHTML}
	return LinkHeader(append([]Link{twin}, documents...)...), LinkHeader(append([]Link{page}, documents...)...)
}
