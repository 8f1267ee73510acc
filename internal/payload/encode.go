package payload

import (
	"bytes"
	"encoding/json"
)

// JSON encodes an answer: without the escapes that HTML needs, so that text reads as
// it was written, and with a final newline for people at a terminal. It panics on a
// value that JSON cannot hold, which is a mistake in an answer type.
func JSON(v any) []byte {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return body.Bytes()
}
