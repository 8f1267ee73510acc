package checks

import (
	"fmt"
	"net/http"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// expectation examines an answer and fails the check if it does not hold. The functions
// below make expectations of the methods of conform.Answer, for tables of checks.
type expectation = func(*conform.Answer)

func statusIs(statuses ...int) expectation {
	return func(a *conform.Answer) { a.HasStatus(statuses...) }
}

var isOK = statusIs(http.StatusOK)

// serves expects status 200, a media type, and texts in the body.
func serves(mediaType string, texts ...string) expectation {
	return func(a *conform.Answer) { a.HasStatus(http.StatusOK).HasType(mediaType).Contains(texts...) }
}

// isProblem expects the problem record of a code, whose detail names the fields.
func isProblem(code contract.Code, fields ...string) expectation {
	return func(a *conform.Answer) {
		a.IsProblem(code)
		for _, field := range fields {
			a.NamesField(field)
		}
	}
}

// answers expects a status and a media type.
func answers(status int, mediaType string) expectation {
	return func(a *conform.Answer) { a.HasStatus(status).HasType(mediaType) }
}

func hasType(mediaType string) expectation {
	return func(a *conform.Answer) { a.HasType(mediaType) }
}

func hasMember(path string, want any) expectation {
	return func(a *conform.Answer) { a.HasMember(path, want) }
}

func hasTexts(paths ...string) expectation {
	return func(a *conform.Answer) {
		for _, path := range paths {
			a.Text(path)
		}
	}
}

func hasLists(paths ...string) expectation {
	return func(a *conform.Answer) {
		for _, path := range paths {
			a.List(path)
		}
	}
}

// hasItems expects an array that is not empty.
func hasItems(path, expected string) expectation {
	return func(a *conform.Answer) {
		if len(a.List(path)) == 0 {
			a.Fail("%s", expected)
		}
	}
}

func hasHeader(name, value string) expectation {
	return func(a *conform.Answer) { a.HasHeader(name, value) }
}

func headerMatches(name, pattern string) expectation {
	return func(a *conform.Answer) { a.HeaderMatches(name, pattern) }
}

func lacksHeader(names ...string) expectation {
	return func(a *conform.Answer) { a.LacksHeader(names...) }
}

// limitless expects no headers of a limit.
var limitless = lacksHeader(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy)

// left expects that so many slots of a policy are left.
func left(policy string, n int) expectation {
	return hasHeader(contract.HeaderRateLimit, fmt.Sprintf(`"%s";r=%d`, policy, n))
}

// The policies, as the contract writes them.
var (
	hasAskPolicy     = hasHeader(contract.HeaderRateLimitPolicy, `"ask";q=5;w=60`)
	hasContactPolicy = hasHeader(contract.HeaderRateLimitPolicy, `"contact";q=3;w=60`)
)

func contains(texts ...string) expectation {
	return func(a *conform.Answer) { a.Contains(texts...) }
}

func omits(texts ...string) expectation {
	return func(a *conform.Answer) { a.Omits(texts...) }
}

// hasNoBody expects an answer without a body.
func hasNoBody(a *conform.Answer) {
	if len(a.Body) > 0 {
		a.Fail("no body")
	}
}

// mailedOnce expects exactly one mail with the mark of the request.
func mailedOnce(a *conform.Answer) { a.Probe.OneMail(markOf(a.Request)) }

// mailedNothing expects no mail with the mark of the request.
func mailedNothing(a *conform.Answer) { a.Probe.NoMail(markOf(a.Request)) }

// markOf returns the mark of a pilot request, which is in its address.
func markOf(r conform.Request) string {
	_, address, _ := strings.Cut(r.Body, `"email":"`)
	mark, _, _ := strings.Cut(address, "@")
	return mark
}
