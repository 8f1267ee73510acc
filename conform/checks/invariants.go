package checks

import (
	"net/http"
	"regexp"
	"strings"

	"frontdesk/contract"
)

var limitParameters = regexp.MustCompile(`^"(ask|contact|trial)";r=\d+$`)

// always adds a rule for every answer of a run. The check itself sends some requests, so that
// the rule sees answers even when it is the only selected check.
func (l *list) always(section, name, sentence, expected string, wrong func(*answer) bool, r ...request) {
	r = append(r, health, html("/v1/nope"), html("/api/nope"), html("/"))
	l.several(section, name, sentence, sendAll(all(), r...)).Always = func(a *answer) string {
		if wrong(a) {
			return expected
		}
		return ""
	}
}

// invariants adds the checks that apply to every answer.
func invariants(l *list) {
	l.several("7", "every-error-is-a-problem-record",
		"Every error from an /api or /v1 path has content type application/problem+json with type, title, status, detail, "+
			"code and hint.",
		sendAll(all(), html("/v1/nope"), html("/api/nope"))).Always = errorRecord
	l.always("9.1", "every-v1-answer-has-the-version-header",
		"Every response of a /v1 path carries the header Service-API-Version: 1.", "the header Service-API-Version: 1",
		func(a *answer) bool { return isUnder(a, "/v1/") && a.HeaderValue("Service-API-Version") != "1" })
	l.always("8.1", "ratelimit-has-no-t",
		"The t parameter of RateLimit is absent because remaining seconds are not reported.",
		`RateLimit with only the policy's name and r, such as "ask";r=4`, func(a *answer) bool {
			value := a.HeaderValue("RateLimit")
			return value != "" && !limitParameters.MatchString(value)
		}, ask("Who is it for?"))
	// A single caller cannot reach the cap, so this only examines the answers of other checks.
	l.always("8.2", "a-reached-cap-is-no-error",
		"On reaching the shared daily cap the endpoint still answers 200 with a fallback and reason rate_limited_global.",
		"a fallback: match none, no entry_id, and a text", func(a *answer) bool {
			o := a.Object()
			return o["reason"] == string(contract.ReasonRateLimitedGlobal) &&
				(o["match"] != string(contract.MatchNone) || o["entry_id"] != nil || o["answer"] == "")
		}, ask("Who is it for?"))
	l.always("9.4", "nothing-is-deprecated", "No endpoint is deprecated now, so neither Deprecation nor Sunset is sent.",
		"neither Deprecation nor Sunset", func(a *answer) bool {
			return a.HeaderValue("Deprecation")+a.HeaderValue("Sunset") != ""
		})
	l.always("D.rules", "every-answer-has-an-id", "Every answer carries X-Request-Id.", "a header X-Request-Id",
		func(a *answer) bool { return fromHandler(a) && a.HeaderValue("X-Request-Id") == "" })
	l.always("D.rules", "every-answer-forbids-sniffing", "Every answer carries X-Content-Type-Options: nosniff.",
		"the header X-Content-Type-Options: nosniff",
		func(a *answer) bool { return fromHandler(a) && a.HeaderValue("X-Content-Type-Options") != "nosniff" })
	l.always("D.rules", "no-cookie-is-ever-set", "Cookies are ignored, and no cookie is ever set.", "no Set-Cookie",
		func(a *answer) bool { return a.HeaderValue("Set-Cookie") != "" })
}

// fromHandler reports whether the service's code wrote an answer. The HTTP server itself
// refuses headers that are too large.
func fromHandler(a *answer) bool { return a.Status != http.StatusRequestHeaderFieldsTooLarge }

func isUnder(a *answer, prefix string) bool {
	return fromHandler(a) && strings.HasPrefix(a.Request.Path, prefix)
}

func errorRecord(a *answer) (fault string) {
	if !isUnder(a, "/v1/") && !isUnder(a, "/api/") || a.Status < http.StatusBadRequest ||
		a.Request.Method == http.MethodHead || a.Request.Path == workspace {
		return ""
	}
	if a.MediaType() != "application/problem+json" {
		return "Content-Type application/problem+json"
	}
	for _, info := range contract.Codes() {
		if info.Status == a.Status {
			return problemError(a.Probe, a.Object(), info.Code)
		}
	}
	return "a status that has a code"
}
