package span

import (
	"net/http"
	"regexp"
	"strings"
)

// Header is the name of the header of W3C Trace Context, as net/http spells it
// (https://www.w3.org/TR/trace-context/).
const Header = "Traceparent"

// format is a traceparent: version-traceid-parentid-flags. A version later than 00, the
// only one that is defined, begins with the same fields.
var format = regexp.MustCompile(`(?s)^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)

// version is the defined version, and length how long a traceparent of it is.
const (
	version = "00"
	length  = 55
)

// Parent is a valid traceparent in version 00; the zero value is none.
type Parent struct{ text string }

// ParentOf returns the traceparent of a request. It is the zero value unless there is
// exactly one and it is valid.
func ParentOf(header http.Header) Parent {
	if given := header[Header]; len(given) == 1 {
		return parse(given[0])
	}
	return Parent{}
}

// parse reads a traceparent of version 00, or the fields that a later version has in
// common with it.
func parse(text string) Parent {
	fields := format.FindStringSubmatch(text)
	if fields == nil || fields[1] == "ff" || fields[1] == version && len(text) != length || isZero(fields[2]) ||
		isZero(fields[3]) {
		return Parent{}
	}
	return Parent{version + text[len(version):length]}
}

func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// IsSet reports whether there is a traceparent.
func (p Parent) IsSet() bool { return p.text != "" }

// String is the traceparent as it is sent on, or "".
func (p Parent) String() string { return p.text }

// Trace is the id of the trace: 32 hexadecimal digits, or "".
func (p Parent) Trace() string { return p.part(3, 35) }

// Span is the id of the caller's span: 16 hexadecimal digits, or "".
func (p Parent) Span() string { return p.part(36, 52) }

func (p Parent) part(from, to int) string { return p.text[min(from, len(p.text)):min(to, len(p.text))] }
