package owner

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/curation"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// needsPerson reports whether a person must look after a mail that ended in a state.
func needsPerson(state records.State) bool {
	return state == records.Failed || state == records.Unknown
}

// isSpam reports whether an inquiry is in quarantine, until the owner says that it is not spam.
func isSpam(i records.Inquiry) bool { return i.State == records.Quarantined }

// progress is how far the owner has come with an inquiry.
func progress(i records.Inquiry) string {
	switch {
	case !i.DoneAt.IsZero():
		return "done"
	case !i.AnsweredAt.IsZero():
		return "answered"
	case isSpam(i):
		return ""
	}
	return "new"
}

// badgeOf returns the message key of an inquiry's badge: the owner's progress, or the state of its mail if that failed
// and the inquiry is new, or if there is no progress.
func badgeOf(i records.Inquiry) string {
	if came := progress(i); came != "" && !isUrgent(i) {
		return "owner.inquiry.progress." + came
	}
	return "owner.inquiry.state." + string(i.State)
}

// isUrgent reports whether the mail of a new inquiry failed.
func isUrgent(i records.Inquiry) bool { return needsPerson(i.State) && progress(i) == "new" }

// mailto begins an answer in the mail program. Both parts are the words of a stranger, who must
// not add a header to the mail: nothing but the last @ stays unescaped (RFC 6068, section 2).
func mailto(i records.Inquiry) string {
	escape := func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
	at := strings.LastIndex(i.Email, "@")
	return "mailto:" + escape(i.Email[:max(0, at)]) + i.Email[max(0, at):] + "?subject=" + escape("Re: "+i.Subject)
}

func inquiryPath(i records.Inquiry) string { return pathInquiries + "/" + url.PathEscape(i.ID) }

// summary is the beginning of the message of an inquiry.
func summary(i records.Inquiry) string { return shortened(i.Message, 180) }

// shortened returns the beginning of a text in one line.
func shortened(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}

// tab leads to a part of a list.
type tab struct {
	Text, Path string // Text is the key of a message
	Count      int
	Uncounted  bool // the count is not shown
	Current    bool
}

// inquiryTabs are the parts of the list of inquiries in their order.
var inquiryTabs = []records.InquiryView{
	records.NewInquiries, records.AnsweredInquiries, records.UndeliveredInquiries, records.QuarantinedInquiries,
	records.DoneInquiries, records.AllInquiries,
}

// listInquiries shows a page of inquiries, newest first.
func (v visit) listInquiries() error {
	search, shown := strings.TrimSpace(v.URL.Query().Get("q")), records.InquiryView(v.URL.Query().Get("show"))
	counts, err := v.Store.CountInquiries(v.Context(), records.InquiryQuery{})
	if err != nil {
		return err
	}
	if _, known := counts[shown]; !known {
		shown = records.NewInquiries
	}
	query := records.InquiryQuery{View: shown, Text: search, Page: v.pageOf()}
	found, err := v.Store.Inquiries(v.Context(), query)
	if err != nil {
		return err
	}
	matching, err := v.Store.CountInquiries(v.Context(), query)
	if err != nil {
		return err
	}
	var tabs []tab
	path := pathInquiries
	if search != "" {
		path = withQuery(path, "q", search)
	}
	for _, part := range inquiryTabs {
		tabs = append(tabs, tab{Text: "owner.inquiries.tab." + string(part), Path: withQuery(path, "show", string(part)),
			Count: counts[part], Current: part == shown})
	}
	return v.show(v.Text("owner.nav.inquiries"), "inquiries", data{
		"Tabs": tabs, "Show": shown, "Search": search, "Rows": found, "Total": matching[shown],
		"Pager": v.newPager(matching[shown]),
	})
}

func (v visit) showInquiry() error {
	inquiry, err := v.inquiry()
	if err != nil {
		return err
	}
	phone := contract.Facts{Phone: inquiry.Phone, Address: v.live().Address}
	note, _ := v.note(inquiry.Inquiry)
	return v.show(inquiry.Title(), "inquiry", data{
		// the reason is why its mail did not arrive
		"Inquiry": inquiry.Inquiry, "Reason": v.inquiryReason(inquiry.Inquiry), "Tries": inquiry.Tries,
		"Dial": content.Dial(&phone), "Note": note,
	})
}

// noteForm has the owner's note on an inquiry.
var noteForm = form{
	texts: "owner.inquiry.", fields: fieldsOf("", []content.Key{{Name: "note", Kind: content.KindText}}),
}

// note returns the note on an inquiry, merged with one that was sent. moved reports that both have changed it.
func (v visit) note(inquiry records.Inquiry) (note shownField, moved bool) {
	now, sent := values{}, url.Values(nil)
	now.set("note", inquiry.Note)
	if v.PostForm.Has("note") {
		sent = v.PostForm
	}
	fields, moved := v.shownFields(written{form: noteForm, now: item{values: now}}, sent)
	return fields[0], moved
}

func (v visit) inquiry() (curation.Detail, error) {
	inquiry, err := curation.Inquiry(v.Context(), v.Store, v.PathValue("id"))
	return inquiry, orGone(err, noInquiry)
}

// changeInquiry does what a button of an inquiry says, stores the note, and reports what came of it.
func (v visit) changeInquiry() error {
	inquiry, err := v.inquiry()
	if err != nil {
		return err
	}
	note, moved := v.note(inquiry.Inquiry)
	if moved {
		v.status = http.StatusConflict
		return v.showInquiry()
	}
	ctx, id, next, notice := v.Context(), inquiry.ID, inquiryPath(inquiry.Inquiry), v.PathValue("act")
	if text := note.Text(); text != inquiry.Note && notice != "delete" { // before a mail is sent, which takes its time
		if err := v.Store.NoteInquiry(ctx, id, text); err != nil {
			return orGone(err, noInquiry)
		}
	}
	switch notice {
	case "new":
		err = v.Store.MarkInquiry(ctx, id, time.Time{}, time.Time{})
	case "answered":
		err = v.Store.MarkInquiry(ctx, id, time.Now(), time.Time{})
	case "done":
		err = v.Store.MarkInquiry(ctx, id, inquiry.AnsweredAt, time.Now())
	case "note":
	case "send":
		after, failed := v.Service.Resend(ctx, id)
		if notice = resent[after.State]; after.ID == "" { // else its outcome is recorded later
			err = failed
		}
	case "delete": // the page asks for confirmation first
		if _, _, err = curation.DeleteInquiry(ctx, v.Store, mailer.FolderOf(v.Curator.Data), id); err == nil {
			return v.redirect(pathInquiries, "deleted")
		}
	default:
		return errMissing
	}
	switch {
	case errors.Is(err, records.ErrSent):
		notice = "already"
	case errors.Is(err, records.ErrLeased):
		notice = "sending"
	case err != nil:
		return orGone(err, noInquiry) // deleted a moment ago
	}
	return v.redirect(next, cmp.Or(notice, "unsent"))
}

// resent is the notice of each state after a mail was sent again; in any other state it was not sent.
var resent = map[records.State]string{records.Sent: "sent", records.Unknown: "doubted"}
