package owner

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"frontdesk/content"
	"frontdesk/internal/curation"
	"frontdesk/internal/i18n"
	"frontdesk/internal/images"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// reasons are the messages of the errors of a change and of an upload. The first that matches counts.
var reasons = []struct {
	err error
	key string
}{
	{curation.ErrNoQuestion, "owner.reason.question"},
	{curation.ErrMasked, "owner.reason.masked"},
	{curation.ErrOwnQuestion, "owner.reason.ownquestion"},
	{curation.ErrAlternate, "owner.reason.alternate"},
	{curation.ErrNoDiff, "owner.reason.nodiff"},
	{curation.ErrNotLive, "owner.reason.notlive"},
	{curation.ErrNotRecorded, "owner.reason.unrecorded"},
	{curation.ErrReadOnly, "owner.reason.readonly"},
	{content.ErrUnused, "owner.reason.unused"},
	{content.ErrChanged, "owner.reason.changed"},
	{syscall.ENOSPC, "owner.reason.full"},
	{images.ErrHEIC, "owner.reason.heic"},
	{images.ErrGIF, "owner.reason.gif"},
	{images.ErrSVG, "owner.reason.svg"},
	{images.ErrLarge, "owner.reason.pixels"},
	{images.ErrNoPicture, "owner.content.picture"},
}

// reasonOf says why a change cannot be made. The words of another error are for the log.
func (v visit) reasonOf(err error) string {
	if known, ok := errors.AsType[reason](err); ok {
		return v.Text(known.key, known.arguments...)
	}
	if conflict, ok := errors.AsType[*content.Conflict](err); ok {
		var labels []string
		for _, d := range v.differences(content.Edits{Values: conflict.Values}) {
			labels = append(labels, cmp.Or(d.field, d.Line))
		}
		return v.Text("owner.reason.later", cmp.Or(strings.Join(labels, ", "), conflict.Names()),
			cmp.Or(conflict.By, v.Text("owner.changes.file")))
	}
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			return v.Text(known.key)
		}
	}
	if faults, ok := errors.AsType[content.Diagnostics](err); ok {
		var lines []string
		for _, fault := range faults {
			if text := v.faultText(fault); !slices.Contains(lines, text) { // the same of several lists
				lines = append(lines, text)
			}
		}
		return strings.Join(lines, "\n")
	}
	v.Log.Error().Err(err).Msg("a change of the content failed")
	return v.Text("owner.reason.other")
}

// errorLines are the faults of an error in the owner's words, each after its place in the files, or the error's own
// words.
func (v visit) errorLines(err error) (lines []string) {
	faults, isFaulty := errors.AsType[content.Diagnostics](err)
	for _, fault := range faults {
		if fault.Code != "" {
			fault = content.Diagnostic{File: fault.File, Line: fault.Line, Message: v.faultText(fault)}
		}
		lines = append(lines, fault.String())
	}
	if err != nil && !isFaulty {
		return []string{err.Error()}
	}
	return lines
}

// faultText is a fault in the owner's words; of one that no form makes, those of the content.
func (v visit) faultText(fault content.Diagnostic) string {
	if fault.Code == "" {
		return fault.String()
	}
	values := fault.Values
	if fault.Code == "content.missing" {
		for _, within := range []string{"address", "coordinates"} { // of which her form can have a part
			if label := v.TextIf(fmt.Sprintf("owner.site.business.%s.%v", within, values[0])); label != "" {
				values = []any{label}
			}
		}
	}
	if strings.HasSuffix(fault.Code, ".untranslated") {
		values = slices.Clone(values)
		for i, tag := range values {
			values[i] = i18n.NameOf(fmt.Sprint(tag))
		}
	}
	if strings.HasPrefix(fault.Code, "reason.times") { // of days, which are the last value
		values = slices.Clone(values)
		if days, isWeek := content.DaysOf(fmt.Sprint(values[len(values)-1])); isWeek {
			var places []int
			for _, day := range days {
				places = append(places, slices.Index(content.Weekdays, day))
			}
			values[len(values)-1] = v.Weekdays(places)
		}
	}
	return v.Text("owner."+fault.Code, values...)
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
	"set-up":   "owner.mail.unset",
}

// mailReason is why a mail was not delivered, and what to do, by where its delivery ended.
func (v visit) mailReason(stage, host, to string) string {
	if key := mailReasons[stage]; key != "" {
		return v.Text(key, cmp.Or(host, "–"), to)
	}
	return v.Text("owner.inquiry.failed")
}

// inquiryReason is why the mail of an inquiry was not delivered, or not to everyone.
func (v visit) inquiryReason(inquiry records.Inquiry) string {
	switch {
	case inquiry.State == records.Failed:
		return v.mailReason(mailer.StageOf(inquiry.Detail), v.Mail.Now().Host(), inquiry.To)
	case inquiry.State == records.Unknown:
		return v.Text("owner.inquiry.doubted")
	case inquiry.Detail != "":
		return v.Text("owner.tested.some")
	}
	return ""
}
