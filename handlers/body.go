package handlers

import (
	"bytes"
	"mime"
	"net/http"
	"strconv"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// decodeJSON reads a body as JSON whatever its Content-Type says.
func decodeJSON(r *http.Request, known []string) (*payload.Object, error) {
	if err := checkRequest(r, known); err != nil {
		return nil, err
	}
	body := payload.Bytes(r)
	object, err := payload.ParseJSON(body, known)
	if declared, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil && len(body) > 0 &&
		!looksLikeJSON(body) && (declared == contract.TypeForm || declared == "multipart/form-data") {
		contract.AsError(err).Detail = "The body is a form, and this endpoint reads JSON only."
	}
	return object, err
}

// decodeByType reads a body as JSON or as a form, as its Content-Type says.
func decodeByType(r *http.Request, known []string) (*payload.Object, error) {
	if err := checkRequest(r, known); err != nil {
		return nil, err
	}
	body := payload.Bytes(r)
	mediaType, err := mediaType(r.Header.Values("Content-Type"))
	switch {
	case err != nil:
		return nil, err
	case mediaType == contract.TypeForm && !looksLikeJSON(body):
		return payload.ParseForm(body, known)
	default:
		return payload.ParseJSON(body, known)
	}
}

// read decodes a request and takes its fields. With an error of take it returns the readable part, so that a page can
// show it.
func read[T any](r *http.Request, decode func(*http.Request, []string) (*payload.Object, error), known []string,
	take func(*payload.Object) (T, error)) (value T, err error) {
	object, err := decode(r, known)
	if err != nil {
		return value, err
	}
	return take(object)
}

// checkRequest refuses fields in the query string and content codings, because the body
// must hold the whole request in plain bytes.
func checkRequest(r *http.Request, known []string) error {
	if err := payload.CheckCoding(r); err != nil {
		return err
	}
	return payload.CheckQuery(r.URL.RawQuery, known)
}

// mediaType returns the declared type of a contact body: JSON or a form. A request
// without a Content-Type is JSON.
func mediaType(contentType []string) (string, error) {
	if len(contentType) == 0 || (len(contentType) == 1 && contentType[0] == "") {
		return contract.TypeJSON, nil
	}
	declared, _, err := mime.ParseMediaType(contentType[0])
	if err == nil && len(contentType) == 1 && (declared == contract.TypeJSON || declared == contract.TypeForm) {
		return declared, nil
	}
	return "", contract.InvalidBody("The Content-Type is not one that this endpoint reads.",
		"Send one Content-Type: "+contract.TypeJSON+" or "+contract.TypeForm+".")
}

// looksLikeJSON reports whether body looks like JSON, even of a kind that is refused. curl labels it as a form by
// default.
func looksLikeJSON(body []byte) bool {
	text := bytes.Trim(body, " \t\r\n\ufeff")
	return bytes.IndexAny(text, `{["`) == 0 || string(text) == "null"
}

// writeJSON answers 200 with a value as JSON.
func writeJSON(w http.ResponseWriter, value any) { writeEncoded(w, payload.JSON(value)) }

// writeEncoded answers 200 with encoded JSON.
func writeEncoded(w http.ResponseWriter, body []byte) {
	w.Header().Set("Cache-Control", "no-store")
	writeBody(w, http.StatusOK, contract.TypeJSON, body)
}

// writeBody sends an answer. Without a Content-Length net/http would send a long body in
// chunks.
func writeBody(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only when the client has gone
}
