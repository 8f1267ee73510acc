package payload

import (
	"bytes"
	"encoding/json"
)

// JSON encodes an answer: without the escapes that HTML needs, so that text
// reads as it was written, and with a final newline for people at a terminal.
func JSON(v any) []byte {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // an answer type of ours that JSON cannot hold: found by every test
	}
	return body.Bytes()
}
