package conform

import (
	"frontdesk/internal/expect"
	"net/smtp"
	"strings"
	"testing"
)

func TestSink(t *testing.T) {
	t.Parallel()
	sink := expect.Value(ListenMail("127.0.0.1:0"))(t)
	t.Cleanup(func() {
		if err := sink.Close(); err != nil {
			t.Error(err)
		}
	})
	send := func(body string) error {
		return smtp.SendMail(strings.TrimPrefix(sink.URL(), "smtp://"), nil, "desk@desk.example", []string{"owner@desk.example"}, []byte("Subject: x\r\n\r\n"+body+"\r\n"))
	}
	sink.Refuse("marked")
	if err := send("marked"); err == nil || !strings.Contains(err.Error(), "554") {
		t.Errorf("a refused mail: %v, want 554", err)
	}
	if len(sink.Mails("marked", false)) != 0 || len(sink.Mails("marked", true)) != 1 {
		t.Error("a refused mail is not listed as refused")
	}
	sink.Allow("marked")
	expect.OK(t, send("marked again"))
	got := sink.await(t.Context(), "again")
	if len(got) != 1 || len(got[0].To) != 1 || got[0].To[0] != "owner@desk.example" {
		t.Errorf("mails = %+v", got)
	}
	if _, err := ListenMail(strings.TrimPrefix(sink.URL(), "smtp://")); err == nil {
		t.Error("two sinks at one address")
	}
}
