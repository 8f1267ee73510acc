package content

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// claim is something that the service must not give or publish (contract section 1).
type claim struct {
	what    string
	pattern *regexp.Regexp
}

// A number of customers counts as a claim only next to a word that boasts: "up to 20
// customers a day" is none.
const customers = `(?:customers|clients|users|businesses|companies|practices|shops|Kunden|Kundinnen|Betriebe|` +
	`Unternehmen)\b`

// claims are searched for in each sentence. They prefer to miss a claim over warning of
// an honest sentence, because warnings that are often wrong are ignored. The patterns
// are compiled on first use, so that a start does not wait for them.
var claims = sync.OnceValue(func() []claim {
	return []claim{
		{"a number of customers", regexp.MustCompile(`(?i)\b(?:over|more than|trusted by|used by|loved by|` +
			`serv(?:e|es|ed|ing)|join|already|we have|our|über|mehr als|schon|bereits)\s+(?:the\s+|` +
			`our\s+)?(?:\d[\d.,']*\+?|hundreds of|thousands of|hunderte|tausende)\s+(?:\pL+\s+){0,2}?` + customers +
			`|\b\d[\d.,']*\+\s+(?:\pL+\s+){0,2}?` + customers +
			`|\b\d[\d.,']*\s+(?:happy|satisfied|zufriedene)\s+` + customers)},
		{"a return on investment", regexp.MustCompile(`(?i)(?:\bROI\b|return on investment).*\d|` +
			`\d.*(?:\bROI\b|return on investment)|\b\d+(?:[.,]\d+)?\s?(?:%|percent|per cent|` +
			`Prozent)\s+(?:more|higher|less|fewer|lower|mehr|weniger)\s+\pL+|\b(?:increases?|boosts?|raises?|` +
			`grows?|cuts?|reduces?|saves|steigert|senkt|spart)\s+(?:\pL+\s+){0,4}?(?:by\s+|` +
			`um\s+)?\d+(?:[.,]\d+)?\s?(?:%|percent|Prozent|x\b)|\b(?:doubles?|triples?|verdoppelt|` +
			`verdreifacht)\s+(?:your|the|Ihren?|Ihre)\s+\pL+|\bpays? for itself\b`)},
		{"a certification", regexp.MustCompile(`(?i)\bISO(?:/IEC)?[ -]?(?:9001|13485|14001|20000|22301|` +
			`27001|27017|27018|27701)\b|\bSOC ?[123]\b|\bHIPAA|\bPCI[- ]DSS\b|\b(?:is|are|am|fully|` +
			`officially|TÜV[- ]|sind|ist)\s?(?:certified|accredited|zertifiziert|akkreditiert)\b|` +
			`\bcertified (?:by|to|under|according)\b`)},
		{"legal, tax or medical advice",
			regexp.MustCompile(`(?i)\b(?:give|gives|giving|offer|offers|provide|provides|get|gets|geben|` +
				`bieten|leisten|erhalten)\s+(?:\pL+\s+){0,4}?(?:legal|tax|medical|Rechts|Steuer)(?:,|` +
				`\s+(?:and|or|und)\s+\pL+)?[ -]?(?:advice|counsel|beratung)\b|\b(?:Rechts|` +
				`Steuer)beratung (?:geben|bieten|leisten|erhalten)\b|\btax[- ]deductible\b|\bdeduct (?:it|` +
				`this|them|the \pL+) from (?:your )?tax|\bsteuerlich absetzbar\b|` +
				`\byou (?:are legally (?:entitled|allowed) to|have a legal right|should sue|can sue)\b|` +
				`\b(?:take|recommend(?:ed)? dose|dosage)\b[^.]*\b\d+\s?mg\b`)},
	}
})

// negation matches words that make a sentence the opposite of a claim.
var negation = regexp.MustCompile(`(?i)\b(?:no|not|never|none|nor|neither|without|cannot|nothing|kein\pL*|` +
	`nicht|nie|niemals|ohne|weder)\b|n['’]t\b`)

// comparison matches the end of what looks like a claim but compares prices: "10 per cent less than".
var comparison = regexp.MustCompile(`(?i)\s(?:than|as|for|on|if|when|in|at|per|with|and|or|from|after|before|` +
	`als|für|bei|im|am|an|ab|wenn|und|oder|mit|von)$`)

// sentenceEnd splits a text into sentences, which are checked one by one. A full stop
// between two digits does not end a sentence.
var sentenceEnd = regexp.MustCompile(`[.!?。！？](?:\s|$)|\n`)

// claimsIn names the forbidden claims of a text.
func claimsIn(text string) (found []string) {
	for _, c := range claims() {
		for _, sentence := range sentenceEnd.Split(text, -1) {
			isClaim := slices.ContainsFunc(c.pattern.FindAllString(sentence, -1),
				func(part string) bool { return !comparison.MatchString(part) })
			if isClaim && !negation.MatchString(sentence) {
				found = append(found, c.what)
				break
			}
		}
	}
	return found
}

// forbiddenClaims warns of claims in answers and pages that the published statements
// deny.
func (c *Content) forbiddenClaims() (warnings []Diagnostic) {
	warn := func(file string, line int, where, text string) {
		for _, what := range claimsIn(text) {
			warnings = append(warnings, faultIn(file, line, where+" seems to contain "+what,
				"remove it: the service promises to publish none", "warning.claim"))
		}
	}
	for entry := range c.FAQ.own() {
		warn(FAQFile, entry.Line, fmt.Sprintf("the answer of %q", entry.ID), entry.Answer)
	}
	for _, page := range c.Pages {
		for at, line := range strings.Split(page.Markdown, "\n") {
			warn(page.file, page.skip+at+1, "the page", line)
		}
	}
	return warnings
}
