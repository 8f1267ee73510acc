// Package site makes the pages for people, each as HTML and as Markdown. Texts come from
// the owner's content folder, services and prices from the catalog, answers from the
// approved entries, limits and errors from package contract, so that no page can
// contradict the service.
//
// Pages makes the pages that never vary, once a content snapshot. Asked and Contacted
// make the answers to the two forms for each request; the forms share core and limits
// with the API.
package site
