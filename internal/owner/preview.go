package owner

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
)

// siteLink matches the beginning of a link within the site, in the HTML of our own
// templates.
var siteLink = regexp.MustCompile(`(\s(?:href|src|action)=")/([^/"]|")|(srcset="|, )/([^/"])`)

// bodyStart matches the beginning of what a page shows.
var bodyStart = regexp.MustCompile(`<body[^>]*>`)

// preview shows a page of the site as it would be with a change that was tried. Its links
// stay within the preview, its forms send nothing, and its scripts do not run.
func (v visit) preview() error {
	revision := v.PathValue("revision")
	base := pathPreview + revision + "/"
	document, found := v.Service.Preview(revision, "/"+v.PathValue("path"))
	switch {
	case !found:
		return &problem{status: http.StatusGone, key: "preview", link: pathChanges}
	case document == nil:
		return missing("unpreviewed", base)
	}
	body := document.Body.Bytes
	if strings.HasPrefix(document.ContentType, "text/html") {
		body = siteLink.ReplaceAll(body, []byte("${1}${3}"+base+"${2}${4}"))
		if at := bodyStart.FindIndex(body); at != nil {
			banner := `<p role="status" class="whole" lang="` + v.Language + `"><strong>` + v.Text("owner.change.banner") +
				`</strong> ` + v.Text("owner.change.banner.text") + `</p>`
			body = append(append(bytes.Clone(body[:at[1]]), banner...), body[at[1]:]...)
		}
		v.w.Header().Set("Content-Security-Policy",
			"default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'none'; base-uri "+
				"'none'; frame-ancestors 'none'")
	}
	return v.send(document.ContentType, body)
}
