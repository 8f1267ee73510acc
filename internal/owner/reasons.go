package owner

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/curation"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// reasons are the messages of the errors of a change.
var reasons = map[error]string{
	curation.ErrNoQuestion:  "owner.reason.question",
	curation.ErrMasked:      "owner.reason.masked",
	curation.ErrOwnQuestion: "owner.reason.ownquestion",
	curation.ErrAlternate:   "owner.reason.alternate",
	curation.ErrNoDiff:      "owner.reason.nodiff",
	curation.ErrNotLive:     "owner.reason.notlive",
	curation.ErrReadOnly:    "owner.reason.readonly",
	content.ErrChanged:      "owner.reason.changed",
	content.ErrMovedOn:      "owner.reason.later",
	content.ErrByHand:       "owner.reason.byhand",
	content.ErrNotEditable:  "owner.reason.byhand",
}

// reasonOf is why a change cannot be made, for the owner.
func reasonOf(s session, err error) string {
	if known, ok := errors.AsType[reason](err); ok {
		return s.Text(known.key, known.arguments...)
	}
	for known, key := range reasons {
		if errors.Is(err, known) {
			return s.Text(key)
		}
	}
	if faults, ok := errors.AsType[content.Faults](err); ok {
		var lines []string
		for _, fault := range faults {
			lines = append(lines, faultText(s, fault))
		}
		return strings.Join(lines, "\n")
	}
	return s.Text("owner.reason.other", err.Error())
}

// faultTexts are the messages for what a form can make wrong in the content, and for what a check of it warns of, by the
// words of the fault. A quoted part of these is an argument of the message.
var faultTexts = []struct {
	fault *regexp.Regexp
	key   string
}{
	{regexp.MustCompile(`^(?:the question )?(".*") appears twice$`), "owner.content.twice"},
	{regexp.MustCompile(`^the (?:catalog|FAQ) has no (?:services|pricing_bands|entries)$`), "owner.content.last"},
	{regexp.MustCompile(` is empty$| has no word in it$`), "owner.content.empty"},
	{regexp.MustCompile(` has (\d+) characters$`), "owner.content.long"},
	{regexp.MustCompile(` character U\+`), "owner.content.character"},
	{regexp.MustCompile(`(".*") is not an address$`), "owner.content.address"},
	{regexp.MustCompile(`^the link leads to (.*), and there is no such page$`), "owner.content.link"},
	{regexp.MustCompile(`(".*") is not a date`), "owner.content.date"},
	{regexp.MustCompile(` must be an amount$| too many digits after the point$`), "owner.content.amount"},
	{regexp.MustCompile(`^to .* is less than from `), "owner.content.range"},
	{regexp.MustCompile(`^unknown pricing_band `), "owner.content.band"},
	{regexp.MustCompile(`(".*") is not an e-mail address$`), "owner.content.email"},
	{regexp.MustCompile(` is not a time range$| is not a day of the week$|^hours must be `), "owner.content.hours"},
	{regexp.MustCompile(`(".*") is not a country$`), "owner.content.country"},
	{regexp.MustCompile(`(".*") is not a language$|(".*") is not a language of the business$|a text in (".*"), which is not a language`), "owner.content.language"},
	{regexp.MustCompile(` has no text in (".*")$`), "owner.content.untranslated"},
	{regexp.MustCompile(`(".*") is not a colour$`), "owner.content.colour"},
	{regexp.MustCompile(` has a contrast of ([\d.]+):1 .* requires ([\d.]+):1$`), "owner.content.contrast"},
	{regexp.MustCompile(`there is no image (".*")`), "owner.content.image"},
	{regexp.MustCompile(` a [a-z]+ without [a-z_]+$`), "owner.content.alt"},
	{regexp.MustCompile(`^this is not an image for the web$|^the image (?:cannot be used|is larger than|has \d)`), "owner.content.picture"},
	{regexp.MustCompile(`^the name is (?:not valid|taken)$`), "owner.content.name"},
	{regexp.MustCompile(`^faq.yaml has no entry `), "owner.content.golden.entry"},
	{regexp.MustCompile(`^(".*") must be answered by ".*", but `), "owner.content.golden.answered"},
	{regexp.MustCompile(`^(".*") must not be answered, but `), "owner.content.golden.unanswered"},
	{regexp.MustCompile(`^the answer of (".*") says (.*), which is in no pricing band$`), "owner.warning.amount"},
	{regexp.MustCompile(`^no service or answer uses the pricing band (".*")$`), "owner.warning.band"},
	{regexp.MustCompile(` seems to contain `), "owner.warning.claim"},
	{regexp.MustCompile(`^still from the sample, `), "owner.warning.sample"},
	{regexp.MustCompile(` has no .* in (".*"); the text in (".*") is used$`), "owner.warning.untranslated"},
	{regexp.MustCompile(`^this file is not read$`), "owner.warning.unread"},
	{regexp.MustCompile(`^(\d+) entries have ([\d.]+) wordings each, `), "owner.warning.few"},
	{regexp.MustCompile(`^(\d+) entries are more than the encoder reads \((\d+)\)`), "owner.warning.many"},
	{regexp.MustCompile(`^entries (".*") and (".*") overlap: without its alternate, (".*") would match `), "owner.warning.overlap"},
}

