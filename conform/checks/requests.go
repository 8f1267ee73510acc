package checks

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"

	"frontdesk/conform"
)

type (
	request = conform.Request
	answer  = conform.Answer
	probe   = conform.Probe
)

// Header lines that checks send: the types of bodies, and an origin that is refused.
const (
	evil     = "Origin: https://evil.example"
	typeJSON = "Content-Type: application/json"
	typeForm = "Content-Type: application/x-www-form-urlencoded"
)

// maker makes a request of a path or a body, with further header lines.
type maker = func(text string, header ...string) request

func get(path string, header ...string) request {
	return request{Method: "GET", Path: path, Header: header}
}

func html(path string) request { return get(path, "Accept: text/html") }

func markdown(path string) request { return get(path, "Accept: text/markdown") }

func post(path, body string, header ...string) request {
	return untyped(path, body, append([]string{typeJSON}, header...)...)
}

func postForm(path, body string, header ...string) request {
	return untyped(path, body, append([]string{typeForm}, header...)...)
}

// untyped posts a body with these header lines only.
func untyped(path, body string, header ...string) request {
	return request{Method: "POST", Path: path, Header: header, Body: body}
}

func head(path string, _ ...string) request { return request{Method: "HEAD", Path: path} }

// encode returns a value as compact JSON.
func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // an expectation that is not JSON
	}
	return string(text)
}

// ask is a question to the versioned path, askAgain one to the older path.
func ask(q string, header ...string) request { return question(questionJSON(q), header...) }

func askAgain(q string) request { return post("/api/ask", questionJSON(q)) }

func question(body string, header ...string) request { return post("/v1/ask", body, header...) }

func questionJSON(q string) string { return `{"q":` + encode(q) + `}` }

// The fields of a valid pilot request. No mail can reach its address (RFC 2606).
const (
	validFields = `"name":"Ada Lovelace","business":"Analytical Engines Ltd","email":"ada@conform.example",` +
		`"message":"Hello there"`
	validForm = `name=Ada+Lovelace&business=Analytical+Engines+Ltd&email=ada%40conform.example&message=Hello+there`
	dryForm   = validForm + "&dry_run=true"
)

// contact is a pilot request as JSON to the versioned path.
func contact(body string, header ...string) request { return post("/v1/contact", body, header...) }

// contactForm is a pilot request as a form.
func contactForm(body string, header ...string) request {
	return postForm("/v1/contact", body, header...)
}

// dryJSON is a valid dry run, with further members.
func dryJSON(members string) string { return `{` + validFields + `,"dry_run":true` + members + `}` }

// dryRun is a dry run to the versioned path, with further header lines.
func dryRun(header ...string) request { return contact(dryJSON(""), header...) }

// dryWith is a dry run in which a field has another value, written as JSON, or none.
func dryWith(field, value string) string {
	members := slices.DeleteFunc(strings.Split(validFields+`,"dry_run":true`, ","), func(member string) bool {
		return strings.HasPrefix(member, `"`+field+`"`)
	})
	if value != "" {
		members = append(members, `"`+field+`":`+value)
	}
	return `{` + strings.Join(members, ",") + `}`
}

// newMark returns a unique word that identifies a request and its mail.
func newMark() string { return "c" + strings.ToLower(rand.Text()) }

// realJSON is a pilot request that is sent for real; the mark identifies it.
func realJSON(mark, members string) string {
	return `{"name":"Conformance check","business":"frontdesk conform","email":"` + mark +
		`@conform.example","message":"Sent by frontdesk conform; nothing to do."` + members + `}`
}

// forReal marks a request that files a pilot request for real and takes a slot.
func forReal(r request) request {
	r.Uses = "contact"
	return r
}

// filed is a pilot request that is sent for real, with a mark, further members and header lines.
func filed(mark, members string, header ...string) request {
	return forReal(contact(realJSON(mark, members), header...))
}

// Pilot requests that are sent for real, each with its own mark: to the path, its alias and the tool.
var (
	realSend  = filed("{mark}", "")
	realAlias = forReal(post("/api/contact", realJSON("{mark}", "")))
	realCall  = forReal(callPilot(realJSON("{mark}", "")))
)

// chunked sends a body without a Content-Length.
func chunked(r request) request {
	r.Chunked = true
	return r
}

func failing(r request) request {
	r.FailsDelivery = true
	return r
}

// padded makes a JSON object exactly n bytes long with white space before its last brace.
func padded(object string, n int) string {
	return object[:len(object)-1] + strings.Repeat(" ", n-len(object)) + "}"
}

// slug turns a path into a part of a check's name.
func slug(path string) string {
	return strings.Trim(strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(path), "-")
}
