package conform

import (
	"net/http"
	"slices"
	"strings"

	"frontdesk/contract"
)

var allPages = []string{contract.PathHome, contract.PathPricing, contract.PathFAQ, contract.PathDevelopers, contract.PathAskPage, contract.PathContactPage, contract.PathAuthPage}

// pages are what was decided of the pages and their forms, and what a page owes a
// browser.
func pages() []Check {
	var checks []Check
	for _, path := range allPages {
		name := pageName(path)
		checks = append(checks,
			one("D.documents", "page-as-html-"+name, path+" is HTML for a browser.",
				get(path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8"),
				func(a *answer) { a.is(200).kind(contract.TypeHTML).contains("<h1") }),
			one("D.documents", "page-varies-"+name, "What is negotiated says so: Vary has Accept.",
				get(path, "Accept: text/markdown"),
				func(a *answer) { a.is(200).matches("Vary", `(?i)(^|, )accept(,|$)`) }),
			one("D.documents", "page-is-locked-"+name, "A page runs nothing of anybody else: a Content-Security-Policy without unsafe-inline, no framing.",
				get(path, "Accept: text/html"), func(a *answer) {
					a.is(200).matches("Content-Security-Policy", `default-src 'none'.*frame-ancestors 'none'`)
					if strings.Contains(a.value("Content-Security-Policy"), "unsafe") {
						a.fail("no unsafe- in the policy")
					}
				}),
			one("D.documents", "twin-of-"+name, "The Markdown of a page stands under a path of its own, whatever is accepted.",
				get(contract.TwinPath(path), "Accept: text/html"),
				func(a *answer) { a.is(200).kind(contract.TypeMarkdown) }))
	}
	for _, accept := range []struct{ name, value, kind string }{
		{"malformed", "*/*;;;q=x,,text/", contract.TypeHTML}, {"empty", "", contract.TypeHTML}, {"q-order", "text/html;q=0.2, text/markdown;q=0.9", contract.TypeMarkdown},
		{"q-order-back", "text/markdown;q=0.2, text/html", contract.TypeHTML}, {"case", "TEXT/MARKDOWN", contract.TypeMarkdown}, {"refused-markdown", "text/markdown;q=0, */*", contract.TypeHTML},
	} {
		checks = append(checks, one("1", "page-accept-"+accept.name, "Markdown is for who asks for it: Accept is read with its weights.",
			get(contract.PathDevelopers, "Accept: "+accept.value),
			func(a *answer) { a.is(200).kind(accept.kind) }))
	}
	return slices.Concat(checks, pageForms())
}

func pageForms() []Check {
	page := func(r request) request {
		r.header = append(r.header, "Accept: text/html")
		return r
	}
	return []Check{
		{Section: "D.answers", Name: "faq-shows-every-answer", Asks: 1,
			Says: "Every live entry is published: the answer stands byte for byte in the Markdown of /faq.",
			Run: func(p *probe) {
				a := p.send(ask(p.question())).is(200)
				p.send(get(contract.PathFAQ, "Accept: text/markdown")).is(200).contains(a.text("answer"), a.text("question"))
			}},
		{Section: "D.documents", Name: "ask-form-answers-html", Asks: 1,
			Says: "The plain form of a question posts to /ask and answers HTML.",
			Run: func(p *probe) {
				p.send(page(postForm(contract.PathAskPage, "q=What+does+it+cost%3F"))).is(200).kind(contract.TypeHTML)
			}},
		{Section: "D.documents", Name: "ask-form-escapes", Asks: 1,
			Says: "What was typed is text in the page, never markup.",
			Run: func(p *probe) {
				p.send(page(postForm(contract.PathAskPage, "q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%3E"))).kind(contract.TypeHTML).hides("<script>alert")
			}},
		one("D.documents", "contact-form-previews", "The plain form of a pilot request posts to /contact and shows the mail first.",
			page(postForm(contract.PathContactPage, validForm+"&dry_run=true")),
			func(a *answer) { a.is(200).kind(contract.TypeHTML).contains("Ada Lovelace") }),
		one("D.documents", "contact-form-escapes", "What was typed is text in the page, never markup.",
			page(postForm(contract.PathContactPage, strings.Replace(validForm, "Ada", "%3Cimg+src%3Dx%3E", 1)+"&dry_run=true")),
			func(a *answer) { a.kind(contract.TypeHTML).hides("<img src=x>") }),
		one("D.documents", "contact-form-keeps-what-was-typed", "A form with a fault comes back with what was typed, and 400.",
			page(postForm(contract.PathContactPage, "name=Ada+Lovelace&business=AE&email=nowhere&message=Kept+text&dry_run=true")),
			func(a *answer) { a.is(400).kind(contract.TypeHTML).contains("Kept text") }),
		one("D.documents", "contact-form-refuses-foreign-origins", "A page of another origin cannot post the form.",
			page(postForm(contract.PathContactPage, validForm+"&dry_run=true", "Origin: https://evil.example")),
			statusIs(http.StatusForbidden)),
		{Section: "D.documents", Name: "ask-form-shares-the-limit", Asks: 7, Rude: true,
			Says: "The forms share limits with the API.",
			Run: func(p *probe) {
				for range 4 {
					p.send(ask(p.question())).is(200)
				}
				p.send(page(postForm(contract.PathAskPage, "q=x"))).is(200)
				p.send(page(postForm(contract.PathAskPage, "q=x"))).is(429).kind(contract.TypeHTML)
				refusedFor(p.send(ask(p.question())), contract.AskPolicy)
			}},
		{Section: "D.rules", Name: "request-id-is-kept",
			Says: "A given X-Request-Id is kept when it is 1 to 64 of letters, digits, dot, underscore and hyphen.",
			Run: func(p *probe) {
				p.send(get(contract.PathHealth, "X-Request-Id: conform-1.a_B")).is(200).has(contract.HeaderRequestID, "conform-1.a_B")
				for _, bad := range []string{"a b", "<x>", strings.Repeat("a", 65), "é"} {
					if a := p.send(get(contract.PathHealth, "X-Request-Id: "+bad)).is(200); a.value(contract.HeaderRequestID) == bad {
						a.fail("another id than %q", bad)
					}
				}
			}},
	}
}
