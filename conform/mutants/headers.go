package mutants

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"frontdesk/contract"
	"frontdesk/test/harness"
)

// headerMutants drop and change headers of the answers.
func headerMutants() []Mutant {
	return []Mutant{
		{"no Service-API-Version", "9.1", "every-v1-answer-has-the-version-header", without(contract.HeaderAPIVersion)},
		{"no Service-API-Version on errors", "9.1", "every-v1-answer-has-the-version-header", onErrors(func(a *reply) {
			a.header.Del(contract.HeaderAPIVersion)
		})},
		{"version 2", "9.1", "every-v1-answer-has-the-version-header", with(contract.HeaderAPIVersion, "2")},
		{"no RateLimit-Policy", "8", "ask-answers-verbatim", without(contract.HeaderRateLimitPolicy)},
		{"no RateLimit-Policy on feedback", "4.feedback", "feedback-has-the-ask-policy", replies(func(a *reply) {
			a.header.Del(contract.HeaderRateLimitPolicy)
		}, contract.PathFeedback)},
		{"no RateLimit", "8.1", "the-sixth-question-is-refused", without(contract.HeaderRateLimit)},
		{"RateLimit always says five", "8.1", "the-sixth-question-is-refused", with(contract.HeaderRateLimit, `"ask";r=5`)},
		{"RateLimit with t", "8.1", "ratelimit-has-no-t", valued(contract.HeaderRateLimit, func(value string) string {
			return value + ";t=60"
		})},
		{"RateLimit on the catalog", "8", "catalog-is-json",
			with(contract.HeaderRateLimit, `"ask";r=5`, contract.PathCatalog)},
		{"RateLimit on health", "8", "health-is-ok", with(contract.HeaderRateLimit, `"ask";r=5`, contract.PathHealth)},
		{"RateLimit on dry runs", "8", "dry-run-previews",
			with(contract.HeaderRateLimit, `"contact";r=3`, contract.PathContact)},
		{"no Retry-After", "8.1", "the-sixth-question-is-refused", without(contract.HeaderRetryAfter)},
		{"no ETag", "D.answers", "catalog-is-revalidated", without("ETag")},
		{"no 304", "D.answers", "catalog-is-revalidated", deaf("If-None-Match", always)},
		{"always 304", "D.answers", "catalog-is-revalidated", asked("If-None-Match", func(string) string { return "*" })},
		{"no Allow", "7", "other-methods-at-v1-contact", without("Allow")},
		{"Allow lacks HEAD", "7", "other-methods-at-v1-catalog",
			valued("Allow", strings.NewReplacer("GET, HEAD", "GET").Replace)},
		{"no Vary", "D.documents", "pages-are-locked", without("Vary")},
		{"no X-Request-Id", "D.rules", "every-answer-has-an-id", without(contract.HeaderRequestID)},
		{"a given X-Request-Id is replaced", "D.rules", "request-id-is-kept", deaf(contract.HeaderRequestID, always)},
		{"any given X-Request-Id is kept", "D.rules", "request-id-is-kept", replies(func(a *reply) {
			if given := a.request.Header.Get(contract.HeaderRequestID); given != "" {
				a.header.Set(contract.HeaderRequestID, given)
			}
		})},
		{"no nosniff", "D.rules", "every-answer-forbids-sniffing", without("X-Content-Type-Options")},
		{"a cookie", "D.rules", "no-cookie-is-ever-set", with("Set-Cookie", "session=1; HttpOnly")},
		{"Deprecation", "9.4", "nothing-is-deprecated", with("Deprecation", "@1780000000")},
		{"answers may be cached", "4.ask", "ask-answers-verbatim",
			with("Cache-Control", "public, max-age=60", contract.PathAsk)},
		{"errors may be cached", "D.problem", "errors-show-nothing-inside", onErrors(func(a *reply) {
			a.header.Set("Cache-Control", "public, max-age=60")
		})},
		{"pages without a Content-Security-Policy", "D.documents", "pages-are-locked", without("Content-Security-Policy")},
		{"403 is 401", "5.7", "origin-foreign", restatus(http.StatusForbidden, http.StatusUnauthorized)},
	}
}

