package checks

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

var lookup = conform.Lookup

// expectation examines an answer and fails the check if it does not hold.
type expectation = func(*answer)

// all expects everything of several expectations.
func all(expected ...expectation) expectation {
	return func(a *answer) {
		for _, holds := range expected {
			holds(a)
		}
	}
}

// failsIf fails the check if something is wrong, with what was expected.
func failsIf(wrong func(*answer) bool, expected string, args ...any) expectation {
	return func(a *answer) {
		if wrong(a) {
			a.Fail(expected, args...)
		}
	}
}

func statusIs(status int) expectation {
	return failsIf(func(a *answer) bool { return a.Status != status }, "status %d", status)
}

var isOK = statusIs(200)

// answers expects a status and a media type.
func answers(status int, mediaType string) expectation {
	return all(statusIs(status), hasType(mediaType))
}

// serves expects status 200, a media type, and texts in the body.
func serves(mediaType string, texts ...string) expectation {
	return all(isOK, hasType(mediaType), contains(texts...))
}

var servesJSON = serves("application/json")

// hasType expects a media type, with any parameters.
func hasType(mediaType string) expectation {
	return failsIf(func(a *answer) bool { return a.MediaType() != mediaType }, "Content-Type %s", mediaType)
}

// hasMember expects a member of the JSON body, at a path such as "result.tools.0".
func hasMember(path string, want any) expectation {
	return failsIf(func(a *answer) bool { return encode(lookup(a.JSON(), path)) != encode(want) },
		"the member %s to be %s", path, encode(want))
}

// hasURL expects a member that is a path under the base address.
func hasURL(member, path string) expectation {
	return func(a *answer) { hasMember(member, a.Probe.BaseURL+path)(a) }
}

// sameMember expects the member of the check's first answer, otherMember another one.
func sameMember(path string) expectation {
	return func(a *answer) { hasMember(path, lookup(a.Probe.FirstAnswer.Object(), path))(a) }
}

func otherMember(path string) expectation {
	return failsIf(func(a *answer) bool { return a.Text(path) == a.Probe.FirstAnswer.Text(path) }, "another %s", path)
}

// hasOnly expects no members but these.
func hasOnly(names ...string) expectation {
	return failsIf(func(a *answer) bool {
		object := maps.Clone(a.JSON())
		maps.DeleteFunc(object, func(name string, _ any) bool { return slices.Contains(names, name) })
		return len(object) > 0
	}, "no members but %s", strings.Join(names, ", "))
}

// sameBody expects the body of the check's first answer.
func sameBody(a *answer) {
	if first := a.Probe.FirstAnswer; !bytes.Equal(a.Body, first.Body) {
		a.Fail("the same body as at %s: %.600s", first.Request.Path, first.Body)
	}
}

// gives expects a member of what a tool returns.
func gives(member string, want any) expectation {
	return hasMember("result.structuredContent."+member, want)
}

// resultIsFirst expects that a tool gives what HTTP gave in the check's first answer.
func resultIsFirst(a *answer) {
	hasMember("result.structuredContent", a.Probe.FirstAnswer.Object())(a)
}

// hasTexts expects members that are strings and not empty.
func hasTexts(paths ...string) expectation {
	return func(a *answer) {
		for _, path := range paths {
			a.Text(path)
		}
	}
}

// textAt returns the text at a path of a JSON value, "" if there is none.
func textAt(value any, path string) string {
	text, _ := lookup(value, path).(string)
	return text
}

// memberContains expects a member whose text has every part.
func memberContains(path string, parts ...string) expectation {
	return each(parts, func(a *answer, part string) bool {
		return !strings.Contains(a.Text(path), part)
	}, "the member "+path+" to contain %q")
}

// hasItems expects an array with at least n items.
func hasItems(path string, n int) expectation {
	return failsIf(func(a *answer) bool {
		return len(a.List(path)) < n
	}, "the member %s, an array of at least %d", path, n)
}

// noneOf expects that nothing is wrong with any item of an array.
func noneOf(array string, wrong func(item any) bool, expected string) expectation {
	return func(a *answer) {
		for _, item := range a.List(array) {
			if wrong(item) {
				a.Fail("%s, not %.200s", expected, encode(item))
			}
		}
	}
}

// hasHeader expects exactly one header of the name, with the value. Names are compared
// without case (RFC 9110 5.1).
func hasHeader(name, value string) expectation {
	return failsIf(func(a *answer) bool {
		return !slices.Equal(a.Header.Values(name), []string{value})
	}, "the header %s: %s", name, value)
}

