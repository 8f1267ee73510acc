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

// AskPage answers POST /ask, the form of a question: Ask with a page for an answer.
// It takes the slot itself, so that a refusal keeps what was typed.
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

// ContactPage answers POST /contact, the form of a pilot request: Contact with a
// page for an answer.
func (a *API) ContactPage(w http.ResponseWriter, r *http.Request) error {
	request, err := readForm(r, payload.PilotFields, payload.Pilot)
	contacted := site.Contacted{Request: request}
	if err == nil {
		err = a.file(w, r, &contacted)
	}
	contacted.Err = failure(err)
	return writeForm(w, r, a.Forms.Contacted(contacted), err)
}

// file previews or sends the request of a form.
func (a *API) file(w http.ResponseWriter, r *http.Request, c *site.Contacted) error {
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

// readForm reads a request by its type. What can be read of a request that is
// refused is returned with the error.
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

// writeForm answers a form with its page. The error goes back for the log: the
// middleware does not write over an answer that has begun.
func writeForm(w http.ResponseWriter, r *http.Request, page site.Page, err error) error {
	header := w.Header()
	addVary(header, "Accept")
	mediaType, body := contract.TypeHTML, page.HTML
	if wantsMarkdown(r) {
		mediaType, body = contract.TypeMarkdown, page.Markdown
	}
	header["Content-Type"] = []string{mediaType + contract.CharsetUTF8}
	header["Cache-Control"] = noStore
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	status := http.StatusOK
	if failed := failure(err); failed != nil {
		status = failed.Code.Status()
		if failed.RetryAfter > 0 {
			header[contract.HeaderRetryAfter] = []string{strconv.Itoa(int(failed.RetryAfter / time.Second))}
		}
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client has gone; nothing is left to tell it
	return err
}