// faultLines are faults in the owner's words, each after its place in the files.
func faultLines(s session, faults []content.Fault) (lines []string) {
	for _, fault := range faults {
		text := faultText(s, fault)
		if text != fault.String() {
			text = content.Fault{File: fault.File, Line: fault.Line, Message: text}.String()
		}
		lines = append(lines, text)
	}
	return lines
}

// errorLines are the faults of an error in the owner's words, or the error's own words.
func errorLines(s session, err error) []string {
	if faults, isFaulty := errors.AsType[content.Faults](err); isFaulty {
		return faultLines(s, faults)
	}
	if err == nil {
		return nil
	}
	return []string{err.Error()}
}

// faultText is a fault in the owner's words; of one that no form makes, those of the content.
func faultText(s session, fault content.Fault) string {
	for _, known := range faultTexts {
		found := known.fault.FindStringSubmatch(fault.Message)
		if found == nil {
			continue
		}
		var arguments []any
		for _, part := range found[1:] {
			if plain, err := strconv.Unquote(part); err == nil {
				part = plain
			}
			if part != "" {
				arguments = append(arguments, part)
			}
		}
		return s.Text(known.key, arguments...)
	}
	return fault.String()
}

// mailReasons are the messages of why a mail was not delivered, by where its delivery ended.
var mailReasons = map[string]string{
	"connect":  "owner.mail.connect",
	"TLS":      "owner.mail.secure",
	"STARTTLS": "owner.mail.secure",
	"greeting": "owner.mail.unwilling",
	"EHLO":     "owner.mail.unwilling",
	"AUTH":     "owner.mail.password",
	"MAIL":     "owner.mail.sender",
	"RCPT":     "owner.mail.recipient",
	"DATA":     "owner.mail.refused",
	"content":  "owner.mail.broken",
	"file":     "owner.mail.file",
}

// mailReason is why a mail was not delivered, and what to do, by where its delivery ended.
func (p *Pages) mailReason(s session, stage, to string) string {
	if key := mailReasons[stage]; key != "" {
		return s.Text(key, cmp.Or(p.MailServer, "–"), to)
	}
	return s.Text("owner.inquiry.failed")
}

// inquiryReason is why the mail of an inquiry was not delivered, or not to everyone.
func (p *Pages) inquiryReason(s session, inquiry records.Inquiry) string {
	switch {
	case inquiry.State == records.Failed:
		return p.mailReason(s, mailer.StageOf(inquiry.Detail), inquiry.To)
	case inquiry.State == records.Unknown:
		return s.Text("owner.inquiry.doubted")
	case inquiry.Detail != "":
		return s.Text("owner.tested.some")
	}
	return ""
}
