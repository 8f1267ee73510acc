package checks

import "strings"

// pages adds the checks of the pages, their forms and their security headers.
func pages(l *list) {
	for _, path := range pagePaths {
		name := pageName(path)
		l.one("D.documents", "page-is-locked-"+name,
			"A page is HTML and runs no foreign code: a Content-Security-Policy without unsafe-inline, no framing.",
			get(path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8"), serves("text/html", "<h1"),
			headerMatches("Content-Security-Policy", `default-src 'none'.*frame-ancestors 'none'`),
			failsIf(func(a *answer) bool {
				return strings.Contains(a.HeaderValue("Content-Security-Policy"), "unsafe")
			}, "no unsafe- in the policy"))
		l.one("D.documents", "page-varies-"+name, "Vary names Accept when the type is negotiated.",
			markdown(path), isOK, headerMatches("Vary", `(?i)(^|, )accept(,|$)`))
	}
	for _, accept := range []struct{ name, value, kind string }{
		{"empty", "", "text/html"},
		{"q-order", "text/html;q=0.2, text/markdown;q=0.9", "text/markdown"},
		{"refused-markdown", "text/markdown;q=0, */*", "text/html"},
	} {
		l.one("1", "page-accept-"+accept.name, "Markdown is served when Accept prefers it: weights count.",
			get("/developers", "Accept: "+accept.value), serves(accept.kind))
	}

	form := func(path, body string) request { return postForm(path, body, "Accept: text/html") }
	l.several("D.answers", "faq-shows-every-answer",
		"Every live entry is published: the Markdown of /faq has the answer byte for byte.",
		send(ask(known), isOK, hasTexts("answer", "question")),
		send(markdown("/faq"), isOK, func(a *answer) {
			first := a.Probe.FirstAnswer
			contains(first.Text("answer"), first.Text("question"))(a)
		}))
	l.one("D.documents", "ask-form-escapes",
		"The plain form of a question posts to /ask and answers HTML, in which what was typed is text, never markup.",
		form("/ask", "q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%3E"), serves("text/html"), omits("<script>alert"))
	l.one("D.documents", "contact-form-previews",
		"The plain form of a pilot request posts to /contact and shows the mail first, in which what was typed is text.",
		form("/contact", strings.Replace(dryForm, "Ada", "%3Cimg+src%3Dx%3E", 1)), serves("text/html", " Lovelace"),
		omits("<img src=x>"))
	l.one("D.documents", "contact-form-keeps-what-was-typed",
		"A form with an error comes back with what was typed, and 400.",
		form("/contact", "name=Ada+Lovelace&business=AE&email=nowhere&message=Kept+text&dry_run=true"),
		answers(400, "text/html"), contains("Kept text"))
	l.onLoopback("D.documents", "ask-form-shares-the-limit", "The forms share limits with the API.",
		repeat(l.ask.Quota-1, ask(known), isOK), send(form("/ask", "q=x"), isOK),
		send(form("/ask", "q=x"), answers(429, "text/html")),
		send(ask(known), isRefusal(l.ask)))

	with := func(id string) request { return get("/v1/health", "X-Request-Id: "+id) }
	ids := []step{send(with("conform-1.a_B"), isOK, hasHeader("X-Request-Id", "conform-1.a_B"))}
	for _, bad := range []string{"a b", strings.Repeat("a", 65), "é"} {
		ids = append(ids, send(with(bad), isOK, failsIf(func(a *answer) bool {
			return a.HeaderValue("X-Request-Id") == bad
		}, "another id than %q", bad)))
	}
	l.several("D.rules", "request-id-is-kept",
		"A given X-Request-Id is kept when it is 1 to 64 of letters, digits, dot, underscore and hyphen.", ids...)
}
