package harness

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"frontdesk/conform"
	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// OwnAddress makes a service publish the address that it listens on.
func OwnAddress(s *config.Settings) { s.BaseURL.Text = "" }

// WithAdmin gives a service an admin listener.
func WithAdmin(s *config.Settings) { s.AdminAddr = "127.0.0.1:0" }

// WaitReady returns when the service answers, and so has opened its control socket.
func (d *Desk) WaitReady(t testing.TB) {
	t.Helper()
	WantStatus(t, d.Send(t, NewClient(t), http.MethodGet, contract.PathHealth, ""), http.StatusOK)
}

// Operate sends a GET to the admin listener, whose answer must have a status and some texts, and returns its body.
func (d *Desk) Operate(t testing.TB, path string, want int, texts ...string) (body string) {
	t.Helper()
	status, body := Get(t, "http://"+d.AdminAddr().String()+path)
	expect.Same(t, "the status of "+path, want, status)
	expect.Holds(t, path, body, texts...)
	return body
}

// Get returns the answer to a GET.
func Get(t testing.TB, url string) (status int, body string) {
	t.Helper()
	response := expect.Value(http.Get(url))(t)
	defer response.Body.Close()
	text := expect.Value(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(text)
}

// Ask asks as a new client, so that no limit is reached.
func (d *Desk) Ask(t testing.TB, q string) contract.Answer {
	t.Helper()
	got := d.Send(t, NewClient(t), http.MethodPost, contract.PathAsk, Question(q), JSONType)
	WantStatus(t, got, http.StatusOK)
	return expect.JSON[contract.Answer](t, got.Text)
}

// Kept waits until at least n unanswered questions are stored, which happens after the
// answers are sent.
func (d *Desk) Kept(t testing.TB, n int) []records.Question {
	t.Helper()
	var questions []records.Question
	Eventually(t, func() (enough bool) {
		questions = expect.Value(d.Store().Questions(t.Context()))(t)
		return len(questions) >= n
	})
	return questions
}

// Feedback returns all stored feedback, as export prints it.
func (d *Desk) Feedback(t testing.TB) (all []records.Feedback) {
	t.Helper()
	var out bytes.Buffer
	expect.OK(t, d.Store().Export(t.Context(), &out))
	for line := range bytes.Lines(out.Bytes()) {
		var record struct {
			Type string
			records.Feedback
		}
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if record.Type == "feedback" {
			all = append(all, record.Feedback)
		}
	}
	return all
}

// Lines of the log about a reload.
const (
	Reloaded = `"message":"content reloaded"`
	Refused  = `"message":"content refused: the old content stays live"`
)

// OneAnswer returns a faq.yaml whose first entry has this answer.
func OneAnswer(answer string) string {
	return "fallback: I do not know.\nfacts: off\nentries:\n" +
		"  - {id: refunds, question: Do you offer refunds?, answer: " + answer + "}\n" +
		"  - {id: hours, question: When are you open?, answer: Always.}\n"
}

// SmallContent returns a content folder with so few entries that a model sees all of them.
func SmallContent(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	expect.OK(t, expect.ErrorOf(content.Init(dir, "")))
	expect.OK(t, os.Remove(filepath.Join(dir, "golden.yaml")),
		os.WriteFile(filepath.Join(dir, "faq.yaml"), []byte(OneAnswer(`"No.\n\nNever."`)), 0o600))
	return dir
}

// Edit replaces a file of a content folder as editors do, by renaming a new file.
func Edit(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	expect.OK(t, os.WriteFile(path+"~", []byte(text), 0o600), os.Rename(path+"~", path))
}

// WithModel sets small content, a model and its daily cap.
func WithModel(t testing.TB, server *modeltest.Server, dailyCap string) func(*config.Settings) {
	return func(s *config.Settings) {
		s.Content = SmallContent(t)
		s.ModelURL, s.ModelName, s.ModelKey, s.ModelDailyCap.Text = server.URL(), modeltest.Name, modeltest.Key, dailyCap
	}
}

// OnPostgres sets a PostgreSQL server and the signing key that it requires.
func OnPostgres(t testing.TB, server *programs.Server) func(*config.Settings) {
	return func(s *config.Settings) { s.DatabaseURL, s.SigningKey = server.URL, PEMKey(t, 1) }
}

// Inquiries returns the output of frontdesk inquiries; it must list n.
func (d *Desk) Inquiries(t testing.TB, n int, args ...string) []records.Inquiry {
	t.Helper()
	code, out, stderr := Command(t, append([]string{"inquiries", "--json", "--data", d.Settings.Dir()}, args...)...)
	var inquiries []records.Inquiry
	if err := json.Unmarshal([]byte(out), &inquiries); code != 0 || err != nil || len(inquiries) != n {
		t.Fatalf("inquiries: exit %d, %v: %s%s; want %d of them", code, err, out, stderr, n)
	}
	return inquiries
}

// ListenMail starts a mail sink of conform that ends with the test.
func ListenMail(t testing.TB) *conform.Sink {
	t.Helper()
	sink := expect.Value(conform.ListenMail("127.0.0.1:0"))(t)
	t.Cleanup(func() {
		if err := sink.Close(); err != nil {
			t.Error(err)
		}
	})
	return sink
}

// Gate is a listener that holds its connections until it is opened.
type Gate struct {
	net.Listener
	first         sync.Once
	Reached, Open chan struct{}
}

// Accept implements net.Listener.
func (g *Gate) Accept() (net.Conn, error) {
	conn, err := g.Listener.Accept()
	if err == nil {
		g.first.Do(func() { close(g.Reached) })
		<-g.Open
	}
	return conn, err
}

// HeldMail is a mail server that answers no one until its gate is opened.
type HeldMail struct {
	*Gate
	Mail *mailtest.Server
}

// HoldMail starts a mail server behind a closed gate.
func HoldMail(t testing.TB) HeldMail {
	t.Helper()
	listener := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	held := &Gate{Listener: listener, Reached: make(chan struct{}), Open: make(chan struct{})}
	return HeldMail{held, mailtest.Listen(t, mailtest.Options{Listener: held})}
}

// PEMKey returns the nth of a fixed series of signing keys, as PEM.
func PEMKey(t testing.TB, n byte) string {
	t.Helper()
	der := expect.Value(x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))))(t)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}
