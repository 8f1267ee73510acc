package owner

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"frontdesk/internal/records"
)

// stateNames are the messages of the states of the mail of an inquiry.
var stateNames = map[records.State]string{
	records.Pending:     "owner.inquiry.state.pending",
	records.Sent:        "owner.inquiry.state.sent",
	records.Failed:      "owner.inquiry.state.failed",
	records.Unknown:     "owner.inquiry.state.unknown",
	records.Quarantined: "owner.inquiry.state.quarantined",
}

// inquiryView is an inquiry as a page shows it.
type inquiryView struct {
	records.Inquiry
	State string // key of its message
	Bad   bool   // needs a person
}

func newInquiryView(i records.Inquiry) inquiryView {
	return inquiryView{Inquiry: i, State: stateNames[i.State], Bad: i.State == records.Failed || i.State == records.Unknown}
}

// Progress is how far the owner has come with it.
func (i inquiryView) Progress() string {
	switch {
	case !i.DoneAt.IsZero():
		return "done"
	case !i.AnsweredAt.IsZero():
		return "answered"
	case i.IsSpam():
		return ""
	}
	return "new"
}

// Reply begins an answer in the mail program.
func (i inquiryView) Reply() string {
	return "mailto:" + url.PathEscape(i.Email) + "?subject=" + url.PathEscape("Re: "+i.Subject)
}

// Path is the address of an inquiry's page.
func (i inquiryView) Path() string { return pathInquiries + "/" + url.PathEscape(i.ID) }

// CanSend reports whether its mail can be sent again.
func (i inquiryView) CanSend() bool {
	return i.Inquiry.State != records.Sent && i.Inquiry.State != records.Pending
}

// IsSpam reports whether it waits for the owner to say that it is no spam.
func (i inquiryView) IsSpam() bool { return i.Inquiry.State == records.Quarantined }

// Summary is the beginning of the message.
func (i inquiryView) Summary() string {
	const most = 180
	text := []rune(strings.Join(strings.Fields(i.Message), " "))
	if len(text) <= most {
		return string(text)
	}
	return string(text[:most]) + "…"
}

// tab leads to a part of a list.
type tab struct {
	Text, Path string // Text is the key of a message
	Count      int
	Uncounted  bool // the count is not shown
	Current    bool
}

// inquiryTabs are the parts of the list of inquiries in their order.
var inquiryTabs = []struct {
	view records.InquiryView
	text string // key of its message
}{
	{records.NewInquiries, "owner.inquiries.tab.new"},
	{records.AnsweredInquiries, "owner.inquiries.tab.answered"},
	{records.UndeliveredInquiries, "owner.inquiries.tab.failed"},
	{records.QuarantinedInquiries, "owner.inquiries.tab.spam"},
	{records.DoneInquiries, "owner.inquiries.tab.done"},
	{records.AllInquiries, "owner.inquiries.tab.all"},
}

// listInquiries shows a page of inquiries, newest first.
func (p *Pages) listInquiries(w http.ResponseWriter, r *http.Request, s session) error {
	query := r.URL.Query()
	search := strings.TrimSpace(query.Get("q"))
	counts, err := p.Store.CountInquiries(r.Context(), records.InquiryQuery{})
	if err != nil {
		return err
	}
	shown := records.InquiryView(query.Get("show"))
	if _, known := counts[shown]; !known {
		shown = records.NewInquiries
	}
	chosen := records.InquiryQuery{View: shown, Text: search, Page: records.Page{Limit: pageSize, Offset: (paging(r) - 1) * pageSize}}
	found, err := p.Store.Inquiries(r.Context(), chosen)
	if err != nil {
		return err
	}
	total := counts[shown]
	if search != "" {
		found, err := p.Store.CountInquiries(r.Context(), chosen)
		if err != nil {
			return err
		}
		total = found[shown]
	}
	var tabs []tab
	for _, t := range inquiryTabs {
		values := url.Values{"show": {string(t.view)}}
		if search != "" {
			values.Set("q", search)
		}
		tabs = append(tabs, tab{Text: t.text, Path: pathInquiries + "?" + values.Encode(), Count: counts[t.view], Current: t.view == shown})
	}
	rows := make([]inquiryView, len(found))
	for i, inquiry := range found {
		rows[i] = newInquiryView(inquiry)
	}
	return p.show(w, r, s, view{Title: s.Text("owner.nav.inquiries"), Here: pathInquiries}, "inquiries", struct {
		Tabs      []tab
		Show      records.InquiryView
		Search    string
		Rows      []inquiryView
		Total     int
		Pager     pager
		FormToken string
	}{tabs, shown, search, rows, total, newPager(r, total), s.FormToken()})
}

