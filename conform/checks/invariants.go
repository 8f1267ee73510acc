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

// invariants returns the checks that apply to every answer.
func invariants() []conform.Check {
	return []conform.Check{
		{Section: "9.1", Name: "every-v1-answer-has-the-version-header", Always: versionHeader,
			Run:      sample(contract.PathHealth, "/v1/nope"),
			Sentence: "Every response of a /v1 path carries the header Service-API-Version: 1."},
		{Section: "7", Name: "every-error-is-a-problem-record", Always: errorRecord,
			Run:      sample("/v1/nope", "/api/nope"),
			Sentence: "Every error from an /api or /v1 path has content type application/problem+json with type, title, status, detail, code and hint."},
		{Section: "7", Name: "every-status-is-of-the-contract", Always: knownStatus, Run: sample(contract.PathHealth),
			Sentence: "No answer has a status that the contract does not know."},
		{Section: "7", Name: "no-fault-is-unprovoked", Always: noFault, Run: sample(contract.PathHealth),
			Sentence: "500 is a fault on the service side: no request of this run may cause one."},
		{Section: "8.1", Name: "ratelimit-has-no-t", Always: withoutT, Asks: 1,
			Run:      func(p *conform.Probe) { p.Send(ask("Who is it for?")) },
			Sentence: "The t parameter of RateLimit is absent because remaining seconds are not reported."},
		{Section: "8.2", Name: "a-reached-cap-is-no-error", Always: capReached, Asks: 1,
			Run:      func(p *conform.Probe) { p.Send(ask("Who is it for?")) },
			Sentence: "On reaching the shared daily cap the endpoint still answers 200 with a fallback and reason rate_limited_global."},
		{Section: "9.4", Name: "nothing-is-deprecated", Always: notDeprecated,
			Run:      sample(contract.PathHealth, contract.PathCatalogAlias),
			Sentence: "No endpoint is deprecated now, so neither Deprecation nor Sunset is sent."},
		{Section: "D.rules", Name: "every-answer-has-an-id", Always: hasID, Run: sample(contract.PathHealth, "/nope"),
			Sentence: "Every answer carries X-Request-Id."},
		{Section: "D.rules", Name: "every-answer-forbids-sniffing", Always: noSniffing,
			Run:      sample(contract.PathHealth, "/nope"),
			Sentence: "Every answer carries X-Content-Type-Options: nosniff."},
		{Section: "D.rules", Name: "no-cookie-is-ever-set", Always: noCookie,
			Run:      sample(contract.PathHealth, contract.PathHome),
			Sentence: "Cookies are ignored, and no cookie is ever set."},
		{Section: "D.rules", Name: "the-api-never-answers-html", Always: noHTML, Run: sample("/v1/nope", "/api/nope"),
			Sentence: "/v1 and /api never answer HTML."},
	}
}

// sample requests some paths, so that an invariant sees an answer even when it is the
// only selected check.
func sample(paths ...string) func(*conform.Probe) {
	return func(p *conform.Probe) {
		for _, path := range paths {
			p.Send(conform.Get(path, "Accept: text/html"))
		}
	}
}

// fromHandler reports whether the service's code wrote an answer. The HTTP server itself
// refuses some requests, such as those with a malformed request line.
func fromHandler(a *conform.Answer) bool {
	return a.Request.Raw == "" && a.Status != http.StatusRequestHeaderFieldsTooLarge
}

func isAPI(a *conform.Answer, prefixes ...string) bool {
	path, _, _ := strings.Cut(a.Request.Path, "?")
	return fromHandler(a) && slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix+"/") })
}

func versionHeader(a *conform.Answer) (bool, string) {
	if !isAPI(a, contract.PrefixV1) {
		return false, ""
	}
	if a.HeaderValue(contract.HeaderAPIVersion) != "1" {
		return true, "the header " + contract.HeaderAPIVersion + ": 1"
	}
	return true, ""
}

func errorRecord(a *conform.Answer) (bool, string) {
	if !isAPI(a, contract.PrefixV1, contract.PrefixAPI) || a.Status < http.StatusBadRequest || a.Request.Method == http.MethodHead ||
		a.Request.Path == contract.PathWorkspaceMCP {
		return false, ""
	}
	if a.MediaType() != contract.TypeProblem {
		return true, "Content-Type " + contract.TypeProblem
	}
	for _, info := range contract.Codes() {
		if info.Status == a.Status {
			return true, conform.ProblemFault(a, info.Code, a.Probe.BaseURL())
		}
	}
	return true, "a status that has a code"
}

// statuses are the statuses of the contract and the decisions; 304 is for documents with
// an ETag.
var statuses = []int{200, 202, 204, 304, 400, 403, 404, 405, 406, 413, 429, 431, 500, 502}

func knownStatus(a *conform.Answer) (bool, string) {
	if !fromHandler(a) || slices.Contains(statuses, a.Status) {
		return fromHandler(a), ""
	}
	return true, fmt.Sprintf("one of the statuses %v", statuses)
}

func noFault(a *conform.Answer) (bool, string) {
	provoked := a.Status == http.StatusBadGateway && a.Request.FailsDelivery
	if a.Status >= http.StatusInternalServerError && !provoked && a.Request.Raw == "" {
		return true, "no 5xx"
	}
	return true, ""
}

var limitParameters = regexp.MustCompile(`^"(ask|contact|trial)";r=[0-5]$`)

func withoutT(a *conform.Answer) (bool, string) {
	value := a.HeaderValue(contract.HeaderRateLimit)
	if value == "" || limitParameters.MatchString(value) {
		return value != "", ""
	}
	return true, `RateLimit with only the policy's name and r, such as "ask";r=4`
}

// capReached only examines answers of other checks, because a single caller cannot reach
// the cap.
func capReached(a *conform.Answer) (bool, string) {
	if a.Status != http.StatusOK || a.Object()["reason"] == nil {
		return false, ""
	}
	object := a.Object()
	if object["reason"] == string(contract.ReasonRateLimitedGlobal) && (object["match"] != string(contract.MatchNone) || object["entry_id"] != nil || object["answer"] == "") {
		return true, "a fallback: match none, no entry_id, and a text"
	}
	return true, ""
}

func notDeprecated(a *conform.Answer) (bool, string) {
	if a.Header.Values(contract.HeaderDeprecation) != nil || a.Header.Values(contract.HeaderSunset) != nil {
		return true, "neither Deprecation nor Sunset"
	}
	return true, ""
}

func hasID(a *conform.Answer) (bool, string) {
	if !fromHandler(a) || a.HeaderValue(contract.HeaderRequestID) != "" {
		return fromHandler(a), ""
	}
	return true, "a header X-Request-Id"
}

func noSniffing(a *conform.Answer) (bool, string) {
	if !fromHandler(a) || a.HeaderValue("X-Content-Type-Options") == "nosniff" {
		return fromHandler(a), ""
	}
	return true, "the header X-Content-Type-Options: nosniff"
}

func noCookie(a *conform.Answer) (bool, string) {
	if a.Header.Values("Set-Cookie") != nil {
		return true, "no Set-Cookie"
	}
	return true, ""
}

func noHTML(a *conform.Answer) (bool, string) {
	if !isAPI(a, contract.PrefixV1, contract.PrefixAPI) {
		return false, ""
	}
	if a.MediaType() == contract.TypeHTML {
		return true, "no " + contract.TypeHTML
	}
	return true, ""
}
