package checks

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// ask is a question to the versioned path, askAgain one to the older path.
func ask(q string, header ...string) conform.Request {
	return conform.PostJSON(contract.PathAsk, questionJSON(q), header...)
}

func askAgain(q string) conform.Request {
	return conform.PostJSON(contract.PathAskAlias, questionJSON(q))
}

func questionJSON(q string) string { return `{"q":` + conform.EncodeJSON(q) + `}` }

// The fields of a valid pilot request. No mail can reach its address (RFC 2606).
const (
	validFields = `"name":"Ada Lovelace","business":"Analytical Engines Ltd","email":"ada@conform.example","message":"Hello there"`
	validForm   = `name=Ada+Lovelace&business=Analytical+Engines&email=ada%40conform.example&message=Hello`
)

// contact is a pilot request as JSON to the versioned path.
func contact(body string, header ...string) conform.Request {
	return conform.PostJSON(contract.PathContact, body, header...)
}

// dryJSON is a valid dry run, with further members.
func dryJSON(members string) string { return `{` + validFields + `,"dry_run":true` + members + `}` }

// dryRun is a dry run to the versioned path, with further header lines.
func dryRun(header ...string) conform.Request { return contact(dryJSON(""), header...) }

// dryWith is a dry run in which one field has another value, written as JSON.
func dryWith(field, value string) string {
	fields := map[string]string{"name": `"Ada Lovelace"`, "business": `"Analytical Engines Ltd"`,
		"email": `"ada@conform.example"`, "message": `"Hello there"`, "dry_run": "true"}
	fields[field] = value
	members := make([]string, 0, len(fields))
	for _, name := range []string{"name", "business", "email", "message", "phone", "segment", "preview", "dry_run"} {
		if value := fields[name]; value != "" {
			members = append(members, `"`+name+`":`+value)
		}
	}
	return `{` + strings.Join(members, ",") + `}`
}

// ofReal begins the mark of a request that is sent for real.
const ofReal = "real-"

// realAddress matches the whole address of a request that is sent for real: "real-" may
// also be in another text of a mail, such as the name of the service.
var realAddress = regexp.MustCompile(ofReal + `[a-z2-7]{26}@conform\.example`)

// newMark returns a unique word that identifies a request and its mail.
func newMark(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// realJSON is a pilot request that is sent for real; the mark identifies it.
func realJSON(mark, members string) string {
	return `{"name":"Conformance check","business":"frontdesk conform","email":"` + mark +
		`@conform.example","message":"Sent by frontdesk conform; nothing to do."` + members + `}`
}

// forReal marks a request that files a pilot request for real and takes a slot.
func forReal(r conform.Request) conform.Request {
	r.Uses = contract.ContactPolicy.Name
	return r
}

// realSend is a pilot request that is sent for real, with a mark of its own; realAlias is one to
// the older path, realCall one of request_pilot.
var (
	realSend  = forReal(contact(realJSON("{mark}", "")))
	realAlias = forReal(conform.PostJSON(contract.PathContactAlias, realJSON("{mark}", "")))
	realCall  = forReal(call("request_pilot", realJSON("{mark}", "")))
)

// chunked sends a body without a Content-Length.
func chunked(r conform.Request) conform.Request {
	r.Chunked = true
	return r
}

func failing(r conform.Request) conform.Request {
	r.FailsDelivery = true
	return r
}

func head(path string, header ...string) conform.Request {
	return conform.Request{Method: "HEAD", Path: path, Header: header}
}

// padded makes a JSON object exactly n bytes long with white space before its last brace.
func padded(object string, n int) string {
	return object[:len(object)-1] + strings.Repeat(" ", n-len(object)) + "}"
}

// slug turns a path into a part of a check's name.
func slug(path string) string {
	return strings.Trim(strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(path), "-")
}

// repeatList is a comma-separated list whose members are numbered by a pattern.
func repeatList(pattern string, n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(pattern, i)
	}
	return strings.Join(members, ", ")
}