// showInquiry shows everything about one inquiry.
func (p *Pages) showInquiry(w http.ResponseWriter, r *http.Request, s session) error {
	inquiry, err := p.inquiry(r)
	if err != nil {
		return err
	}
	tries, err := p.Store.Tries(r.Context(), inquiry.ID)
	if err != nil {
		return err
	}
	shown := newInquiryView(inquiry)
	return p.show(w, r, s, view{Title: shown.Title(), Here: pathInquiries}, "inquiry", struct {
		inquiryView
		Reason    string // why its mail did not arrive
		Tries     []tryView
		FormToken string
	}{shown, p.inquiryReason(s, inquiry), newTryViews(tries), s.FormToken()})
}

// tryView is a try to mail an inquiry.
type tryView struct {
	records.Try
	Outcome string // key of its message
	Bad     bool
}

func newTryViews(tries []records.Try) []tryView {
	views := make([]tryView, len(tries))
	for i, try := range tries {
		views[i] = tryView{Try: try, Outcome: stateNames[try.State], Bad: try.State == records.Failed || try.State == records.Unknown}
		if try.EndedAt.IsZero() {
			views[i].Outcome = "owner.inquiry.state.interrupted"
		}
	}
	return views
}

// noInquiry is the page of an inquiry that was deleted.
var noInquiry = &problem{status: http.StatusNotFound, key: "inquiry", link: pathInquiries}

func (p *Pages) inquiry(r *http.Request) (records.Inquiry, error) {
	inquiry, err := p.Store.Inquiry(r.Context(), r.PathValue("id"))
	if errors.Is(err, records.ErrNotFound) {
		return records.Inquiry{}, noInquiry
	}
	return inquiry, err
}

// changeInquiry does what a button of an inquiry says.
func (p *Pages) changeInquiry(w http.ResponseWriter, r *http.Request, _ session) error {
	inquiry, err := p.inquiry(r)
	if err != nil {
		return err
	}
	page, act := newInquiryView(inquiry).Path(), r.PathValue("act")
	switch act {
	case "new":
		err = p.Store.MarkInquiry(r.Context(), inquiry.ID, time.Time{}, time.Time{})
	case "answered":
		err = p.Store.MarkInquiry(r.Context(), inquiry.ID, time.Now(), time.Time{})
	case "done":
		err = p.Store.MarkInquiry(r.Context(), inquiry.ID, inquiry.AnsweredAt, time.Now())
	case "note":
		err = p.Store.NoteInquiry(r.Context(), inquiry.ID, strings.TrimSpace(r.PostFormValue("note")))
	case "send":
		return p.resend(w, r, inquiry.ID, page)
	case "delete":
		return p.deleteInquiry(w, r, inquiry.ID, page)
	default:
		return errMissing
	}
	if errors.Is(err, records.ErrNotFound) { // deleted a moment ago
		return noInquiry
	}
	if err != nil {
		return err
	}
	return back(w, r, page, act)
}

// deleteInquiry deletes an inquiry for good. The button is behind a question.
func (p *Pages) deleteInquiry(w http.ResponseWriter, r *http.Request, id, page string) error {
	err := p.Service.DeleteInquiry(r.Context(), id)
	switch {
	case errors.Is(err, records.ErrLeased):
		return back(w, r, page, "sending")
	case err != nil && !errors.Is(err, records.ErrNotFound): // somebody else has deleted it
		return err
	}
	return back(w, r, pathInquiries, "deleted")
}

// resend mails an inquiry again and reports what came of it.
func (p *Pages) resend(w http.ResponseWriter, r *http.Request, id, page string) error {
	after, err := p.Service.Resend(r.Context(), id)
	switch {
	case errors.Is(err, records.ErrSent):
		return back(w, r, page, "already")
	case errors.Is(err, records.ErrLeased):
		return back(w, r, page, "sending")
	case err != nil:
		return err
	case after.State == records.Sent:
		return back(w, r, page, "sent")
	case after.State == records.Unknown:
		return back(w, r, page, "doubted")
	}
	return back(w, r, page, "unsent")
}
