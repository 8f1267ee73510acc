package contract_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
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

// In a step time passes, then a request is sent, possibly several times at once, or the mail server changes.
type step struct {
	after   time.Duration
	patient bool // wait for the last Retry-After
	mail    mailState
	client  int
	times   int // how many at once; 0 for no request

	method, path string
	header       http.Header
	body         string // "{digest}" in it is the digest of the inquiry's dry run
	is           semantic
}

type mailState int

const (
	mailStays mailState = iota
	mailFails
	mailWorks
)

// semantic is how the contract reads a request.
type semantic struct {
	fault   contract.Code   // the refusal of a layer before the limit, if any
	policy  contract.Policy // the limit of which it may take a slot
	invalid bool            // validation refuses it
	stale   bool            // its preview is of another mail
	tool    bool            // it is a call of a tool
	person  string          // for whom an assistant says that it calls
	dry     bool
	key     string // Idempotency-Key
	inquiry int    // the index in inquiries
	same    string // requests with the same name get the same bytes
}

var inquiries = []map[string]any{
	{"name": "Ada Lovelace", "business": "AE", "email": "ada@example.com", "message": "Hello there"},
	{"name": "Zoë", "business": "東京 Co", "email": "zoe@example.org", "message": "Two\nlines", "phone": "+49 30 1234"},
	{"name": "Ada Lovelace", "business": "AE", "email": "ada@example.com", "message": "Hello there", "segment": "law"},
}

var questions = []string{"What does Linden Desk do?", "Who is it for?", "Zxqv wvut qqzz kjhg plmn?"}

// clientsOfProperty are clients of their own; the pooled ones are addresses of an assistant.
const clientsOfProperty, pooledClients = 3, 2

type source struct{ *rand.Rand }

func (g source) steps(n int) []step {
	steps := make([]step, n)
	for i := range steps {
		steps[i] = g.step()
	}
	return steps
}

func (g source) one(in int) bool { return g.IntN(in) == 0 }

func pick[T any](g source, from ...T) T { return from[g.IntN(len(from))] }

func (g source) step() step {
	var s step
	switch g.IntN(10) {
	case 0, 1, 2:
		s = g.question()
	case 3:
		s = g.feedback()
	case 4, 5, 6, 7:
		s = g.contact()
	case 8:
		s = g.trial()
	default:
		s = g.reading()
	}
	if s.times = 1; s.is.key == "" && g.one(8) {
		s.times = 2 + g.IntN(6)
	}
	s.client = g.IntN(clientsOfProperty + pooledClients)
	if s.client >= clientsOfProperty && s.is.key == "" && g.one(5) {
		s.times = 10 + g.IntN(contract.AskPolicy.Pool) // so that the limits of the pool are reached
	}
	if s.is.tool && !g.one(3) {
		g.name(&s)
	}
	s.mail = []mailState{mailFails, mailWorks, mailWorks, mailStays}[min(g.IntN(30), 3)]
	if g.one(10) {
		g.spoil(&s)
	}
	g.pass(&s)
	return s
}

func (g source) name(s *step) {
	s.is.person = pick(g, "ada", "grace", "edsger")
	s.body = strings.Replace(s.body, `"params":{`, `"params":{"_meta":{"`+contract.MetaSubject+`":"`+s.is.person+`"},`, 1)
}

// pass lets mostly no time pass, so that limits are reached.
func (g source) pass(s *step) {
	switch g.IntN(12) {
	case 0:
		s.after = time.Duration(1+g.IntN(20_000)) * time.Millisecond
	case 1:
		s.after = pick(g, time.Minute, time.Minute-1, time.Second)
	case 2, 3:
		s.patient = true
	case 4:
		if g.one(6) {
			s.after = contract.KeyLifetime + time.Hour
		}
	}
}

func (g source) spoil(s *step) {
	s.is.fault = pick(g, contract.Forbidden, contract.NotFound, contract.MethodNotAllowed, contract.PayloadTooLarge)
	switch s.is.fault {
	case contract.Forbidden:
		s.header.Set("Origin", "https://elsewhere.example")
	case contract.NotFound:
		s.path += "/"
	case contract.MethodNotAllowed:
		s.method = "PUT"
	default:
		if s.method == "GET" {
			s.is.fault = ""
			return
		}
		s.body += strings.Repeat(" ", contract.CapContact)
	}
}

func posted(path string, body []byte) step {
	return step{method: "POST", path: path, body: string(body), header: http.Header{"Content-Type": {contract.TypeJSON}}}
}

