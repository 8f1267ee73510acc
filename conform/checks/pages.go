package checks

import (
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// pages adds the checks of the pages, their forms and their security headers.
func pages(l *list) {
	for _, path := range []string{contract.PathHome, contract.PathPricing, contract.PathFAQ, contract.PathDevelopers,
		contract.PathAskPage, contract.PathContactPage, contract.PathAuthPage} {
		name := pageName(path)
		l.one("D.documents", "page-as-html-"+name, path+" is HTML for a browser.",
			conform.Get(path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8"), serves(contract.TypeHTML, "<h1"))
		l.one("D.documents", "page-varies-"+name, "Vary names Accept when the type is negotiated.",
			conform.Get(path, "Accept: text/markdown"), isOK, headerMatches("Vary", `(?i)(^|, )accept(,|$)`))
		l.one("D.documents", "page-is-locked-"+name,
			"A page runs no foreign code: a Content-Security-Policy without unsafe-inline, no framing.",
			conform.Get(path, "Accept: text/html"), isOK,
			headerMatches("Content-Security-Policy", `default-src 'none'.*frame-ancestors 'none'`),
			failsIf(func(a *conform.Answer) bool {
				return strings.Contains(a.HeaderValue("Content-Security-Policy"), "unsafe")
			}, "no unsafe- in the policy"))
		l.one("D.documents", "twin-of-"+name, "The Markdown of a page has its own path, with any Accept.",
			conform.Get(contract.TwinPath(path), "Accept: text/html"), serves(contract.TypeMarkdown))
	}
	for _, accept := range []struct{ name, value, kind string }{
		{"malformed", "*/*;;;q=x,,text/", contract.TypeHTML}, {"empty", "", contract.TypeHTML},
		{"q-order", "text/html;q=0.2, text/markdown;q=0.9", contract.TypeMarkdown},
		{"q-order-back", "text/markdown;q=0.2, text/html", contract.TypeHTML},
		{"case", "TEXT/MARKDOWN", contract.TypeMarkdown}, {"refused-markdown", "text/markdown;q=0, */*", contract.TypeHTML},
	} {
		l.one("1", "page-accept-"+accept.name, "Markdown is served when Accept prefers it: weights count.",
			conform.Get(contract.PathDevelopers, "Accept: "+accept.value), serves(accept.kind))
	}

	form := func(path, body string, header ...string) conform.Request {
		return conform.PostForm(path, body, append(header, "Accept: text/html")...)
	}
	dryForm := validForm + "&dry_run=true"
	l.several("D.answers", "faq-shows-every-answer",
		"Every live entry is published: the Markdown of /faq has the answer byte for byte.",
		send(ask(known), isOK, hasTexts("answer", "question")),
		send(conform.Get(contract.PathFAQ, "Accept: text/markdown"), isOK, func(a *conform.Answer) {
			first := a.Probe.FirstAnswer
			contains(first.Text("answer"), first.Text("question"))(a)
		}))
	l.one("D.documents", "ask-form-answers-html", "The plain form of a question posts to /ask and answers HTML.",
		form(contract.PathAskPage, "q=What+does+it+cost%3F"), serves(contract.TypeHTML))
	l.one("D.documents", "ask-form-escapes", "What was typed is text in the page, never markup.",
		form(contract.PathAskPage, "q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%3E"), hasType(contract.TypeHTML),
		omits("<script>alert"))
	l.one("D.documents", "contact-form-previews",
		"The plain form of a pilot request posts to /contact and shows the mail first.",
		form(contract.PathContactPage, dryForm), serves(contract.TypeHTML, "Ada Lovelace"))
	l.one("D.documents", "contact-form-escapes", "What was typed is text in the page, never markup.",
		form(contract.PathContactPage, strings.Replace(dryForm, "Ada", "%3Cimg+src%3Dx%3E", 1)), hasType(contract.TypeHTML),
		omits("<img src=x>"))
	l.one("D.documents", "contact-form-keeps-what-was-typed",
		"A form with a fault comes back with what was typed, and 400.",
		form(contract.PathContactPage, "name=Ada+Lovelace&business=AE&email=nowhere&message=Kept+text&dry_run=true"),
		answers(400, contract.TypeHTML), contains("Kept text"))
	l.one("D.documents", "contact-form-refuses-foreign-origins", "A page of another origin cannot post the form.",
		form(contract.PathContactPage, dryForm, "Origin: https://evil.example"), statusIs(403))
	l.several("D.documents", "ask-form-shares-the-limit", "The forms share limits with the API.",
		repeat(4, ask(known), isOK), send(form(contract.PathAskPage, "q=x"), isOK),
		send(form(contract.PathAskPage, "q=x"), answers(429, contract.TypeHTML)),
		send(ask(known), isRefusal(contract.AskPolicy))).LoopbackOnly = true

	with := func(id string) conform.Request { return conform.Get(contract.PathHealth, "X-Request-Id: "+id) }
	ids := []step{send(with("conform-1.a_B"), isOK, hasHeader(contract.HeaderRequestID, "conform-1.a_B"))}
	for _, bad := range []string{"a b", "<x>", strings.Repeat("a", 65), "é"} {
		ids = append(ids, send(with(bad), isOK, failsIf(func(a *conform.Answer) bool {
			return a.HeaderValue(contract.HeaderRequestID) == bad
		}, "another id than %q", bad)))
	}
	l.several("D.rules", "request-id-is-kept",
		"A given X-Request-Id is kept when it is 1 to 64 of letters, digits, dot, underscore and hyphen.", ids...)
}
