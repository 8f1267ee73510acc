package checks

import (
	"fmt"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// one returns a check that sends one request and examines its answer.
func one(section, name, sentence string, r conform.Request, look func(*conform.Answer)) conform.Check {
	check := conform.Check{Section: section, Name: name, Sentence: sentence, Run: func(p *conform.Probe) { look(p.Send(r)) }}
	if r.Policy() == contract.AskPolicy.Name {
		check.Asks = 1
	}
	return check
}

// ask is a question to the versioned path.
func ask(q string) conform.Request { return conform.PostJSON(contract.PathAsk, questionJSON(q)) }

func questionJSON(q string) string { return `{"q":` + conform.EncodeJSON(q) + `}` }

// The fields of a valid pilot request. No mail can reach its address (RFC 2606).
const (
	validFields = `"name":"Ada Lovelace","business":"Analytical Engines Ltd","email":"ada@conform.example","message":"Hello there"`
	validForm   = `name=Ada+Lovelace&business=Analytical+Engines&email=ada%40conform.example&message=Hello`
)

// dryJSON is a valid dry run, with further members.
func dryJSON(members string) string { return `{` + validFields + `,"dry_run":true` + members + `}` }

// dryRun is a dry run to the versioned path, with further header lines.
func dryRun(header ...string) conform.Request {
	return conform.PostJSON(contract.PathContact, dryJSON(""), header...)
}

// dryWith is a dry run in which one field has another value, written as JSON.
func dryWith(field, value string) string {
	fields := map[string]string{"name": `"Ada Lovelace"`, "business": `"Analytical Engines Ltd"`, "email": `"ada@conform.example"`, "message": `"Hello there"`, "dry_run": "true"}
	fields[field] = value
	members := make([]string, 0, len(fields))
	for _, name := range []string{"name", "business", "email", "message", "phone", "segment", "preview", "dry_run"} {
		if value := fields[name]; value != "" {
			members = append(members, `"`+name+`":`+value)
		}
	}
	return `{` + strings.Join(members, ",") + `}`
}

// realJSON is a pilot request that is sent for real; the mark identifies it.
func realJSON(mark, members string) string {
	return `{"name":"Conformance check","business":"frontdesk conform","email":"` + mark + `@conform.example","message":"Sent by frontdesk conform; nothing to do."` + members + `}`
}

// realSend files a pilot request for real and takes a slot.
func realSend(path, body string, header ...string) conform.Request {
	r := conform.PostJSON(path, body, header...)
	r.Uses = contract.ContactPolicy.Name
	return r
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