// onErrors changes the answers from 400 up.
func onErrors(alter func(*reply)) change {
	return replies(func(a *reply) {
		if a.status >= http.StatusBadRequest {
			alter(a)
		}
	})
}

// ofStatus changes the problem records with a status.
func ofStatus(status float64, alter func(map[string]any)) change {
	return onErrors(func(a *reply) {
		if a.status == int(status) {
			a.body = edited(a.body, alter)
		}
	})
}

// recordMutants change problem records and statuses.
func recordMutants() []Mutant {
	set := func(member string, value any) func(map[string]any) {
		return func(record map[string]any) { record[member] = value }
	}
	return []Mutant{
		{"413 is 400", "7", "contact-body-has-its-cap", restatus(http.StatusRequestEntityTooLarge, http.StatusBadRequest)},
		{"400 is 422", "7", "invalid-request", restatus(http.StatusBadRequest, http.StatusUnprocessableEntity)},
		{"404 is 400", "7", "not-found-v1", restatus(http.StatusNotFound, http.StatusBadRequest)},
		{"405 is 404", "7", "other-methods-at-v1-ask", restatus(http.StatusMethodNotAllowed, http.StatusNotFound)},
		{"429 is 503", "8.1", "the-sixth-question-is-refused",
			restatus(http.StatusTooManyRequests, http.StatusServiceUnavailable)},
		{"errors are application/json", "7", "every-error-is-a-problem-record", onErrors(func(a *reply) {
			a.header.Set("Content-Type", contract.TypeJSON)
		})},
		{"errors are text", "7", "every-error-is-a-problem-record", onErrors(func(a *reply) {
			a.header.Set("Content-Type", "text/plain; charset=utf-8")
			a.body = []byte(http.StatusText(a.status))
		})},
		{"404 and 405 swap their codes", "7", "every-error-is-a-problem-record",
			both(ofStatus(404, set("code", contract.MethodNotAllowed)), ofStatus(405, set("code", contract.NotFound)))},
		{"no hint", "7", "every-error-is-a-problem-record", problems(lose("hint"))},
		{"an empty title", "7", "every-error-is-a-problem-record", problems(set("title", ""))},
		{"status is a string", "7", "every-error-is-a-problem-record", problems(func(record map[string]any) {
			record["status"] = "400"
		})},
		{"the member status is wrong", "7", "every-error-is-a-problem-record", problems(set("status", 418))},
		{"type is a relative path", "7", "every-error-is-a-problem-record", rewritten(`"type":"`+harness.Base, `"type":"`)},
		{"type has another fragment", "7", "every-error-is-a-problem-record", rewritten(`#errors-`, `#error-`)},
		{"detail names no field", "7", "invalid-request", ofStatus(400, set("detail", "The request is invalid."))},
		{"ok and error are missing", "7", "not-found-v1", problems(lose("ok", "error"))},
		{"errors only for several fields", "D.problem", "errors-list-each-field", problems(func(record map[string]any) {
			if list, _ := record["errors"].([]any); len(list) == 1 {
				delete(record, "errors")
			}
		})},
		{"errors without a field", "D.problem", "errors-list-each-field", ofStatus(404, set("errors", []string{}))},
		{"no request_id", "D.problem", "errors-name-the-request", problems(lose("request_id"))},
		{"another request_id", "D.problem", "errors-name-the-request", problems(set("request_id", "x"))},
		{"no request_id in data", "D.mcp", "errors-name-the-request",
			rewritten(`"request_id":`, `"id_of_request":`, contract.PathMCP)},
		{"one hint for every 404", "D.rules", "404-names-the-nearest",
			ofStatus(404, set("hint", contract.NotFound.Info().Hint))},
		{"the refusal of a form to ask does not mention JSON", "D.rules", "ask-reads-json-only",
			rewritten("The body is a form, and this endpoint reads JSON only.", "The body cannot be read.")},
		{"an unknown entry is not named", "D.answers", "feedback-has-bounds",
			rewritten(`\"no-such-entry-0\" `, "")},
		{"a refused origin is not named", "D.rules", "origin-malformed",
			rewritten(`\"https://evil.example\"`, "of the request")},
		{"error is the code", "7", "not-found-v1", problems(func(record map[string]any) {
			record["error"] = record["code"]
		})},
		{"a long q gets no advice", "D.problem", "long-q-has-advice", rewritten("under 300 characters", "short")},
		{"413 does not say that the cap counts bytes", "D.rules", "caps-count-bytes",
			ofStatus(413, func(record map[string]any) {
				for _, member := range []string{"hint", "detail", "error"} {
					record[member] = "Too large."
				}
			})},
		{"502 does not say when to retry", "7", "bad-gateway", ofStatus(502, set("hint", "Try again."))},
	}
}

