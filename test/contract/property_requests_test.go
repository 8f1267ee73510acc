package contract_test

import (
	"encoding/json"
	"fmt"
	"frontdesk/contract"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// The requests that a sequence is made of.

func posted(path string, body []byte) step {
	return step{method: "POST", path: path, body: string(body), header: http.Header{"Content-Type": {contract.TypeJSON}}}
}

func callOf(path, tool string, arguments map[string]any) step {
	s := posted(path, marshalled(map[string]any{
		"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	}))
	s.is.tool = true
	return s
}

func marshalled(value any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return body
}

func (g source) question() step {
	q := questions[g.IntN(len(questions))]
	fields := map[string]any{contract.FieldQuestion: g.spelled(q)}
	invalid := g.one(5)
	if invalid {
		fields = []map[string]any{{}, {"q": " \n"}, {"q": 7}, {"q": strings.Repeat("ä", contract.MaxQuestion+1)}, {"Q": q}, {"q": "a\x00"}}[g.IntN(6)]
	}
	s := posted([]string{contract.PathAsk, contract.PathAskAlias}[g.IntN(2)], marshalled(fields))
	if g.one(3) {
		s = callOf(contract.PathMCP, contract.ToolAskFAQ, fields)
	}
	s.is.policy, s.is.invalid, s.is.same = contract.AskPolicy.Name, invalid, q
	return s
}

func (g source) feedback() step {
	fields := map[string]any{contract.FieldHelpful: g.one(2), contract.FieldQuestion: questions[0], contract.FieldComment: "Fine"}
	invalid := g.one(4)
	if invalid {
		fields = []map[string]any{{"q": "x"}, {"helpful": true}, {"helpful": "yes", "q": "x"}, {"helpful": true, "entry_id": "no-such-entry"}}[g.IntN(4)]
	}
	s := posted(contract.PathFeedback, marshalled(fields))
	s.is = semantic{policy: contract.AskPolicy.Name, invalid: invalid, same: "feedback"}
	return s
}

func (g source) contact() step {
	is := semantic{policy: contract.ContactPolicy.Name, dry: g.one(3), inquiry: g.IntN(len(inquiries))}
	is.same = fmt.Sprint("dry run of inquiry ", is.inquiry)
	fields := maps.Clone(inquiries[is.inquiry])
	for _, name := range []string{contract.FieldName, contract.FieldBusiness, contract.FieldMessage} {
		fields[name] = g.spelled(fields[name].(string))
	}
	if is.dry {
		fields[contract.FieldDryRun] = true
	} else if g.one(3) {
		fields[contract.FieldPreview] = "{digest}"
	}
	if is.invalid = g.one(5); is.invalid {
		g.invalidate(fields, is.dry)
	}
	return g.filed(fields, is)
}

func (g source) invalidate(fields map[string]any, dry bool) {
	faults := []map[string]any{{"business": ""}, {"email": "nobody"}, {"name": "a\x01b"}, {"dry_run": "perhaps"}, {"Message": "x"}, {"preview": "0000"}}
	if dry { // a dry run does not check preview
		faults = faults[:len(faults)-1]
	}
	maps.Copy(fields, faults[g.IntN(len(faults))])
}

func (g source) filed(fields map[string]any, is semantic) step {
	var s step
	var header http.Header
	face := g.IntN(5)
	if g.one(2) {
		key := fmt.Sprintf("key-%d", g.IntN(3))
		if face == 0 && g.one(2) {
			fields[contract.FieldIdempotencyKey] = key
		} else {
			header = http.Header{contract.HeaderIdempotencyKey: {key}}
		}
		if !is.dry && !is.invalid { // otherwise the key is not read
			is.key = key
		}
	}
	switch face {
	case 0:
		s = callOf(contract.PathMCP, contract.ToolRequestPilot, fields)
		is.tool = true
	case 1:
		form := url.Values{}
		for name, value := range fields {
			form.Set(name, fmt.Sprint(value))
		}
		s = posted(contract.PathContact, []byte(form.Encode()))
		s.body = strings.ReplaceAll(s.body, url.QueryEscape("{digest}"), "{digest}")
		s.header.Set("Content-Type", contract.TypeForm)
	default:
		s = posted([]string{contract.PathContact, contract.PathContactAlias}[g.IntN(2)], marshalled(fields))
	}
	maps.Copy(s.header, header)
	s.is = is
	return s
}

func (g source) trial() step {
	fields := map[string]any{contract.FieldBusiness: "Analytical Engines", contract.FieldEmail: "ada@example.com"}
	is := semantic{policy: contract.TrialPolicy.Name, tool: true, dry: g.one(4), invalid: g.one(4), same: "dry run of a trial"}
	if is.dry {
		fields[contract.FieldDryRun] = true
	}
	if is.invalid {
		fields[contract.FieldEmail] = "ada"
	}
	s := callOf(contract.PathWorkspaceMCP, contract.ToolStartTrial, fields)
	s.is = is
	return s
}

func (g source) reading() step {
	if g.one(3) {
		s := callOf(contract.PathMCP, contract.ToolListServices, map[string]any{})
		s.is.same = "catalog"
		return s
	}
	path := []string{contract.PathCatalog, contract.PathCatalogAlias, contract.PathHealth}[g.IntN(3)]
	s := step{method: "GET", path: path, header: http.Header{}, is: semantic{same: "catalog"}}
	if path == contract.PathHealth {
		s.is.same = "health"
	}
	return s
}

// spelled adds white space around a text that the service trims.
func (g source) spelled(text string) string {
	return []string{"", " ", "\n", "\t "}[g.IntN(4)] + text + []string{"", " "}[g.IntN(2)]
}
