package handlers

import (
	"net/http"
	"strconv"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/site"
)

// AskPage answers POST /ask, the form for a question. It is Ask with a page as the
// answer. It takes the slot itself, so that a refusal can show what was typed.
func (a *API) AskPage(w http.ResponseWriter, r *http.Request) error {
	decision := a.AskLimit.Take(r.Context(), limits.ClientFrom(r.Context()))
	a.AskLimit.SetHeaders(w.Header(), decision.Remaining)
	question, err := readForm(r, payload.QuestionFields, payload.Question)
	if !decision.Allowed {
		err = a.AskLimit.Policy().Exceeded(decision.RetryAfter)
	}
	if err == nil {
		return writeForm(w, r, a.Forms.Answered(r.Context(), question.Q), nil)
	}
	return writeForm(w, r, a.Forms.Asked(site.Asked{Q: question.Q, Err: failure(err)}), err)
}

// ContactPage answers POST /contact, the form for a pilot request. It is Contact with
// a page as the answer.
func (a *API) ContactPage(w http.ResponseWriter, r *http.Request) error {
	request, err := readForm(r, payload.PilotFields, payload.Pilot)
	contacted := site.Contacted{Request: request}
	if err == nil {
		err = a.submit(w, r, &contacted)
	}
	contacted.Err = failure(err)
	return writeForm(w, r, a.Forms.Contacted(contacted), err)
}

// submit previews or sends the request of a form and stores the result in it.
func (a *API) submit(w http.ResponseWriter, r *http.Request, c *site.Contacted) error {
	if c.Request.DryRun {
		c.Preview = new(a.Pilots.Preview(c.Request))
		return nil
	}
	accepted, err := a.send(w, r, c.Request)
	if err == nil {
		c.Accepted = &accepted
	}
	return err
}

// readForm reads a request by its type. With an error it returns whatever could be
// read, so that the page can show it.
func readForm[T any](r *http.Request, known []string, take func(*payload.Object) (T, error)) (T, error) {
	object, err := decodeByType(r, known)
	if err != nil {
		var none T
		return none, err
	}
	return take(object)
}

func failure(err error) *contract.Error {
	if err == nil {
		return nil
	}
	return contract.AsError(err)
}

// writeForm answers a form with its page. It returns the error for the log; the
// middleware does not answer it again.
func writeForm(w http.ResponseWriter, r *http.Request, page site.Page, err error) error {
	header := w.Header()
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-store")
	status := http.StatusOK
	if failed := failure(err); failed != nil {
		status = failed.Code.Status()
		if failed.RetryAfter > 0 {
			header.Set(contract.HeaderRetryAfter, strconv.Itoa(int(failed.RetryAfter/time.Second)))
		}
	}
	mediaType, body := contract.TypeHTML, page.HTML
	if prefersMarkdown(r) {
		mediaType, body = contract.TypeMarkdown, page.Markdown
	}
	writeBody(w, status, mediaType+contract.CharsetUTF8, body)
	return err
}
