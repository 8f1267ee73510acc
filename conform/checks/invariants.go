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

// statuses are the statuses of the contract and the decisions; 304 is for documents with
// an ETag.
var statuses = []int{200, 202, 204, 304, 308, 400, 403, 404, 405, 406, 413, 429, 431, 500, 502}

var limitParameters = regexp.MustCompile(`^"(ask|contact|trial)";r=[0-5]$`)

// always adds a rule for every answer of a run that it applies to. The check itself requests
// some paths, so that the rule sees an answer even when it is the only selected check.
func (l *list) always(section, name, sentence, expected string, paths []string, applies,
	holds func(*conform.Answer) bool) {
	var steps []step
	for _, path := range paths {
		r := conform.Get(path, "Accept: text/html")
		if path == contract.PathAsk {
			r = ask("Who is it for?")
		}
		steps = append(steps, send(r))
	}
	l.several(section, name, sentence, steps...).Always = func(a *conform.Answer) (bool, string) {
		if !applies(a) || holds(a) {
			return applies(a), ""
		}
		return true, expected
	}
}

// invariants adds the checks that apply to every answer.
func invariants(l *list) {
	every := func(*conform.Answer) bool { return true }
	lacks := func(names ...string) func(*conform.Answer) bool {
		return func(a *conform.Answer) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return a.Header.Values(name) != nil })
		}
	}
	has := func(name, value string) func(*conform.Answer) bool {
		return func(a *conform.Answer) bool { return a.HeaderValue(name) == value }
	}
	health, missing := []string{contract.PathHealth}, []string{contract.PathHealth, "/nope"}

	l.several("7", "every-error-is-a-problem-record",
		"Every error from an /api or /v1 path has content type application/problem+json with type, title, status, detail, "+
			"code and hint.",
		send(conform.Get("/v1/nope", "Accept: text/html")),
		send(conform.Get("/api/nope", "Accept: text/html"))).Always = errorRecord
	l.always("9.1", "every-v1-answer-has-the-version-header",
		"Every response of a /v1 path carries the header Service-API-Version: 1.",
		"the header "+contract.HeaderAPIVersion+": 1", []string{contract.PathHealth, "/v1/nope"}, isUnder(contract.PrefixV1),
		has(contract.HeaderAPIVersion, "1"))
	l.always("7", "every-status-is-of-the-contract", "No answer has a status that the contract does not know.",
		fmt.Sprintf("one of the statuses %v", statuses), health, fromHandler, func(a *conform.Answer) bool {
			return slices.Contains(statuses, a.Status)
		})
	l.always("7", "no-fault-is-unprovoked", "500 is a fault on the service side: no request of this run may cause one.",
		"no 5xx", health, every, func(a *conform.Answer) bool {
			provoked := a.Status == http.StatusBadGateway && a.Request.FailsDelivery
			return a.Status < http.StatusInternalServerError || provoked || a.Request.Raw != ""
		})
	l.always("8.1", "ratelimit-has-no-t",
		"The t parameter of RateLimit is absent because remaining seconds are not reported.",
		`RateLimit with only the policy's name and r, such as "ask";r=4`, []string{contract.PathAsk},
		func(a *conform.Answer) bool { return a.HeaderValue(contract.HeaderRateLimit) != "" },
		func(a *conform.Answer) bool {
			return limitParameters.MatchString(a.HeaderValue(contract.HeaderRateLimit))
		})
	// It only examines answers of other checks: a single caller cannot reach the cap.
	l.always("8.2", "a-reached-cap-is-no-error",
		"On reaching the shared daily cap the endpoint still answers 200 with a fallback and reason rate_limited_global.",
		"a fallback: match none, no entry_id, and a text", []string{contract.PathAsk},
		func(a *conform.Answer) bool { return a.Status == http.StatusOK && a.Object()["reason"] != nil },
		func(a *conform.Answer) bool {
			o := a.Object()
			return o["reason"] != string(contract.ReasonRateLimitedGlobal) || o["match"] == string(contract.MatchNone) &&
				o["entry_id"] == nil && o["answer"] != ""
		})
	l.always("9.4", "nothing-is-deprecated", "No endpoint is deprecated now, so neither Deprecation nor Sunset is sent.",
		"neither Deprecation nor Sunset", []string{contract.PathHealth, contract.PathCatalogAlias}, every,
		lacks(contract.HeaderDeprecation, contract.HeaderSunset))
	l.always("D.rules", "every-answer-has-an-id", "Every answer carries X-Request-Id.",
		"a header X-Request-Id", missing, fromHandler, func(a *conform.Answer) bool {
			return a.HeaderValue(contract.HeaderRequestID) != ""
		})
	l.always("D.rules", "every-answer-forbids-sniffing", "Every answer carries X-Content-Type-Options: nosniff.",
		"the header X-Content-Type-Options: nosniff", missing, fromHandler, has("X-Content-Type-Options", "nosniff"))
	l.always("D.rules", "no-cookie-is-ever-set", "Cookies are ignored, and no cookie is ever set.",
		"no Set-Cookie", []string{contract.PathHealth, contract.PathHome}, every, lacks("Set-Cookie"))
	l.always("D.rules", "the-api-never-answers-html", "/v1 and /api never answer HTML.",
		"no "+contract.TypeHTML, []string{"/v1/nope", "/api/nope"}, isUnder(contract.PrefixV1, contract.PrefixAPI),
		func(a *conform.Answer) bool { return a.MediaType() != contract.TypeHTML })
}

// fromHandler reports whether the service's code wrote an answer. The HTTP server itself
// refuses some requests, such as those with a malformed request line.
func fromHandler(a *conform.Answer) bool {
	return a.Request.Raw == "" && a.Status != http.StatusRequestHeaderFieldsTooLarge
}

func isUnder(prefixes ...string) func(*conform.Answer) bool {
	return func(a *conform.Answer) bool {
		path, _, _ := strings.Cut(a.Request.Path, "?")
		return fromHandler(a) && slices.ContainsFunc(prefixes, func(prefix string) bool {
			return strings.HasPrefix(path, prefix+"/")
		})
	}
}

func errorRecord(a *conform.Answer) (applies bool, fault string) {
	if !isUnder(contract.PrefixV1, contract.PrefixAPI)(a) || a.Status < http.StatusBadRequest ||
		a.Request.Method == http.MethodHead ||
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
