package handlers

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/payload"
	"frontdesk/internal/site"
)

// AskPage answers POST /ask, the form for a question. It is Ask that answers with a page.
// It takes the slot itself, so that the page of a refusal can show what was typed.
func (a *API) AskPage(w http.ResponseWriter, r *http.Request) error {
	limited := a.takeAsk(w, r)
	question, err := read(r, decodeByType, payload.QuestionFields, payload.Question)
	if err = cmp.Or(limited, err); err == nil {
		return writeForm(w, r, a.Answered(r.Context(), r.URL.Path, question.Q), nil)
	}
	return writeForm(w, r, a.Site().Asked(site.Asked{Path: r.URL.Path, Q: question.Q, Err: failure(err)}), err)
}

// FeedbackPage answers POST /feedback, the form below an answer. It is Feedback that
// answers with a page, and takes a slot of the same limit.
func (a *API) FeedbackPage(w http.ResponseWriter, r *http.Request) error {
	limited := a.takeAsk(w, r)
	feedback, err := read(r, decodeByType, payload.FeedbackFields, payload.Feedback)
	if err = cmp.Or(limited, err); err == nil {
		err = a.keepFeedback(r.Context(), feedback)
	}
	judged := site.Judged{Path: r.URL.Path, Q: feedback.Q, Err: failure(err)}
	judged.Helpful = feedback.Helpful != nil && *feedback.Helpful
	return writeForm(w, r, a.Site().Judged(judged), err)
}

// takeAsk takes a slot of the ask limit, or returns the refusal.
func (a *API) takeAsk(w http.ResponseWriter, r *http.Request) error {
	decision := a.AskLimit.Take(r.Context())
	decision.SetHeaders(w.Header())
	return decision.Refusal()
}

// Fields of the contact form that the API does not have: the step to which a button
// leads, the key that makes a double click or a reload send only once, and a hidden
// field, which only programs fill in.
const (
	fieldStep = "step"
	stepWrite = "write"
	fieldKey  = "idempotency_key"
	fieldTrap = "website"
)

// carried is the question that a person asked before the form was opened, if the message
// still has it: there the person sees it, and may delete it.
func carried(question, message string) string {
	if question = contract.CleanQuestion(question); utf8.RuneCountInString(question) > contract.MaxQuestion ||
		!strings.Contains(message, question) {
		return ""
	}
	return question
}

// ContactPage answers POST /contact, the form for a pilot request, in its steps: write,
// check the mail, sent. Each step keeps what was typed.
func (a *API) ContactPage(w http.ResponseWriter, r *http.Request) error {
	object, err := decodeByType(r,
		slices.Concat(payload.PilotFields, []string{fieldStep, fieldKey, fieldTrap, contract.FieldQuestion}))
	contacted := site.Contacted{Path: r.URL.Path}
	if err == nil {
		contacted.Key, contacted.Trap = object.Text(fieldKey), object.Text(fieldTrap)
		isWriting := object.Text(fieldStep) == stepWrite
		contacted.Request, err = payload.Pilot(object)
		contacted.Request.Question = carried(object.Text(contract.FieldQuestion), contacted.Request.Message)
		switch {
		case isWriting: // an unfinished form is not checked
			return writeForm(w, r, a.Site().Contacted(contacted), nil)
		case err == nil:
			err = a.submit(w, r, &contacted)
		}
	}
	contacted.Err = failure(err)
	return writeForm(w, r, a.Site().Contacted(contacted), err)
}

// submit previews or sends the request of a form and stores the result in it. A
// request that could not be sent is previewed again, so that the same button retries.
func (a *API) submit(w http.ResponseWriter, r *http.Request, c *site.Contacted) error {
	if c.Request.DryRun {
		a.preview(c)
		return nil
	}
	if c.Key != "" {
		r.Header[contract.HeaderIdempotencyKey] = []string{c.Key}
	}
	to := a.Pilots.Send
	if c.Trap != "" { // its sender gets the answer of Send
		to = a.Pilots.Quarantine
	}
	accepted, err := send(w, r, c.Request, to)
	if err != nil {
		a.preview(c)
		return err
	}
	c.Accepted = &accepted
	return nil
}

// preview adds the mail of a request, and the key under which it will be sent.
func (a *API) preview(c *site.Contacted) {
	c.Preview = new(a.Pilots.Preview(c.Request))
	if c.Key == "" {
		c.Key = rand.Text()
	}
}

func failure(err error) *contract.Error {
	if err == nil {
		return nil
	}
	return contract.AsError(err)
}

// writeForm answers a form with its page. It returns the error only for the log; the
// middleware does not answer it again.
func writeForm(w http.ResponseWriter, r *http.Request, page site.Page, err error) error {
	header := w.Header()
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-store")
	status := http.StatusOK
	if failed := failure(err); failed != nil {
		status = failed.HTTPStatus()
		failed.SetRetryAfter(header)
	}
	mediaType, body := contract.TypeHTML, page.HTML
	if prefersMarkdown(r) {
		mediaType, body = contract.TypeMarkdown, page.Markdown
	}
	writeBody(w, status, mediaType+contract.CharsetUTF8, body)
	return err
}
