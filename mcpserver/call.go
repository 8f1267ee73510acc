package mcpserver

import (
	"encoding/json"
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// call is one request while it is answered: the parts of HTTP that tools need.
type call struct {
	id     json.RawMessage
	header http.Header         // of the request
	w      http.ResponseWriter // for the headers of the answer, and the log

	readable string // what a tool says beside its structured content; empty for nothing
}

// key returns the Idempotency-Key of a call, from the argument or the header. Both
// may be given if they are the same.
func (c *call) key(arguments *payload.Object) (contract.IdempotencyKey, error) {
	inHeader, err := contract.ParseKey(contract.HeaderIdempotencyKey, c.header.Values(contract.HeaderIdempotencyKey))
	if err != nil {
		return inHeader, err
	}
	raw, _ := arguments.Raw(contract.FieldIdempotencyKey)
	if raw == "" || raw == "null" {
		return inHeader, nil
	}
	if raw[0] != '"' {
		return inHeader, contract.Invalid(contract.FieldIdempotencyKey, contract.FieldIdempotencyKey+" must be a string")
	}
	key, err := contract.ParseKey(contract.FieldIdempotencyKey, []string{arguments.Text(contract.FieldIdempotencyKey)})
	if err == nil && inHeader.Value != "" && inHeader.Value != key.Value {
		err = contract.Invalid(contract.FieldIdempotencyKey, contract.FieldIdempotencyKey+" is not the key in the header "+contract.HeaderIdempotencyKey)
	}
	return key, err
}

// note logs a failure whose answer has the status 200.
func (c *call) note(err error, stack []byte) {
	if log, ok := c.w.(interface{ NoteFailure(err error, stack []byte) }); ok {
		log.NoteFailure(err, stack)
	}
}

// noteSession records the client that an initialize names.
func (c *call) noteSession(p params) {
	var client struct{ Name string }
	if log, ok := c.w.(interface{ NoteSession(client string) }); ok && json.Unmarshal([]byte(p.raw(paramClient)), &client) == nil {
		log.NoteSession(client.Name)
	}
}
