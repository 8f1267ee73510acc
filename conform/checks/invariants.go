package checks

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"frontdesk/contract"
)

// statuses are the statuses of the contract and the decisions; 304 is for documents with
// an ETag.
var statuses = []int{200, 202, 204, 304, 308, 400, 403, 404, 405, 406, 413, 429, 431, 500, 502}

var limitParameters = regexp.MustCompile(`^"(ask|contact|trial)";r=\d+$`)

// always adds a rule for every answer of a run that it applies to. The check itself requests
// some paths, so that the rule sees an answer even when it is the only selected check.
func (l *list) always(section, name, sentence, expected string, paths []string, applies,
	holds func(*answer) bool) {
	var steps []step
	for _, path := range paths {
		r := html(path)
		if path == "/v1/ask" {
			r = ask("Who is it for?")
		}
		steps = append(steps, send(r))
	}
	l.several(section, name, sentence, steps...).Always = func(a *answer) (bool, string) {
		if !applies(a) || holds(a) {
			return applies(a), ""
		}
		return true, expected
	}
}

// invariants adds the checks that apply to every answer.
func invariants(l *list) {
	every := func(*answer) bool { return true }
	lacks := func(names ...string) func(*answer) bool {
		return func(a *answer) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return a.Header.Values(name) != nil })
		}
	}
	has := func(name, value string) func(*answer) bool {
		return func(a *answer) bool { return a.HeaderValue(name) == value }
	}
	health, missing := []string{"/v1/health"}, []string{"/v1/health", "/nope"}

	l.several("7", "every-error-is-a-problem-record",
		"Every error from an /api or /v1 path has content type application/problem+json with type, title, status, detail, "+
			"code and hint.",
		send(html("/v1/nope")), send(html("/api/nope"))).Always = errorRecord
	l.always("9.1", "every-v1-answer-has-the-version-header",
		"Every response of a /v1 path carries the header Service-API-Version: 1.",
		"the header Service-API-Version: 1", []string{"/v1/health", "/v1/nope"}, isUnder("/v1"),
		has("Service-API-Version", "1"))
	l.always("7", "every-status-is-of-the-contract", "No answer has a status that the contract does not know.",
		fmt.Sprintf("one of the statuses %v", statuses), health, fromHandler, func(a *answer) bool {
			return slices.Contains(statuses, a.Status)
		})
	l.always("7", "no-fault-is-unprovoked", "500 is a fault on the service side: no request of this run may cause one.",
		"no 5xx", health, every, func(a *answer) bool {
			provoked := a.Status == http.StatusBadGateway && a.Request.FailsDelivery
			return a.Status < http.StatusInternalServerError || provoked || a.Request.Raw != ""
		})
	l.always("8.1", "ratelimit-has-no-t",
		"The t parameter of RateLimit is absent because remaining seconds are not reported.",
		`RateLimit with only the policy's name and r, such as "ask";r=4`, []string{"/v1/ask"},
		func(a *answer) bool { return a.HeaderValue("RateLimit") != "" },
		func(a *answer) bool {
			return limitParameters.MatchString(a.HeaderValue("RateLimit"))
		})
	// It only examines answers of other checks: a single caller cannot reach the cap.
	l.always("8.2", "a-reached-cap-is-no-error",
		"On reaching the shared daily cap the endpoint still answers 200 with a fallback and reason rate_limited_global.",
		"a fallback: match none, no entry_id, and a text", []string{"/v1/ask"},
		func(a *answer) bool { return a.Status == http.StatusOK && a.Object()["reason"] != nil },
		func(a *answer) bool {
			o := a.Object()
			return o["reason"] != string(contract.ReasonRateLimitedGlobal) || o["match"] == string(contract.MatchNone) &&
				o["entry_id"] == nil && o["answer"] != ""
		})
	l.always("9.4", "nothing-is-deprecated", "No endpoint is deprecated now, so neither Deprecation nor Sunset is sent.",
		"neither Deprecation nor Sunset", []string{"/v1/health", "/agents.json"}, every,
		lacks("Deprecation", "Sunset"))
	l.always("D.rules", "every-answer-has-an-id", "Every answer carries X-Request-Id.",
		"a header X-Request-Id", missing, fromHandler, func(a *answer) bool {
			return a.HeaderValue("X-Request-Id") != ""
		})
	l.always("D.rules", "every-answer-forbids-sniffing", "Every answer carries X-Content-Type-Options: nosniff.",
		"the header X-Content-Type-Options: nosniff", missing, fromHandler, has("X-Content-Type-Options", "nosniff"))
	l.always("D.rules", "no-cookie-is-ever-set", "Cookies are ignored, and no cookie is ever set.",
		"no Set-Cookie", []string{"/v1/health", "/"}, every, lacks("Set-Cookie"))
	l.always("D.rules", "the-api-never-answers-html", "/v1 and /api never answer HTML.",
		"no text/html", []string{"/v1/nope", "/api/nope"}, isUnder("/v1", "/api"),
		func(a *answer) bool { return a.MediaType() != "text/html" })
}

// fromHandler reports whether the service's code wrote an answer. The HTTP server itself
// refuses some requests, such as those with a malformed request line.
func fromHandler(a *answer) bool {
	return a.Request.Raw == "" && a.Status != http.StatusRequestHeaderFieldsTooLarge
}

func isUnder(prefixes ...string) func(*answer) bool {
	return func(a *answer) bool {
		path, _, _ := strings.Cut(a.Request.Path, "?")
		return fromHandler(a) && slices.ContainsFunc(prefixes, func(prefix string) bool {
			return strings.HasPrefix(path, prefix+"/")
		})
	}
}

func errorRecord(a *answer) (applies bool, wrong string) {
	if !isUnder("/v1", "/api")(a) || a.Status < http.StatusBadRequest ||
		a.Request.Method == http.MethodHead ||
		a.Request.Path == "/api/public/mcp" {
		return false, ""
	}
	if a.MediaType() != "application/problem+json" {
		return true, "Content-Type application/problem+json"
	}
	for _, info := range contract.Codes() {
		if info.Status == a.Status {
			return true, problemError(a.Probe, a.Object(), info.Code, a.Status)
		}
	}
	return true, "a status that has a code"
}
