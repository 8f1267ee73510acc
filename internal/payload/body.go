// Package payload reads request bodies strictly and encodes JSON answers. A body is
// one flat JSON object or one form. Whatever could be read in two ways is refused: a
// name given twice, another spelling of a known name, text that is not UTF-8, data after
// the end. Handlers and MCP tools share the package, so both read the same bytes in the same way.
//
// encoding/json judges numbers and escapes, but does not read the objects, because it takes
// the last of two equal names, ignores case in names and replaces invalid text. Each of
// these could turn a dry run into a real send.
package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// buffered is a request body that has been read completely.
type buffered struct {
	io.ReadCloser
	data []byte
}

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
	r.Body = buffered{io.NopCloser(bytes.NewReader(data)), data}
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
	if body, ok := r.Body.(buffered); ok {
		return body.data
	}
	return nil
}

const hintForm = "Write the body as name=value pairs joined by &, percent-encoded in UTF-8."

// ParseForm reads a body of the type application/x-www-form-urlencoded. Fields
// whose name is not known are read and ignored.
func ParseForm(body []byte, known []string) (*Object, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, contract.InvalidBody("The form cannot be read: a percent escape or a separator is wrong.", hintForm)
	}
	object := newObject(known)
	object.form = true
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
				object.members[name] = value
			case !utf8.ValidString(name) || !utf8.ValidString(value):
				return nil, contract.InvalidBody("The form holds text that is not UTF-8.", hintForm)
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

// Object holds the members of a body that have a known name. Text and Bool read them
// and record wrong types.
type Object struct {
	form    bool
	strict  bool // unknown names are refused
	known   []string
	inner   []string          // known names whose values may hold halves of surrogate pairs
	members map[string]string // by known name: JSON text, or the decoded text of a form
	others  map[string]bool   // unknown names that have occurred
	errors  []contract.FieldError
}

func newObject(known []string) *Object {
	return &Object{known: known, members: map[string]string{}, others: map[string]bool{}}
}

// maxNameErrors is how many wrong names are reported, so that a body of them gets no
// larger answer.
const maxNameErrors = 8

// take checks the next name of a body and reports whether it is known. No name may occur
// twice, or be another spelling of a known one: a caller who writes dryRun must not mail a person.
func (o *Object) take(name string) (isKnown bool, err error) {
	_, given := o.Raw(name)
	switch {
	case given:
		return false, contract.Invalid(name, name+" is given twice")
	case slices.Contains(o.known, name):
		return true, nil
	case o.others[name]:
		return false, contract.InvalidBody("A field is given twice.", "Give each field once.")
	}
	o.others[name] = true
	for _, known := range o.known {
		if respells(name, known) {
			return false, contract.Invalid(known, known+" is misspelled as "+Shown(name))
		}
	}
	if !o.strict {
		return false, nil
	}
	what := "there are no arguments"
	if len(o.known) > 0 {
		what = "the arguments are " + strings.Join(o.known, ", ")
	}
	return false, contract.Invalid(Cut(name), Shown(name)+" is not known: "+what)
}

// separators matches the characters that respells ignores: everything except letters and digits.
var separators = regexp.MustCompile(`[^\pL\pN]`)

// respells reports whether a name equals a known one without separators and case. The
// underscore that begins _meta is no separator: MCP clients may send meta as well.
func respells(name, known string) bool {
	if strings.HasPrefix(known, "_") {
		return strings.EqualFold(name, known)
	}
	return strings.EqualFold(separators.ReplaceAllString(name, ""), separators.ReplaceAllString(known, ""))
}

// maxShown is how many characters of a caller's own name an answer repeats.
const maxShown = 64

// Shown formats a caller's own name for an answer: quoted, and cut if it is very long.
func Shown(name string) string { return strconv.Quote(Cut(name)) }

// Cut is Shown without the quotes.
func Cut(name string) string {
	if runes := []rune(name); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return name
}

// Raw returns the value of a member and whether it was given: JSON text without white space
// around it, or the decoded text of a form.
func (o *Object) Raw(name string) (value string, given bool) {
	value, given = o.members[name]
	return value, given
}

