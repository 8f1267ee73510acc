// Package site makes the pages for people, each as HTML and as Markdown. Texts are
// the owner's, from the content folder; services and prices come from the catalog,
// answers from the approved entries, limits and errors from package contract, so
// that no page can say something else than the service does.
//
// The pages that never vary are made once a content snapshot (Pages). The answers
// to the two forms, which share core and limits with the API, are made for their
// request (Asked, Contacted).
package site
