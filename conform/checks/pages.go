package checks

import (
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

var allPages = []string{contract.PathHome, contract.PathPricing, contract.PathFAQ, contract.PathDevelopers, contract.PathAskPage, contract.PathContactPage, contract.PathAuthPage}

// pages returns the checks of the pages, their forms and their security headers.
func pages() []conform.Check {
	var checks []conform.Check
	for _, path := range allPages {
		name := pageName(path)
		checks = append(checks,
			one("D.documents", "page-as-html-"+name, path+" is HTML for a browser.",
				conform.Get(path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8"), serves(contract.TypeHTML, "<h1")),
			one("D.documents", "page-varies-"+name, "Vary names Accept when the type is negotiated.",
				conform.Get(path, "Accept: text/markdown"), isOK, headerMatches("Vary", `(?i)(^|, )accept(,|$)`)),
			one("D.documents", "page-is-locked-"+name, "A page runs no foreign code: a Content-Security-Policy without unsafe-inline, no framing.",
				conform.Get(path, "Accept: text/html"), isOK, headerMatches("Content-Security-Policy", `default-src 'none'.*frame-ancestors 'none'`), func(a *conform.Answer) {
					if strings.Contains(a.HeaderValue("Content-Security-Policy"), "unsafe") {
						a.Fail("no unsafe- in the policy")
					}
				}),
			one("D.documents", "twin-of-"+name, "The Markdown of a page has its own path, with any Accept.",
				conform.Get(contract.TwinPath(path), "Accept: text/html"), serves(contract.TypeMarkdown)))
	}
	for _, accept := range []struct{ name, value, kind string }{
		{"malformed", "*/*;;;q=x,,text/", contract.TypeHTML}, {"empty", "", contract.TypeHTML}, {"q-order", "text/html;q=0.2, text/markdown;q=0.9", contract.TypeMarkdown},
		{"q-order-back", "text/markdown;q=0.2, text/html", contract.TypeHTML}, {"case", "TEXT/MARKDOWN", contract.TypeMarkdown}, {"refused-markdown", "text/markdown;q=0, */*", contract.TypeHTML},
	} {
		checks = append(checks, one("1", "page-accept-"+accept.name, "Markdown is served when Accept prefers it: weights count.",
			conform.Get(contract.PathDevelopers, "Accept: "+accept.value), serves(accept.kind)))
	}
	return slices.Concat(checks, pageForms())
}

func pageForms() []conform.Check {
	form := func(path, body string, header ...string) conform.Request {
		return conform.PostForm(path, body, append(header, "Accept: text/html")...)
	}
	return []conform.Check{
		{Section: "D.answers", Name: "faq-shows-every-answer", Asks: 1,
			Sentence: "Every live entry is published: the Markdown of /faq has the answer byte for byte.",
			Run: func(p *conform.Probe) {
				a := p.Send(ask(p.KnownQuestion()), isOK)
				p.Send(conform.Get(contract.PathFAQ, "Accept: text/markdown"), isOK, contains(a.Text("answer"), a.Text("question")))
			}},
		one("D.documents", "ask-form-answers-html", "The plain form of a question posts to /ask and answers HTML.",
			form(contract.PathAskPage, "q=What+does+it+cost%3F"), serves(contract.TypeHTML)),
		one("D.documents", "ask-form-escapes", "What was typed is text in the page, never markup.",
			form(contract.PathAskPage, "q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%3E"), hasType(contract.TypeHTML), omits("<script>alert")),
		one("D.documents", "contact-form-previews", "The plain form of a pilot request posts to /contact and shows the mail first.",
			form(contract.PathContactPage, validForm+"&dry_run=true"), serves(contract.TypeHTML, "Ada Lovelace")),
		one("D.documents", "contact-form-escapes", "What was typed is text in the page, never markup.",
			form(contract.PathContactPage, strings.Replace(validForm, "Ada", "%3Cimg+src%3Dx%3E", 1)+"&dry_run=true"), hasType(contract.TypeHTML), omits("<img src=x>")),
		one("D.documents", "contact-form-keeps-what-was-typed", "A form with a fault comes back with what was typed, and 400.",
			form(contract.PathContactPage, "name=Ada+Lovelace&business=AE&email=nowhere&message=Kept+text&dry_run=true"), answers(400, contract.TypeHTML), contains("Kept text")),
		one("D.documents", "contact-form-refuses-foreign-origins", "A page of another origin cannot post the form.",
			form(contract.PathContactPage, validForm+"&dry_run=true", "Origin: https://evil.example"), statusIs(403)),
		loopbackOnly(several("D.documents", "ask-form-shares-the-limit", "The forms share limits with the API.",
			repeat(4, ask(known), isOK),
			send(form(contract.PathAskPage, "q=x"), isOK),
			send(form(contract.PathAskPage, "q=x"), answers(429, contract.TypeHTML)),
			send(ask(known), isRefusal(contract.AskPolicy)))),
		{Section: "D.rules", Name: "request-id-is-kept",
			Sentence: "A given X-Request-Id is kept when it is 1 to 64 of letters, digits, dot, underscore and hyphen.",
			Run: func(p *conform.Probe) {
				p.Send(conform.Get(contract.PathHealth, "X-Request-Id: conform-1.a_B"), isOK, hasHeader(contract.HeaderRequestID, "conform-1.a_B"))
				for _, bad := range []string{"a b", "<x>", strings.Repeat("a", 65), "é"} {
					if a := p.Send(conform.Get(contract.PathHealth, "X-Request-Id: "+bad), isOK); a.HeaderValue(contract.HeaderRequestID) == bad {
						a.Fail("another id than %q", bad)
					}
				}
			}},
	}
}