// Text returns a string field, or "" when it is absent. In JSON, null means
// absent.
func (o *Object) Text(name string) string {
	value, given := o.Raw(name)
	switch {
	case !given || o.form:
		return value
	case value == "null":
		return ""
	case value[0] != '"':
		o.fail(name, "must be a string")
		return ""
	}
	return unquote(value)
}

// Bool returns a boolean field, or nil when it is absent. Only true and false are
// accepted, in a form as words. Null is refused, because with dry_run it could mean
// either.
func (o *Object) Bool(name string) *bool {
	value, given := o.Raw(name)
	switch {
	case !given:
		return nil
	case value == "true":
		return new(true)
	case value == "false":
		return new(false)
	}
	what := "must be true or false"
	if lower := strings.ToLower(value); o.form && (lower == "true" || lower == "false") {
		what += ", in lower case"
	}
	o.fail(name, what)
	return nil
}

func (o *Object) fail(name, what string) {
	o.errors = append(o.errors, contract.FieldError{Field: name, Message: name + " " + what})
}

func (o *Object) failed(name string) bool {
	return slices.ContainsFunc(o.errors, func(f contract.FieldError) bool { return f.Field == name })
}

// Err returns the recorded errors as one, or nil.
func (o *Object) Err() error {
	if len(o.errors) == 0 {
		return nil
	}
	return contract.InvalidFields(o.errors)
}

// unquote decodes a JSON string.
func unquote(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1]
	}
	var text string
	_ = json.Unmarshal([]byte(raw), &text) // it is valid JSON
	return text
}

// ParseJSON reads a body that is one JSON object. Members with unknown names are read
// and ignored. Values of inner may hold halves of surrogate pairs: the parser to which the
// caller gives them names the member in them.
func ParseJSON[T []byte | string](body T, known []string, inner ...string) (*Object, error) {
	object := newObject(known)
	object.inner = inner
	return parse(string(body), object)
}

// ParseArguments reads the arguments of an MCP tool. It is ParseJSON but does not accept
// unknown names (decisions, MCP): it records them, all other wrong names, and halves of
// surrogate pairs, so that they are reported together with the errors of the values.
func ParseArguments(arguments string, known []string) (*Object, error) {
	object := newObject(known)
	object.strict = true
	return parse(arguments, object)
}

func parse(body string, object *Object) (*Object, error) {
	s := &scanner{text: body, object: object}
	switch first := s.peek(); {
	case s.at == len(body):
		return nil, s.refusal("The body is empty.")
	case first != '{':
		return nil, s.refusal("The body must be a JSON object.")
	}
	s.members(func(name string) {
		isKnown, err := object.take(name)
		switch {
		case err != nil && !object.strict:
			s.stop(err)
		case err != nil && len(object.errors) < maxNameErrors:
			object.errors = append(object.errors, contract.AsError(err).Fields...)
		case isKnown:
			s.field = name
			object.members[name] = s.value(1)
			s.field = ""
			return
		}
		s.value(1)
	})
	if s.peek(); s.at < len(s.text) {
		return nil, s.refusal("The body goes on after the JSON object.")
	}
	return object, s.err
}

// maxDepth is how deep values may nest. The contract's bodies are flat, but unknown
// members are read too before they are ignored.
const maxDepth = 32

// scanner walks JSON text (RFC 8259) up to its first error.
type scanner struct {
	text   string
	object *Object
	at     int
	field  string // the known field whose value is being read, to name it in an error
	err    error
}

// stop ends the walk: nothing after the first error is read.
func (s *scanner) stop(err error) {
	if s.err == nil {
		s.err = err
	}
	s.text = s.text[:s.at]
}

// unexpected is the reason of most errors, worded to follow "The body is not valid JSON: ".
const unexpected = "there is an unexpected character"

// fail stops at an error.
func (s *scanner) fail(why string) {
	if s.at == len(s.text) {
		why = "it ends too early"
	}
	s.stop(s.refusal(fmt.Sprintf("The body is not valid JSON: %s at byte %d.", why, s.at)))
}

// failText stops at an error of the characters of a string, which concerns a field rather than the object around it.
func (s *scanner) failText(why string) {
	if s.field != "" {
		s.stop(contract.Invalid(s.field, s.field+" cannot be read: "+why))
		return
	}
	s.fail(why)
}