// documentMutants change published documents.
func documentMutants() []Mutant {
	return []Mutant{
		{"the alias of the catalog has an extra line", "4.catalog", "catalog-alias-is-the-same", replies(func(a *reply) {
			a.body = append(slices.Clip(a.body), '\n')
		}, contract.PathCatalogAlias)},
		{"health is text", "4.health", "health-is-ok", replies(func(a *reply) {
			a.header.Set("Content-Type", "text/plain")
			a.body = []byte("ok")
		}, contract.PathHealth)},
		{"health says up", "4.health", "health-is-ok", rewritten(`"ok"`, `"up"`, contract.PathHealth)},
		{"the catalog has no bands", "4.catalog", "catalog-is-json", documents(lose("pricing_bands"), contract.PathCatalog)},
		{"a service names an unknown pricing band", "D.answers", "every-service-has-its-band",
			rewritten(`"pricing_band":"`, `"pricing_band":"old-`, contract.PathCatalog)},
		{"the catalog has no revision", "D.answers", "catalog-has-its-fields",
			documents(lose("revision"), contract.PathCatalog)},
		{"Markdown is not offered", "1", "pages-are-markdown-too", deaf("Accept", func(_ *http.Request, value string) bool {
			return strings.Contains(value, "markdown")
		})},
		{"the page /faq lacks an answer", "D.answers", "faq-shows-every-answer", replies(func(a *reply) {
			a.body, _, _ = bytes.Cut(a.body, []byte("\n## ")) // in Markdown
		}, contract.PathFAQ)},
		{"/openapi.json is OpenAPI 3.0", "9.6", "openapi-is-3.1.0",
			rewritten(`"openapi":"3.1.0"`, `"openapi":"3.0.3"`, contract.PathOpenAPI)},
		{"/openapi.json does not require business", "2", "openapi-has-the-bounds",
			rewritten(`"name","business","email","message"`, `"name","email","message"`, contract.PathOpenAPI)},
		{"/openapi.json lacks feedback", "4", "openapi-has-every-endpoint",
			rewritten(`"/api/ask/feedback"`, `"/api/feedback"`, contract.PathOpenAPI)},
		{"no /auth.md", "1", "auth-md-is-published", gone(contract.PathAuthGuide)},
		{"no /llms.txt", "1", "llms-txt-is-published", gone(contract.PathLLMS)},
		{"no server card", "1", "server-card-is-published", gone(contract.PathServerCard)},
		{"the API catalog is plain JSON", "1", "api-catalog-is-published",
			with("Content-Type", contract.TypeJSON, contract.PathAPICatalog)},
		{"the developer page lacks a code", "1", "developers-is-published",
			rewritten(`id="errors-bad_gateway"`, `id="errors-gateway"`, contract.PathDevelopers)},
		{"the descriptor lacks register_uri", "5.5", "agent-auth-has-its-shape",
			rewritten(`"register_uri"`, `"register"`, contract.PathAuthGuide)},
	}
}

// gone answers documents with 404.
func gone(paths ...string) change { return restatus(http.StatusOK, http.StatusNotFound, paths...) }
