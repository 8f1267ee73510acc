package conform

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"frontdesk/contract"
)

// watched are the sentences about every answer, whatever was asked.
func watched() []Check {
	return []Check{
		{Section: "9.1", Name: "every-v1-answer-has-the-version-header", Always: versionHeader,
			Run:  sample(contract.PathHealth, "/v1/nope"),
			Says: "Every response of a /v1 path carries the header Service-API-Version: 1."},
		{Section: "7", Name: "every-error-is-a-problem-record", Always: errorRecord,
			Run:  sample("/v1/nope", "/api/nope"),
			Says: "Every error from an /api or /v1 path has content type application/problem+json with type, title, status, detail, code and hint."},
		{Section: "7", Name: "every-status-is-of-the-contract", Always: knownStatus, Run: sample(contract.PathHealth),
			Says: "No answer has a status that the contract does not know."},
		{Section: "7", Name: "no-fault-is-unprovoked", Always: noFault, Run: sample(contract.PathHealth),
			Says: "500 is a fault on the service side: no request of this run may bring one about."},
		{Section: "8.1", Name: "ratelimit-has-no-t", Always: withoutT, Asks: 1,
			Run:  func(p *probe) { p.send(ask("Who is it for?")) },
			Says: "The t parameter of RateLimit is absent because remaining seconds are not reported."},
		{Section: "8.2", Name: "a-reached-cap-is-no-error", Always: capReached, Asks: 1,
			Run:  func(p *probe) { p.send(ask("Who is it for?")) },
			Says: "On reaching the shared daily cap the endpoint still answers 200 with a fallback and reason rate_limited_global."},
		{Section: "9.4", Name: "nothing-is-deprecated", Always: notDeprecated,
			Run:  sample(contract.PathHealth, contract.PathCatalogAlias),
			Says: "No endpoint is deprecated now, so neither Deprecation nor Sunset is sent."},
		{Section: "D.rules", Name: "every-answer-has-an-id", Always: hasID, Run: sample(contract.PathHealth, "/nope"),
			Says: "Every answer carries X-Request-Id."},
		{Section: "D.rules", Name: "every-answer-forbids-sniffing", Always: noSniffing,
			Run:  sample(contract.PathHealth, "/nope"),
			Says: "Every answer carries X-Content-Type-Options: nosniff."},
		{Section: "D.rules", Name: "no-cookie-is-ever-set", Always: noCookie,
			Run:  sample(contract.PathHealth, contract.PathHome),
			Says: "Cookies are ignored, and no cookie is ever set."},
		{Section: "D.rules", Name: "the-api-never-answers-html", Always: noHTML, Run: sample("/v1/nope", "/api/nope"),
			Says: "/v1 and /api never answer HTML."},
	}
}

// sample sees to it that a watching check has seen something when it is chosen
// alone.
func sample(paths ...string) func(*probe) {
	return func(p *probe) {
		for _, path := range paths {
			p.send(get(path, "Accept: text/html"))
		}
	}
}

// ours reports whether the service's own code wrote an answer: what a server
// refuses before that, such as a malformed request line, stays the server's.
func ours(a *answer) bool {
	return a.request.wire == "" && a.status != http.StatusRequestHeaderFieldsTooLarge
}

func isAPI(a *answer, prefixes ...string) bool {
	path, _, _ := strings.Cut(a.request.path, "?")
	return ours(a) && slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix+"/") })
}

func versionHeader(a *answer) (bool, string) {
	if !isAPI(a, contract.PrefixV1) {
		return false, ""
	}
	if !slices.Contains(a.lines, contract.HeaderAPIVersion+": 1") || len(a.header.Values(contract.HeaderAPIVersion)) != 1 {
		return true, "the header " + contract.HeaderAPIVersion + ": 1"
	}
	return true, ""
}

func errorRecord(a *answer) (bool, string) {
	if !isAPI(a, contract.PrefixV1, contract.PrefixAPI) || a.status < http.StatusBadRequest || a.request.method == http.MethodHead ||
		a.request.path == contract.PathWorkspaceMCP {
		return false, ""
	}
	if a.mediaType() != contract.TypeProblem {
		return true, "Content-Type " + contract.TypeProblem
	}
	for _, info := range contract.Codes() {
		if info.Status == a.status {
			return true, recordFault(a, info.Code, a.probe.base())
		}
	}
	return true, "a status that has a code"
}

// statuses are those that issue, contract and decisions know; 206 of a range and
// 304 of a validator belong to documents.
var statuses = []int{200, 202, 204, 304, 400, 403, 404, 405, 406, 413, 429, 431, 500, 502}

func knownStatus(a *answer) (bool, string) {
	if !ours(a) || slices.Contains(statuses, a.status) {
		return ours(a), ""
	}
	return true, fmt.Sprintf("one of the statuses %v", statuses)
}

func noFault(a *answer) (bool, string) {
	provoked := a.status == http.StatusBadGateway && a.request.provoked
	if a.status >= http.StatusInternalServerError && !provoked && a.request.wire == "" {
		return true, "no 5xx"
	}
	return true, ""
}

var limitParameters = regexp.MustCompile(`^"(ask|contact|trial)";r=[0-5]$`)

func withoutT(a *answer) (bool, string) {
	value := a.value(contract.HeaderRateLimit)
	if value == "" || limitParameters.MatchString(value) {
		return value != "", ""
	}
	return true, `RateLimit with the policy's name and r alone, such as "ask";r=4`
}

// capReached looks at answers to questions: the cap is of the service's model, and
// nobody outside can reach it alone.
func capReached(a *answer) (bool, string) {
	if a.status != http.StatusOK || a.object()["reason"] == nil {
		return false, ""
	}
	object := a.object()
	if object["reason"] == string(contract.ReasonRateLimitedGlobal) && (object["match"] != string(contract.MatchNone) || object["entry_id"] != nil || object["answer"] == "") {
		return true, "a fallback: match none, no entry_id, and a text"
	}
	return true, ""
}

func notDeprecated(a *answer) (bool, string) {
	if a.header.Values(contract.HeaderDeprecation) != nil || a.header.Values(contract.HeaderSunset) != nil {
		return true, "neither Deprecation nor Sunset"
	}
	return true, ""
}

func hasID(a *answer) (bool, string) {
	if !ours(a) || a.value(contract.HeaderRequestID) != "" {
		return ours(a), ""
	}
	return true, "a header X-Request-Id"
}

func noSniffing(a *answer) (bool, string) {
	if !ours(a) || a.value("X-Content-Type-Options") == "nosniff" {
		return ours(a), ""
	}
	return true, "the header X-Content-Type-Options: nosniff"
}

func noCookie(a *answer) (bool, string) {
	if a.header.Values("Set-Cookie") != nil {
		return true, "no Set-Cookie"
	}
	return true, ""
}

func noHTML(a *answer) (bool, string) {
	if !isAPI(a, contract.PrefixV1, contract.PrefixAPI) {
		return false, ""
	}
	if a.mediaType() == contract.TypeHTML {
		return true, "no " + contract.TypeHTML
	}
	return true, ""
}
