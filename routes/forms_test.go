package routes_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

const (
	formType = "Content-Type: application/x-www-form-urlencoded"
	browser  = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
)

func form(pairs ...string) string {
	values := url.Values{}
	for pair := range slices.Chunk(pairs, 2) {
		values.Set(pair[0], pair[1])
	}
	return values.Encode()
}

func pilotForm(pairs ...string) string {
	return form(append([]string{"name", "Ada", "business", "AE", "email", "ada@example.com", "message", "Hello"}, pairs...)...)
}

func TestFormsShareTheLimits(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	status(t, "too large", f.form(t, "/ask", strings.Repeat("x", contract.CapAskPage+1)), 413, "")
	for taken := 1; taken <= contract.AskPolicy.Quota; taken++ {
		status(t, "unreadable", f.form(t, "/ask", "%zz"), 400, left(taken))
	}
	refused := f.form(t, "/ask", form("q", "Is this kept?"))
	status(t, "over the limit", refused, 429, contract.AskPolicy.Remaining(0))
	window := fmt.Sprintf("%.0f", contract.AskPolicy.Window.Seconds())
	wantPage(t, refused, `value="Is this kept?"`, "wait "+window+" s")
	expect.Same(t, "Retry-After", window, refused.Header().Get("Retry-After"))

	status(t, "preview", f.form(t, "/contact", pilotForm("dry_run", "true")), 200, "")
	wide := strings.Repeat("𞤀", contract.MaxMessage)
	status(t, "a message in a wide script", f.form(t, "/contact", pilotForm("dry_run", "true", "message", wide)), 200, "")
	long := f.form(t, "/contact", pilotForm("message", wide+wide))
	status(t, "a long message", long, 413, "")
	wantPage(t, long, "What you wrote is too long for this form.")
	for left := 2; left >= 0; left-- {
		status(t, "send", f.form(t, "/contact", pilotForm("dry_run", "false")), 200, contract.ContactPolicy.Remaining(left))
	}
	status(t, "API over the limit", f.post(t, alice, contract.PathContact, real), 429, `"contact";r=0`)
	status(t, "page over the limit", f.form(t, "/contact", pilotForm()), 429, `"contact";r=0`)
	expect.Same(t, "requests reached the outbox", 3, len(f.Mail.Tried()))
}

// /ask?q= fills in the form, asks nothing and takes no slot.
func TestQuestionInTheAddress(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	for range contract.AskPolicy.Quota + 1 {
		w := f.send(t, alice, "GET", "/ask?q=Who+is+it+for%3F%FF+%22%3Cb%3E", "", browser)
		status(t, "form", w, 200, "")
		wantPage(t, w, `value="Who is it for? &#34;&lt;b&gt;"`, `action="/ask" method="post"`)
		expect.Lacks(t, "the page", w.Body.String(), `class="answer"`)
	}
	status(t, "question", f.form(t, "/ask", form("q", "Who is it for?")), 200, contract.AskPolicy.Remaining(contract.AskPolicy.Quota-1))
	plain := f.send(t, alice, "GET", "/faq", "", browser).Body.String()
	expect.Same(t, "another page with a q", plain, f.send(t, alice, "GET", "/faq?q=Who", "", browser).Body.String())
}

func wantPage(t *testing.T, w *httptest.ResponseRecorder, parts ...string) {
	t.Helper()
	expect.Same(t, "the answer", "text/html; charset=utf-8, no-store", w.Header().Get("Content-Type")+", "+w.Header().Get("Cache-Control"))
	expect.Holds(t, "the page", w.Body.String(), parts...)
}

func TestRefusedFormsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	kept := []string{`value="Ada"`, "Hello</textarea>"}
	for _, tt := range []struct {
		name, body string
		fail       error
		status     int
		parts      []string
	}{
		{"one field", pilotForm("email", "ada@localhost"), nil, 400,
			append(kept, `value="ada@localhost" aria-invalid="true" aria-describedby="email-error"`, `autofocus`, `id="email-error">Please enter an`)},
		{"two fields", pilotForm("email", "", "business", strings.Repeat("b", 201)), nil, 400,
			append(kept, `role="alert">Almost there.`, `id="email-error">Please enter an`, `id="business-error">Too long: at most 200 characters`)},
		{"delivery", pilotForm(), errDelivery, 502, append(kept[:1:1], `role="alert">Your message could not be sent just now.`, `name="message" value="Hello"`, `name="idempotency_key" value="`)},
		{"markup", pilotForm("name", `"><script>alert(1)</script>`, "email", "x"), nil, 400, []string{`value="&#34;&gt;&lt;script&gt;`}},
		{"not as previewed", pilotForm("preview", "0123"), nil, 400, append(kept[:1:1], " has changed since the preview.", `name="message" value="Hello"`)},
		{"dry_run as a word", pilotForm("dry_run", "yes"), nil, 400, append(kept, "We could not read that.")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			f.Mail.FailWith(tt.fail)
			w := f.form(t, "/contact", tt.body)
			expect.Same(t, "status", tt.status, w.Code)
			wantPage(t, w, tt.parts...)
			expect.Same(t, "sent", tt.fail != nil, len(f.Mail.Tried()) > 0)
		})
	}
}

// On the way back to the form nothing is sent and no field is marked as wrong.
func TestStepBack(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	for name, body := range map[string]string{
		"from the preview": pilotForm("dry_run", "true", "step", "write"),
		"from an answer":   form("message", "Hello", "dry_run", "true", "step", "write"),
	} {
		w := f.form(t, "/contact", body)
		status(t, name, w, 200, "")
		wantPage(t, w, "Hello</textarea>")
		expect.Lacks(t, name, w.Body.String(), "aria-invalid")
		expect.Same(t, name+": mails", 0, len(f.Mail.Tried()))
	}
}

func TestFeedbackForm(t *testing.T) {
	t.Parallel()
	f := newFront(t)
	yes := f.form(t, "/feedback", form("entry_id", "audience", "helpful", "true"))
	status(t, "helpful", yes, 200, left(1))
	wantPage(t, yes, "We are glad it helped.")
	no := f.form(t, "/feedback", form("entry_id", "audience", "helpful", "false"))
	status(t, "not helpful", no, 200, left(2))
	wantPage(t, no, "A person can help you further.", `action="/contact"`)
	status(t, "unknown entry", f.form(t, "/feedback", form("entry_id", "none", "helpful", "true")), 400, left(3))
	for range contract.AskPolicy.Quota - 3 {
		f.form(t, "/feedback", "")
	}
	over := f.form(t, "/feedback", form("entry_id", "audience", "helpful", "true"))
	status(t, "over the limit", over, 429, contract.AskPolicy.Remaining(0))
	wantPage(t, over, "One moment, please", fmt.Sprintf("wait %.0f s", contract.AskPolicy.Window.Seconds()))
	status(t, "looked at", f.send(t, alice, "GET", "/feedback", ""), 405, "")
}
