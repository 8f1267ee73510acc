package mcpserver_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/expect"
)

// TestFailuresKeepTheirText checks that the cause of a panic or failure of a tool is
// logged and not shown to the caller.
func TestFailuresKeepTheirText(t *testing.T) {
	t.Parallel()
	const secret = "the password is hunter2"
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, func(w *app.Wiring) {
			w.Core.Answers = asking(func(context.Context, string) contract.Answer { panic(secret) })
		})
		w := f.website.post(t, toolCall("ask_faq", `{"q":"x"}`))
		keepsText(t, f, w.Body.String(), secret)
		if w.Code != 200 || replyOf(t, w).Error.Code != -32603 || w.Header().Get(contract.HeaderRateLimit) == "" {
			t.Errorf("answer %d %v: %s", w.Code, w.Header(), w.Body)
		}
		if !strings.Contains(f.log.String(), "reading.go") {
			t.Error("the log does not show where the tool panicked")
		}
		if w := f.website.post(t, rpc("ping", `{}`)); w.Code != 200 {
			t.Errorf("afterwards: %d", w.Code)
		}
	})
	t.Run("database", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, nil)
		expect.OK(t, f.Store().Close())
		w := f.workspace.post(t, toolCall("start_trial", `{"business":"AE","email":"ada@example.com"}`))
		keepsText(t, f, w.Body.String(), "closed")
		if w.Code != 200 || replyOf(t, w).Error.Code != -32603 || w.Header().Get(contract.HeaderRateLimit) != `"trial";r=2` {
			t.Errorf("answer %d %v: %s", w.Code, w.Header(), w.Body)
		}
	})
	t.Run("mail", func(t *testing.T) {
		t.Parallel()
		f := newFront(t, nil)
		f.Mail.FailWith(errors.New(secret))
		w := f.website.post(t, toolCall("request_pilot", `{"name":"A","business":"B","message":"m","email":"a@example.com"}`))
		keepsText(t, f, w.Body.String(), secret)
		got := toolResultOf(t, w)
		problem := expect.JSON[contract.Problem](t, []byte(got.Content[0].Text))
		if !got.IsError || problem.Code != contract.BadGateway || problem.Type != base+"/developers#errors-bad_gateway" || problem.Status != http.StatusBadGateway {
			t.Errorf("result = %s", w.Body)
		}
	})
}

func keepsText(t *testing.T, f *front, body, secret string) {
	t.Helper()
	if strings.Contains(body, secret) {
		t.Errorf("the caller learns the cause: %s", body)
	}
	if !strings.Contains(f.log.String(), secret) || !strings.Contains(f.log.String(), `"level":"error"`) {
		t.Errorf("the log lacks the cause: %s", f.log)
	}
}
