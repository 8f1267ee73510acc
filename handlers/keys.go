package handlers

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/signing"
)

var (
	typeKeyDirectory = []string{contract.TypeKeyDirectory}
	// No intermediary may touch the body: its digest is signed.
	cacheKeyDirectory = []string{fmt.Sprintf("public, max-age=%.0f, no-transform", signing.DirectoryMaxAge.Seconds())}
	// A page that verifies needs more than the ETag that every document shows.
	exposeSignature = []string{strings.Join([]string{"ETag", contract.HeaderContentDigest,
		contract.HeaderSignature, contract.HeaderSignatureInput}, ", ")}
)

// KeyDirectory answers with the service's own verification keys (section 5.8). It
// is never compressed, and signed for our own authority alone.
func (a *API) KeyDirectory(w http.ResponseWriter, r *http.Request) error {
	keys := a.Keys()
	body := keys.Body()
	tag := `"` + discovery.Revision(body) + `"`
	header := w.Header()
	header["Cache-Control"] = cacheKeyDirectory
	header["ETag"] = []string{tag}
	header["Access-Control-Expose-Headers"] = exposeSignature
	keys.SetHeaders(header, r.Host)
	for held := range heldTags(r.Header["If-None-Match"]) {
		if held == "*" || held == tag {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	header["Content-Type"] = typeKeyDirectory
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	_, _ = w.Write(body) // the client has gone; nothing is left to tell it
	return nil
}
