package checks

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// invariant is a rule for every answer of a run that it applies to.
type invariant struct {
	section, name, sentence string
	applies, holds          func(*conform.Answer) bool
	expected                string
	paths                   []string // that the check itself requests
}

// check returns the check of a rule. It requests some paths, so that the rule sees an answer
// even when it is the only selected check.
func (rule invariant) check() conform.Check {
	steps := make([]step, len(rule.paths))
	for i, path := range rule.paths {
		steps[i] = send(conform.Get(path, "Accept: text/html"))
		if path == contract.PathAsk {
			steps[i] = send(ask("Who is it for?"))
		}
	}
	check := several(rule.section, rule.name, rule.sentence, steps...)
	check.Always = func(a *conform.Answer) (bool, string) {
		if !rule.applies(a) {
			return false, ""
		}
		if rule.holds(a) {
			return true, ""
		}
		return true, rule.expected
	}
	return check
}

// statuses are the statuses of the contract and the decisions; 304 is for documents with
// an ETag.
var statuses = []int{200, 202, 204, 304, 308, 400, 403, 404, 405, 406, 413, 429, 431, 500, 502}

var limitParameters = regexp.MustCompile(`^"(ask|contact|trial)";r=[0-5]$`)

// invariants returns the checks that apply to every answer.
func invariants() []conform.Check {
	rules := []invariant{
		{"9.1", "every-v1-answer-has-the-version-header", "Every response of a /v1 path carries the header Service-API-Version: 1.",
			isUnder(contract.PrefixV1), func(a *conform.Answer) bool { return a.HeaderValue(contract.HeaderAPIVersion) == "1" },
			"the header " + contract.HeaderAPIVersion + ": 1", []string{contract.PathHealth, "/v1/nope"}},
		{"7", "every-status-is-of-the-contract", "No answer has a status that the contract does not know.",
			fromHandler, func(a *conform.Answer) bool { return slices.Contains(statuses, a.Status) },
			fmt.Sprintf("one of the statuses %v", statuses), []string{contract.PathHealth}},
		{"7", "no-fault-is-unprovoked", "500 is a fault on the service side: no request of this run may cause one.",
			always, func(a *conform.Answer) bool {
				provoked := a.Status == http.StatusBadGateway && a.Request.FailsDelivery
				return a.Status < http.StatusInternalServerError || provoked || a.Request.Raw != ""
			}, "no 5xx", []string{contract.PathHealth}},
		{"8.1", "ratelimit-has-no-t", "The t parameter of RateLimit is absent because remaining seconds are not reported.",
			func(a *conform.Answer) bool { return a.HeaderValue(contract.HeaderRateLimit) != "" },
			func(a *conform.Answer) bool {
				return limitParameters.MatchString(a.HeaderValue(contract.HeaderRateLimit))
			},
			`RateLimit with only the policy's name and r, such as "ask";r=4`, []string{contract.PathAsk}},
		// It only examines answers of other checks: a single caller cannot reach the cap.
		{"8.2", "a-reached-cap-is-no-error", "On reaching the shared daily cap the endpoint still answers 200 with a fallback and reason rate_limited_global.",
			func(a *conform.Answer) bool { return a.Status == http.StatusOK && a.Object()["reason"] != nil },
			func(a *conform.Answer) bool {
				o := a.Object()
				return o["reason"] != string(contract.ReasonRateLimitedGlobal) || o["match"] == string(contract.MatchNone) && o["entry_id"] == nil && o["answer"] != ""
			}, "a fallback: match none, no entry_id, and a text", []string{contract.PathAsk}},
		{"9.4", "nothing-is-deprecated", "No endpoint is deprecated now, so neither Deprecation nor Sunset is sent.",
			always, func(a *conform.Answer) bool {
				return a.Header.Values(contract.HeaderDeprecation) == nil && a.Header.Values(contract.HeaderSunset) == nil
			}, "neither Deprecation nor Sunset", []string{contract.PathHealth, contract.PathCatalogAlias}},
		{"D.rules", "every-answer-has-an-id", "Every answer carries X-Request-Id.",
			fromHandler, func(a *conform.Answer) bool { return a.HeaderValue(contract.HeaderRequestID) != "" },
			"a header X-Request-Id", []string{contract.PathHealth, "/nope"}},
		{"D.rules", "every-answer-forbids-sniffing", "Every answer carries X-Content-Type-Options: nosniff.",
			fromHandler, func(a *conform.Answer) bool { return a.HeaderValue("X-Content-Type-Options") == "nosniff" },
			"the header X-Content-Type-Options: nosniff", []string{contract.PathHealth, "/nope"}},
		{"D.rules", "no-cookie-is-ever-set", "Cookies are ignored, and no cookie is ever set.",
			always, func(a *conform.Answer) bool { return a.Header.Values("Set-Cookie") == nil },
			"no Set-Cookie", []string{contract.PathHealth, contract.PathHome}},
		{"D.rules", "the-api-never-answers-html", "/v1 and /api never answer HTML.",
			isUnder(contract.PrefixV1, contract.PrefixAPI), func(a *conform.Answer) bool { return a.MediaType() != contract.TypeHTML },
			"no " + contract.TypeHTML, []string{"/v1/nope", "/api/nope"}},
	}
	record := several("7", "every-error-is-a-problem-record", "Every error from an /api or /v1 path has content type application/problem+json with type, title, status, detail, code and hint.",
		send(conform.Get("/v1/nope", "Accept: text/html")), send(conform.Get("/api/nope", "Accept: text/html")))
	record.Always = errorRecord
	checks := []conform.Check{record}
	for _, rule := range rules {
		checks = append(checks, rule.check())
	}
	return checks
}

func always(*conform.Answer) bool { return true }

// fromHandler reports whether the service's code wrote an answer. The HTTP server itself
// refuses some requests, such as those with a malformed request line.
func fromHandler(a *conform.Answer) bool {
	return a.Request.Raw == "" && a.Status != http.StatusRequestHeaderFieldsTooLarge
}

func isUnder(prefixes ...string) func(*conform.Answer) bool {
	return func(a *conform.Answer) bool {
		path, _, _ := strings.Cut(a.Request.Path, "?")
		return fromHandler(a) && slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix+"/") })
	}
}

func errorRecord(a *conform.Answer) (bool, string) {
	if !isUnder(contract.PrefixV1, contract.PrefixAPI)(a) || a.Status < http.StatusBadRequest || a.Request.Method == http.MethodHead ||
		a.Request.Path == contract.PathWorkspaceMCP {
		return false, ""
	}
	if a.MediaType() != contract.TypeProblem {
		return true, "Content-Type " + contract.TypeProblem
	}
	for _, info := range contract.Codes() {
		if info.Status == a.Status {
			return true, problemFault(a.Probe, a.Object(), info.Code, a.Status)
		}
	}
	return true, "a status that has a code"
}