// refusal refuses a body that is not one JSON object.
func (s *scanner) refusal(detail string) error {
	known := strings.Join(s.object.known, ", ")
	return contract.InvalidBody(detail, "Send one JSON object in UTF-8; its fields are "+known+".")
}

// peek returns the next byte after white space, or 0 at the end. A NUL byte is not valid
// JSON either.
func (s *scanner) peek() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// next walks over white space, and over a byte if it comes next. It reports whether it did.
func (s *scanner) next(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

// want is next for a byte that must come.
func (s *scanner) want(c byte) {
	if !s.next(c) {
		s.fail(unexpected)
	}
}

// list walks from a bracket to the one that closes it. It calls item for what is between
// two commas.
func (s *scanner) list(closing byte, item func()) {
	s.at++
	if s.next(closing) {
		return
	}
	for s.err == nil {
		item()
		if s.next(closing) {
			return
		}
		s.want(',')
	}
}

// members walks over an object. It calls value with each name, to walk over the member's
// value.
func (s *scanner) members(value func(name string)) {
	s.list('}', func() {
		if s.peek() != '"' {
			s.fail(unexpected)
			return
		}
		name := s.quoted()
		if s.want(':'); s.err == nil {
			value(unquote(name))
		}
	})
}

// value walks over a value and returns its text.
func (s *scanner) value(depth int) string {
	first := s.peek()
	start := s.at
	switch {
	case depth > maxDepth && (first == '{' || first == '['):
		s.fail("its values are nested too deep")
	case first == '{':
		s.members(func(string) { s.value(depth + 1) })
	case first == '[':
		s.list(']', func() { s.value(depth + 1) })
	case first == '"':
		s.quoted()
	default: // a number, true, false or null
		for s.at < len(s.text) && strings.IndexByte("+-.0123456789Eaeflnrstu", s.text[s.at]) >= 0 {
			s.at++
		}
		if !json.Valid([]byte(s.text[start:s.at])) {
			s.fail(unexpected)
		}
	}
	return s.text[start:s.at]
}

// surrogates matches the halves of characters beyond U+FFFF, one with its other half, and
// all other escapes, so that an escaped backslash never begins one.
var surrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F])|\\.`)

// quoted walks over a string and returns it with its quotes. ASCII without escapes needs no
// second look. Half of a surrogate pair is not a character.
func (s *scanner) quoted() string {
	start, isPlain := s.at, true
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			isPlain = false
			s.at++
		case c >= utf8.RuneSelf:
			isPlain = false
		case c < ' ':
			s.failText("it holds a control character that is not escaped")
		}
	}
	s.at = min(s.at, len(s.text))
	s.want('"')
	raw := s.text[start:s.at]
	isHalf := func(escape []string) bool { return escape[1] != "" }
	switch {
	case isPlain:
	case !utf8.ValidString(raw):
		s.failText("it holds text that is not UTF-8")
	case !json.Valid([]byte(raw)):
		s.fail(unexpected)
	case strings.Contains(raw, `\u`) && slices.ContainsFunc(surrogates.FindAllStringSubmatch(raw, -1), isHalf):
		s.failHalf()
	}
	return raw
}

// failHalf refuses half of a surrogate pair, unless another parser will. Among arguments it is one error of several,
// and an unknown argument is an error already.
func (s *scanner) failHalf() {
	const why = "it holds half of a surrogate pair"
	switch o := s.object; {
	case slices.Contains(o.inner, s.field):
	case !o.strict:
		s.failText(why)
	case s.field != "" && !o.failed(s.field):
		o.fail(s.field, "cannot be read: "+why)
	}
}

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

// WriterAs returns the first writer of type T among w and those that it wraps.
func WriterAs[T any](w http.ResponseWriter) (writer T, ok bool) {
	for {
		if writer, ok = w.(T); ok {
			return writer, true
		}
		outer, wraps := w.(interface{ Unwrap() http.ResponseWriter })
		if !wraps {
			return writer, false
		}
		w = outer.Unwrap()
	}
}
