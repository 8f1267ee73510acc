package span

import "net/http"

// Header is the name of the header of W3C Trace Context, as net/http spells it
// (https://www.w3.org/TR/trace-context/).
const Header = "Traceparent"

// Lengths and places in a traceparent: version-traceid-parentid-flags in lower-case
// hexadecimal digits.
const (
	traceAt, traceEnd   = 3, 35
	parentAt, parentEnd = 36, 52
	flagsAt, length     = 53, 55
)

// version is the only one that is defined. A later one begins with the same fields.
const version = "00"

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
	if len(text) < length || text[2] != '-' || text[traceEnd] != '-' || text[parentEnd] != '-' {
		return Parent{}
	}
	switch given := text[:2]; {
	case given == version && len(text) != length,
		given == "ff", !isHex(given),
		len(text) > length && text[length] != '-':
		return Parent{}
	}
	trace, parent, flags := text[traceAt:traceEnd], text[parentAt:parentEnd], text[flagsAt:length]
	if !isHex(trace) || !isHex(parent) || !isHex(flags) || isZero(trace) || isZero(parent) {
		return Parent{}
	}
	if text[:2] == version {
		return Parent{text}
	}
	return Parent{version + text[2:length]}
}

func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isZero(text string) bool {
	for i := range len(text) {
		if text[i] != '0' {
			return false
		}
	}
	return true
}

// IsSet reports whether there is a traceparent.
func (p Parent) IsSet() bool { return p.text != "" }

// String is the traceparent as it is sent on, or "".
func (p Parent) String() string { return p.text }

// Trace is the id of the trace: 32 hexadecimal digits, or "".
func (p Parent) Trace() string {
	if p.text == "" {
		return ""
	}
	return p.text[traceAt:traceEnd]
}

// Span is the id of the caller's span: 16 hexadecimal digits, or "".
func (p Parent) Span() string {
	if p.text == "" {
		return ""
	}
	return p.text[parentAt:parentEnd]
}
