package payload

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"frontdesk/contract"
)

// buffered is a request body that has been read completely.
type buffered struct {
	bytes.Reader
	data []byte
}

func (*buffered) Close() error { return nil }

// Read reads the body of r, at most limit bytes, and keeps it for Bytes. A longer body
// is payload_too_large: a declared length is refused before anything is read, a
// chunked body as soon as it exceeds the limit.
func Read(r *http.Request, limit int64) error {
	if r.ContentLength > limit {
		return contract.TooLarge(limit)
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return contract.InvalidBody("The body could not be read to its end.",
			"Send the whole body: its length must be what Content-Length or the chunks say.")
	}
	if int64(len(data)) > limit {
		return contract.TooLarge(limit)
	}
	body := &buffered{data: data}
	body.Reset(data)
	r.Body = body
	return nil
}

// CheckCoding refuses a body with a content coding, which this service does not decode
// (decisions, Rules).
func CheckCoding(r *http.Request) error {
	for _, line := range r.Header.Values("Content-Encoding") {
		for coding := range strings.SplitSeq(line, ",") {
			if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
				return contract.InvalidBody("The body has a Content-Encoding, which this service does not read.",
					"Send the body as it is, without Content-Encoding.")
			}
		}
	}
	return nil
}

// Bytes returns the body that Read has kept.
func Bytes(r *http.Request) []byte {
	if body, ok := r.Body.(*buffered); ok {
		return body.data
	}
	return nil
}