func callOf(path, tool string, arguments map[string]any) step {
	s := posted(path, marshalled(map[string]any{
		"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	}))
	s.is.tool = true
	return s
}

func marshalled(value any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return body
}

func (g source) question() step {
	q := pick(g, questions...)
	fields := map[string]any{"q": g.spelled(q)}
	invalid := g.one(5)
	if invalid {
		tooLong := strings.Repeat("ä", contract.MaxQuestion+1)
		fields = pick(g, []map[string]any{{}, {"q": " \n"}, {"q": 7}, {"q": tooLong}, {"Q": q}, {"q": "a\x00"}}...)
	}
	s := posted(pick(g, contract.PathAsk, contract.PathAskAlias), marshalled(fields))
	if g.one(3) {
		s = callOf(contract.PathMCP, contract.ToolAskFAQ, fields)
	}
	s.is.policy, s.is.invalid, s.is.same = contract.AskPolicy, invalid, q
	return s
}

func (g source) feedback() step {
	fields := map[string]any{"helpful": g.one(2), "q": questions[0], "comment": "Fine"}
	invalid := g.one(4)
	if invalid {
		fields = pick(g, []map[string]any{
			{"q": "x"}, {"helpful": true}, {"helpful": "yes", "q": "x"}, {"helpful": true, "entry_id": "no-such-entry"},
		}...)
	}
	s := posted(contract.PathFeedback, marshalled(fields))
	s.is = semantic{policy: contract.AskPolicy, invalid: invalid, same: "feedback"}
	return s
}

func (g source) contact() step {
	is := semantic{policy: contract.ContactPolicy, dry: g.one(3), inquiry: g.IntN(len(inquiries))}
	is.same = fmt.Sprint("dry run of inquiry ", is.inquiry)
	fields := maps.Clone(inquiries[is.inquiry])
	for _, name := range []string{"name", "business", "message"} {
		fields[name] = g.spelled(fields[name].(string))
	}
	if is.dry {
		fields["dry_run"] = true
	} else if g.one(3) {
		fields["preview"] = "{digest}"
	}
	if is.invalid = g.one(5); is.invalid {
		g.invalidate(fields, is.dry)
		is.stale = fields["preview"] == "0000"
		is.invalid = !is.stale
	}
	return g.filed(fields, is)
}

func (g source) invalidate(fields map[string]any, dry bool) {
	faults := []map[string]any{
		{"business": ""}, {"email": "nobody"}, {"name": "a\x01b"}, {"dry_run": "perhaps"}, {"Message": "x"},
	}
	if !dry { // a dry run does not check preview
		faults = append(faults, map[string]any{"preview": "0000"})
	}
	maps.Copy(fields, pick(g, faults...))
}

func (g source) filed(fields map[string]any, is semantic) step {
	var s step
	var header http.Header
	face := g.IntN(5)
	if g.one(2) {
		key := fmt.Sprintf("key-%d", g.IntN(3))
		if face == 0 && g.one(2) {
			fields["idempotency_key"] = key
		} else {
			header = http.Header{contract.HeaderIdempotencyKey: {key}}
		}
		if !is.dry && !is.invalid { // otherwise the key is not read
			is.key = key
		}
	}
	switch face {
	case 0:
		s = callOf(contract.PathMCP, contract.ToolRequestPilot, fields)
		is.tool = true
	case 1:
		form := url.Values{}
		for name, value := range fields {
			form.Set(name, fmt.Sprint(value))
		}
		s = posted(contract.PathContact, []byte(form.Encode()))
		s.body = strings.ReplaceAll(s.body, url.QueryEscape("{digest}"), "{digest}")
		s.header.Set("Content-Type", contract.TypeForm)
	default:
		s = posted(pick(g, contract.PathContact, contract.PathContactAlias), marshalled(fields))
	}
	maps.Copy(s.header, header)
	s.is = is
	return s
}

func (g source) trial() step {
	fields := map[string]any{"business": "AE", "email": "ada@example.com"}
	is := semantic{policy: contract.TrialPolicy, tool: true, dry: g.one(4), invalid: g.one(4), same: "trial"}
	if is.dry {
		fields["dry_run"] = true
	}
	if is.invalid {
		fields["email"] = "ada"
	}
	s := callOf(contract.PathWorkspaceMCP, contract.ToolStartTrial, fields)
	s.is = is
	return s
}

func (g source) reading() step {
	if g.one(3) {
		s := callOf(contract.PathMCP, contract.ToolListServices, map[string]any{})
		s.is.same = "catalog"
		return s
	}
	path := pick(g, contract.PathCatalog, contract.PathCatalogAlias, contract.PathHealth)
	s := step{method: "GET", path: path, header: http.Header{}, is: semantic{same: "catalog"}}
	if path == contract.PathHealth {
		s.is.same = "health"
	}
	return s
}

// spelled adds white space around a text that the service trims.
func (g source) spelled(text string) string {
	return pick(g, "", " ", "\n", "\t ") + text + pick(g, "", " ")
}

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

// play returns nil if the service, which b may break, does what the model says.
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

// Without retries every request is an inquiry of its own: the model does not know that it may join an equal one.
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

// step says what is wrong. It stores in s what was really sent.
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
