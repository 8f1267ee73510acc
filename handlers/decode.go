package handlers

import (
	"bytes"
	"net/http"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// decodeJSON reads a body that is JSON whatever its Content-Type says.
func decodeJSON(r *http.Request, known []string) (*payload.Object, error) {
	if err := checkRequest(r, known); err != nil {
		return nil, err
	}
	return payload.ParseJSON(payload.Bytes(r), known)
}

// decodeByType reads a body that is JSON or a form, as its Content-Type says.
func decodeByType(r *http.Request, known []string) (*payload.Object, error) {
	if err := checkRequest(r, known); err != nil {
		return nil, err
	}
	body := payload.Bytes(r)
	mediaType, err := mediaType(r.Header["Content-Type"])
	switch {
	case err != nil:
		return nil, err
	case mediaType == contract.TypeForm && !looksLikeJSON(body):
		return payload.ParseForm(body, known)
	default:
		return payload.ParseJSON(body, known)
	}
}

// checkRequest refuses what would make the body mean something else than its
// bytes: fields in the address, and a content coding, which we do not undo.
func checkRequest(r *http.Request, known []string) error {
	if err := payload.CheckCoding(r); err != nil {
		return err
	}
	return payload.CheckQuery(r.URL.RawQuery, known)
}

// mediaType returns which of the two types of a contact body a request declares.
// None means JSON.
func mediaType(contentType []string) (string, error) {
	if len(contentType) == 0 || (len(contentType) == 1 && contentType[0] == "") {
		return contract.TypeJSON, nil
	}
	declared, _, _ := strings.Cut(contentType[0], ";")
	switch declared = strings.ToLower(strings.TrimSpace(declared)); {
	case len(contentType) > 1:
	case declared == contract.TypeJSON, declared == contract.TypeForm:
		return declared, nil
	}
	return "", contract.InvalidBody("The Content-Type is not one that this endpoint reads.",
		"Send one Content-Type: "+contract.TypeJSON+" or "+contract.TypeForm+".")
}

// looksLikeJSON tells a JSON object that curl has sent under its default type,
// the form's, from a form.
func looksLikeJSON(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{"))
}
