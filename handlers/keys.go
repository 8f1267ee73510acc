package handlers

import (
	"fmt"
	"net/http"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/signing"
)

// exposedByKeys are the headers that pages of other origins need to verify the
// directory.
var exposedByKeys = strings.Join([]string{"ETag", contract.HeaderContentDigest,
	contract.HeaderSignature, contract.HeaderSignatureInput}, ", ")

// KeyDirectory answers with the service's verification keys (section 5.8). The directory
// is never compressed, because its digest is signed, and it is signed only for the
// service's own authority.
func (a *API) KeyDirectory(w http.ResponseWriter, r *http.Request) error {
	keys := a.Keys()
	header := w.Header()
	header.Set("Cache-Control", fmt.Sprintf("public, max-age=%.0f, no-transform", signing.DirectoryMaxAge.Seconds()))
	header.Set("Access-Control-Expose-Headers", exposedByKeys)
	keys.SetHeaders(header, r.Host)
	if !notModified(w, r, `"`+discovery.Revision(keys.Body())+`"`) {
		writeBody(w, http.StatusOK, contract.TypeKeyDirectory, keys.Body())
	}
	return nil
}
