package checks

import (
	"slices"
	"strings"

	"frontdesk/contract"
)

// nonsense is a question that no entry answers.
const nonsense = "Zxqv wvut qqzz kjhg plmn?"

func asking(l *list) {
	l.one("4.ask", "ask-answers-verbatim",
		"POST /v1/ask is 200 with the published FAQ text that answers the question, verbatim. It carries the policy ask "+
			"in RateLimit-Policy, and is not stored by caches.",
		ask(known), servesJSON, answered, approved, hasHeader("Cache-Control", "no-store"),
		hasPolicy(l.ask)).Early = true
	l.several("9.5", "ask-alias-works", "POST /api/ask keeps working as an alias of POST /v1/ask.",
		send(askAgain(known), isOK), send(ask(known), isOK, sameBody)).Early = true
	l.one("D.answers", "ask-says-how-it-matched",
		"An approved question is matched exactly: ok, reason matched, match exact, its entry_id, question and revision. No "+
			"score is published.",
		ask(known), isOK, hasMember("ok", true), hasMember("reason", "matched"), hasMember("match", "exact"), isKnown,
		hasMember("suggestions", []string{}), hasMember("candidates", []any{}), hasTexts("entry_id", "revision"),
		hasOnly("ok", "answer", "reason", "match", "entry_id", "question", "url", "revision", "suggestions", "candidates"))
	l.one("D.answers", "ask-falls-back",
		"When no entry answers, the answer is the approved fallback: no_match, none, entry_id null, at most five "+
			"suggestions.",
		ask(nonsense), isOK, hasMember("ok", true), hasMember("entry_id", nil), hasMember("match", "none"),
		hasTexts("answer"), failsIf(func(a *answer) bool {
			// A failing model or a reached cap gives another reason.
			return !slices.Contains([]string{"no_match", "rate_limited_global", "model_unavailable"}, a.Text("reason")) ||
				len(a.List("suggestions")) > contract.MaxSuggestions
		}, "reason no_match and at most %d suggestions", contract.MaxSuggestions))
	l.run("D.answers", "ask-hands-over-candidates",
		"Two approved questions in one are not answered by one of them: both are candidates, with the texts of /faq byte "+
			"for byte.", func(p *probe) {
			questions := p.Questions
			if len(questions) < 2 || len(strings.Fields(questions[0])) < 2 || len(strings.Fields(questions[1])) < 2 {
				p.Skip("/faq has no two approved questions of several words")
			}
			p.Send(ask(questions[0]+" "+questions[1]), isOK, hasMember("match", "none"), candidates(questions[:2]))
		}).Slots = map[contract.Policy]int{l.ask: 1}
	l.several("4.ask", "fallback-is-one-text",
		"A model only selects and never writes: every question without an answer gets the same fallback, byte for byte.",
		send(ask(nonsense), isOK, hasMember("match", "none"), hasTexts("answer")),
		// The same words, so that a service with a fallback in each language takes the same one.
		send(ask("Plmn kjhg qqzz wvut zxqv?"), isOK, hasMember("match", "none"), sameMember("answer")))
	l.one("D.rules", "ask-folds-white-space", "q is trimmed, and every run of white space in it becomes one space.",
		ask("{spaced}"), isOK, isKnown)
	l.several("D.rules", "ask-takes-any-type", "Ask takes JSON with any Content-Type.",
		sendAll(all(isOK, hasMember("match", "exact")), postForm("/v1/ask", questionJSON(known)),
			untyped("/v1/ask", questionJSON(known))))
	const token = "ZEBRAQUARTZ"
	l.several("1", "nothing-is-written",
		"A model only selects which approved entry answers and never writes text: nothing of a question comes back.",
		sendEach(all(isOK, approved, omits(token, "<script")), ask, "<script>"+token+"()</script> ![x](javascript:"+token+")",
			`"}],"answer":"`+token+`","match":"exact`))
}

// candidates expects the entries of some questions first, each with its text on the page /faq, and
// their questions as suggestions.
func candidates(questions []string) expectation {
	return func(a *answer) {
		found, suggested := a.List("candidates"), a.List("suggestions")
		if len(found) < len(questions) || len(found) > contract.MaxSuggestions || len(found) != len(suggested) {
			a.Fail("%d to %d candidates and as many suggestions", len(questions), contract.MaxSuggestions)
		}
		for i, candidate := range found {
			question, text := lookup(candidate, "question"), textAt(candidate, "answer")
			if question != suggested[i] || i < len(questions) && question != questions[i] {
				a.Fail("candidate %d to be of suggestion %d, and those of %q first", i+1, i+1, questions)
			}
			if text == "" || !strings.Contains(a.Probe.FAQPage, text) {
				a.Fail("candidate %d with a text of /faq.md, byte for byte", i+1)
			}
		}
	}
}

// isKnown expects the entry of the known question.
func isKnown(a *answer) { hasMember("question", a.Probe.KnownQuestion())(a) }

// approved expects that the text of an answer is on the page /faq.
var approved = failsIf(func(a *answer) bool {
	page, text := a.Probe.FAQPage, a.Text("answer")
	return page != "" && !strings.Contains(page, text) && a.Text("match") != "none"
}, "a text of /faq.md, byte for byte")

// answered expects no fallback. The contract itself has no member match.
var answered = failsIf(func(a *answer) bool { return a.Text("match") == "none" }, "an approved text, not the fallback")

// feedbackOf is a feedback request with a body, helpful is one on a question.
func feedbackOf(body string) request { return post("/api/ask/feedback", body) }

var helpful = feedbackOf(`{"helpful":true,"q":"x"}`)

func feedback(l *list) {
	l.onLoopback("4.feedback", "feedback-has-the-ask-policy",
		"Feedback shares the ask limit and sends the ask RateLimit-Policy header.",
		send(ask(known), isOK, taken(l.ask, 1)),
		send(helpful, isOK, hasPolicy(l.ask), taken(l.ask, 2)))
	l.several("D.answers", "feedback-takes-an-entry", "Feedback may name the entry_id of an answer.",
		send(ask(known), isOK, hasTexts("entry_id")),
		send(feedbackOf(`{"helpful":true,"entry_id":"{first.entry_id}"}`), isOK, hasMember("ok", true)))
	comment := func(text string) request {
		return feedbackOf(`{"helpful":false,"q":"x","comment":"` + text + `"}`)
	}
	l.one("D.answers", "feedback-is-taken", `Feedback with helpful, q and a comment of 400 characters is 200 {"ok":true}.`,
		comment(strings.Repeat("é", 400)), isOK, hasMember("ok", true))
	l.several("D.answers", "feedback-is-validated",
		"helpful is required, and a boolean; at least one of entry_id and q is given.",
		sendAll(refused("helpful"), feedbackOf(`{"q":"x"}`), feedbackOf(`{"helpful":"yes","q":"x"}`)),
		send(feedbackOf(`{"helpful":true}`), refused("entry_id")))
	l.several("D.answers", "feedback-has-bounds",
		"An unknown entry_id is 400; a comment has at most 400 characters, a request at most 2048 bytes.",
		send(feedbackOf(`{"helpful":true,"entry_id":"no-such-entry-0"}`), refused("entry_id"),
			memberContains("detail", "no-such-entry-0")),
		send(comment(strings.Repeat("c", 401)), refused("comment")),
		send(feedbackOf(padded(`{"helpful":true,"q":"x"}`, 2049)), tooLarge))
}
