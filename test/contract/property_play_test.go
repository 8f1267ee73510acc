package contract_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/mailer"
	"frontdesk/test/harness"
)

// world is a service in this process on a simulated clock, with its model.
type world struct {
	*harness.Front
	model    *rules
	previews []contract.Preview // one for each of inquiries
	begun    int                // mails before the first step
	bodies   map[string]string  // the bodies of answers by name
}

type played struct {
	step int
	why  string
}

// play runs a sequence against a service, which b may break. It returns nil if the service does what the model says.
func play(t *testing.T, b harness.Changes, steps []step) (wrong *played) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, b)
		for i := range steps {
			if why := w.step(&steps[i]); why != "" {
				wrong = &played{i, why}
				return
			}
		}
	})
	return wrong
}

// ofProperties makes every request an inquiry of its own: with FRONTDESK_MAIL_RETRY, a request joins an equal one whose
// mail failed, which the model does not know. It puts the pooled clients into a pool.
func ofProperties(s *config.Settings) {
	s.MailRetry.Text = "off"
	s.SharedClients = []string{"openai=127.0.1.0/24"}
}

func newWorld(t *testing.T, b harness.Changes) *world {
	t.Helper()
	w := &world{Front: harness.NewFront(t, io.Discard, ofProperties, b), model: newRules(), bodies: map[string]string{}}
	for i, fields := range inquiries {
		fields = maps.Clone(fields)
		fields[contract.FieldDryRun] = true
		s := posted(contract.PathContact, marshalled(fields))
		s.client = clientsOfProperty
		var preview contract.Preview
		if err := json.Unmarshal(w.send(&s).Body.Bytes(), &preview); err != nil || preview.Digest == "" {
			t.Fatalf("the dry run of inquiry %d: %v", i, err)
		}
		w.previews = append(w.previews, preview)
	}
	w.begun = len(w.Mail.Tried()) // a mail of this dry run must not count for a later step
	return w
}

// step runs one step and says what is wrong. It stores in s what was really sent.
func (w *world) step(s *step) string {
	if s.patient {
		s.after = w.model.heard
	}
	time.Sleep(s.after)
	w.model.now, w.model.heard = time.Now(), 0
	if s.mail != mailStays {
		w.model.down = s.mail == mailFails
		w.Mail.FailWith(nil)
		if w.model.down {
			w.Mail.FailWith(errors.New("down"))
		}
	}
	s.body = strings.ReplaceAll(s.body, "{digest}", w.previews[s.is.inquiry].Digest)
	want, got := make([]outcome, s.times), make([]outcome, s.times)
	answers := make([]*httptest.ResponseRecorder, s.times)
	var names, bodies []string
	for i := range want {
		want[i] = w.model.answer(s.client, s.is)
		if want[i].Same != "" {
			names = append(names, want[i].Same)
		}
		want[i].Same = ""
	}
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i] = w.send(s) })
	}
	group.Wait()
	for i, a := range answers {
		var fault string
		if got[i], fault = observed(a); fault != "" {
			return fault + ":\n" + shown(a)
		}
		if got[i].Status == 200 && got[i].RPC == 0 && !got[i].Failed {
			bodies = append(bodies, essence(a.Body.Bytes(), s.is.tool))
		}
	}
	// The order of concurrent requests is not defined.
	sorted := cmpopts.SortSlices(func(a, b outcome) bool { return fmt.Sprint(a) < fmt.Sprint(b) })
	if diff := cmp.Diff(want, got, sorted); diff != "" {
		return "not what the contract says (-want +got):\n" + diff + shown(answers[0])
	}
	for i, name := range names {
		if fault := w.compare(name, bodies[i]); fault != "" {
			return fault
		}
	}
	return w.compareMails()
}

// compare compares an answer with others of the same name and of other names.
func (w *world) compare(name, body string) string {
	for other, before := range w.bodies {
		switch {
		case other == name && before != body:
			return fmt.Sprintf("%s was answered\n%s\nand is now answered\n%s", name, before, body)
		case other != name && before == body:
			return fmt.Sprintf("%s and %s are both answered\n%s", other, name, body)
		}
	}
	w.bodies[name] = body
	return ""
}

func (w *world) compareMails() string {
	want, got := w.model.mails, w.Mail.Tried()[w.begun:]
	if len(want) != len(got) {
		return fmt.Sprintf("%d mails were handed to the mail server, not %d", len(got), len(want))
	}
	for i := len(got) - 1; i >= 0 && i > len(got)-8; i-- {
		approved := w.previews[want[i].inquiry].WouldSend
		if got[i].Text != approved.Text || got[i].Subject != approved.Subject || got[i].ReplyTo != approved.ReplyTo {
			return fmt.Sprintf("the mail is not what its dry run showed:\n%+v\n%+v", got[i], approved)
		}
		first := slices.IndexFunc(got, func(m mailer.Message) bool { return m.ID == got[i].ID })
		if first != want[i].first {
			return fmt.Sprintf("mail %d has the Message-ID of mail %d, not of %d", i, first, want[i].first)
		}
	}
	return ""
}

func (w *world) send(s *step) *httptest.ResponseRecorder {
	r := httptest.NewRequest(s.method, s.path, strings.NewReader(s.body))
	r.RemoteAddr = fmt.Sprintf("%s:4000", addressOf(s.client))
	maps.Copy(r.Header, s.header)
	recorder := httptest.NewRecorder()
	w.ServeHTTP(recorder, r)
	return recorder
}

func addressOf(client int) string {
	if client >= clientsOfProperty {
		return fmt.Sprintf("127.0.1.%d", 2+client)
	}
	return fmt.Sprintf("127.0.0.%d", 2+client)
}

func shown(a *httptest.ResponseRecorder) string {
	return fmt.Sprintf("%d %v\n%s", a.Code, a.Header(), a.Body)
}
