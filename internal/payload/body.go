// Package payload reads request bodies strictly and encodes JSON answers. A body is
// one flat JSON object or one form. Whatever could be read in two ways is refused: a
// name given twice, another spelling of a known name, text that is not UTF-8, data after
// the end. Handlers and MCP tools share the package, so both
// read the same bytes in the same way.
//
// encoding/json judges numbers and escapes, but does not read the objects, because it takes
// the last of two equal names, ignores case in names and replaces invalid text. Each of
// these could turn a dry run into a real send.
package payload

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// buffered is a request body that has been read completely.
type buffered struct {
	bytes.Reader
	data []byte
}

func (*buffered) Close() error { return nil }

// Read reads the body of r, at most limit bytes, and keeps it for Bytes. A longer body
// is payload_too_large.
func Read(r *http.Request, limit int64) error {
	if r.ContentLength > limit {
		return tooLarge(r, limit)
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return contract.InvalidBody("The body could not be read to its end.",
			"Send the whole body: its length must be what Content-Length or the chunks say.")
	}
	if int64(len(data)) > limit {
		return tooLarge(r, limit)
	}
	body := &buffered{data: data}
	body.Reset(data)
	r.Body = body
	return nil
}

// maxDrained is how many bytes beyond the limit are read from a body that is refused as too long.
const maxDrained = 1 << 20

// tooLarge refuses a body. It reads the rest of one that is not much too long, because net/http closes the connection
// on more than 256 KiB, and a proxy that is still sending then answers 502 in place of our 413. It waits no longer
// than for any body.
func tooLarge(r *http.Request, limit int64) error {
	if r.ContentLength <= limit+maxDrained && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, limit+maxDrained)
	}
	return contract.TooLarge(limit)
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

// ParseForm reads a body of the type application/x-www-form-urlencoded. Fields
// whose name is not known are read and ignored.
func ParseForm(body []byte, known []string) (*Object, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, contract.InvalidBody("The form cannot be read: a percent escape or a separator is wrong.",
			"Write the body as name=value pairs joined by &, percent-encoded in UTF-8.")
	}
	object := &Object{known: known, form: true}
	// Sorted, so that a body with several errors always gets the same answer.
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			isKnown, err := object.take(name)
			switch {
			case err != nil:
				return nil, err
			case isKnown && !utf8.ValidString(value):
				return nil, contract.Invalid(name, name+" is not valid UTF-8")
			case isKnown:
				object.members = append(object.members, member{name, value})
			}
		}
	}
	return object, nil
}

// CheckQuery refuses a query string that has the name of a field in any spelling. Fields count only in
// the body, and a dry_run in the query string must not be lost.
func CheckQuery(rawQuery string, known []string) error {
	if rawQuery == "" {
		return nil
	}
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return contract.InvalidBody("The query string cannot be read.", "Send the fields in the body, and no query string.")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, field := range known {
			if respells(name, field) {
				return contract.Invalid(field, field+" is in the query string: send it in the body")
			}
		}
	}
	return nil
}
