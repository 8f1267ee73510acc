package checks

import (
	"strings"

	"frontdesk/contract"
)

// pages adds the checks of the pages, their forms and their security headers.
func pages(l *list) {
	var published, locked []step
	for _, path := range []string{"/", "/pricing", "/developers", "/faq", "/ask", "/contact", "/auth"} {
		published = append(published,
			send(markdown(path), serves("text/markdown", "# "), omits("<html")),
			send(html(contract.TwinPath(path)), serves("text/markdown")))
		locked = append(locked, send(get(path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8"),
			serves("text/html", "<h1"),
			headerMatches("Content-Security-Policy", `^default-src 'none'.*frame-ancestors 'none'`),
			headerMatches("Referrer-Policy", "."), headerMatches("Permissions-Policy", "."),
			headerMatches("Vary", `(?i)(^|, )accept(,|$)`),
			failsIf(func(a *answer) bool {
				return strings.Contains(a.HeaderValue("Content-Security-Policy"), "unsafe")
			}, "no unsafe- in the policy")))
	}
	l.several("1", "pages-are-markdown-too",
		"A page requested with Accept: text/markdown is Markdown, which also has a path of its own.", published...)
	l.several("D.documents", "pages-are-locked",
		"A page is HTML, names Accept in Vary, and runs no foreign code: a Content-Security-Policy without unsafe-inline, "+
			"no framing.", locked...)
	accepting := func(accept string) request { return get("/developers", "Accept: "+accept) }
	l.several("1", "page-goes-by-accept", "Markdown is served when Accept prefers it: weights count.",
		send(accepting(""), serves("text/html")), send(accepting("text/markdown;q=0, */*"), serves("text/html")),
		send(accepting("text/html;q=0.2, text/markdown;q=0.9"), serves("text/markdown")))

	form := func(path, body string) request { return postForm(path, body, "Accept: text/html") }
	l.several("D.answers", "faq-shows-every-answer",
		"Every live entry is published: the Markdown of /faq has the answer byte for byte.",
		send(ask(known), isOK, hasTexts("answer", "question")),
		send(markdown("/faq"), isOK, func(a *answer) {
			first := a.Probe.FirstAnswer
			contains(first.Text("answer"), first.Text("question"))(a)
		}))
	l.several("D.documents", "forms-answer-html",
		"The plain forms post to /ask and /contact and answer HTML, in which what was typed is text, never markup. The "+
			"form of a pilot request shows the mail first. After an error it is 400 and keeps what was typed.",
		send(form("/ask", "q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%3E"), serves("text/html"), omits("<script>alert")),
		send(form("/contact", strings.Replace(dryForm, "Ada", "%3Cimg+src%3Dx%3E", 1)), serves("text/html", " Lovelace"),
			omits("<img src=x>")),
		send(form("/contact", "name=Ada+Lovelace&business=AE&email=nowhere&message=Kept+text&dry_run=true"),
			answers(400, "text/html"), contains("Kept text")))
	l.onLoopback("D.documents", "ask-form-shares-the-limit", "The forms share limits with the API.",
		repeat(l.ask.Quota-1, ask(known)), send(form("/ask", "q=x"), isOK),
		send(form("/ask", "q=x"), answers(429, "text/html")),
		send(ask(known), isRefusal(l.ask)))

	with := func(id string) request { return get("/v1/health", "X-Request-Id: "+id) }
	replaced := func(id string) step {
		return send(with(id), isOK, failsIf(func(a *answer) bool {
			return a.HeaderValue("X-Request-Id") == id
		}, "another id than %q", id))
	}
	l.several("D.rules", "request-id-is-kept",
		"A given X-Request-Id is kept when it is 1 to 64 of letters, digits, dot, underscore and hyphen.",
		send(with("conform-1.a_B"), isOK, hasHeader("X-Request-Id", "conform-1.a_B")),
		replaced("a b"), replaced(strings.Repeat("a", 65)), replaced("é"))
}