// headerMatches expects a header like a pattern, memberMatches a member that is a text.
func headerMatches(name, pattern string) expectation {
	form := regexp.MustCompile(pattern)
	return failsIf(func(a *answer) bool { return !form.MatchString(a.HeaderValue(name)) }, "a header %s like %s", name,
		pattern)
}

func memberMatches(path, pattern string) expectation {
	form := regexp.MustCompile(pattern)
	return failsIf(func(a *answer) bool { return !form.MatchString(a.Text(path)) }, "the member %s like %s", path, pattern)
}

// each expects that nothing is wrong for any of some names or texts.
func each(names []string, wrong func(a *answer, name string) bool, expected string) expectation {
	return func(a *answer) {
		for _, name := range names {
			if wrong(a, name) {
				a.Fail(expected, name)
			}
		}
	}
}

func lacksHeader(names ...string) expectation {
	return each(names, func(a *answer, name string) bool { return a.Header.Values(name) != nil }, "no header %s")
}

// limitless expects no headers of a limit.
var limitless = lacksHeader("RateLimit", "RateLimit-Policy")

// taken expects that so many slots of a policy are taken.
func taken(policy contract.Policy, n int) expectation {
	return hasHeader("RateLimit", policy.Remaining(policy.Quota-n))
}

// hasPolicy expects the header of a policy: of a client, or of a pool if the run comes from one.
func hasPolicy(policy contract.Policy) expectation {
	return failsIf(func(a *answer) bool {
		value := a.HeaderValue("RateLimit-Policy")
		return value != policy.Header() && value != policy.OfPool().Header()
	}, "the header RateLimit-Policy: %s", policy.Header())
}

// contains expects texts in the body, omits that they are not in it.
func contains(texts ...string) expectation {
	return each(texts, func(a *answer, text string) bool {
		return !strings.Contains(string(a.Body), text)
	}, "a body that holds %.600q")
}

func omits(texts ...string) expectation {
	return each(texts, func(a *answer, text string) bool {
		return strings.Contains(string(a.Body), text)
	}, "a body without %q")
}

var hasNoBody = failsIf(func(a *answer) bool { return len(a.Body) > 0 }, "no body")

// isProblem expects the complete problem record of a code (section 7), whose detail names
// the fields.
func isProblem(code contract.Code, fields ...string) expectation {
	return func(a *answer) {
		answers(code.Status(), a.Request.ProblemType())(a)
		if missing := problemError(a.Probe, a.Object(), code); missing != "" {
			a.Fail("%s", missing)
		}
		for _, field := range fields {
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(field) + `\b`).MatchString(a.Text("detail")) {
				a.Fail("a detail that names the field %s", field)
			}
		}
	}
}

// refused expects the refusal of validation, which names the fields.
func refused(fields ...string) expectation { return isProblem(contract.InvalidRequest, fields...) }

// The other refusals that many checks expect.
var (
	tooLarge  = isProblem(contract.PayloadTooLarge)
	forbidden = isProblem(contract.Forbidden)
	notFound  = isProblem(contract.NotFound)
)

// problemError returns what a problem record of the code lacks, "" if it is complete.
func problemError(p *probe, record map[string]any, code contract.Code) string {
	if record == nil {
		return "a problem record"
	}
	if record["code"] != string(code) {
		return "the code " + string(code)
	}
	if want := p.BaseURL + "/developers#errors-" + string(code); record["type"] != want {
		return "the type " + want
	}
	if status := code.Status(); record["status"] != float64(status) {
		return fmt.Sprintf("the member status to be the number %d", status)
	}
	for _, member := range []string{"title", "detail", "hint"} {
		if textAt(record, member) == "" {
			return "the member " + member + ", a text that is not empty"
		}
	}
	return ""
}

// mailedOnce expects exactly one mail with the mark of the request, mailedNothing none.
func mailedOnce(a *answer) { a.Probe.OneMail(markOf(a.Request)) }

func mailedNothing(a *answer) {
	if found := a.Probe.Options.Sink.Mails(markOf(a.Request), false); len(found) > 0 {
		a.Probe.Fail("no mail at the mail sink", found[0].Shown())
	}
}

// markOf returns the mark of a pilot request, which is in its address.
func markOf(r request) string {
	_, address, _ := strings.Cut(r.Body, `"email":"`)
	mark, _, _ := strings.Cut(address, "@")
	return mark
}
