package owner_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/backup"
	"frontdesk/internal/certificates"
	"frontdesk/internal/curation"
	"frontdesk/internal/discovery"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/notify"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

const token = "0123456789abcdef-token"

// longAgo is when the last backup was made.
var longAgo = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

// fakeService is the running service: the sample content, and mails whose outcome a
// test chooses.
type fakeService struct {
	store   *records.Store
	live    owner.Live
	outcome records.State
	resends int
	tried   string // revision of the change that was tried last
	refuse  error  // of the next try
}

func (s *fakeService) Live() owner.Live   { return s.live }
func (s *fakeService) StyleSheet() []byte { return []byte("body{margin:0}") }

func (s *fakeService) Check() owner.Check {
	return owner.Check{Warnings: []content.Diagnostic{{File: "faq.yaml", Line: 3, Message: "a hint"}}, Expected: &owner.Expected{Asked: 60, Found: 87, First: 66, Wrong: 2}, Compared: true,
		At: [...]*owner.Expected{{Asked: 60, Found: 88, First: 41, Wrong: 1}, {Asked: 60, Found: 87, First: 66, Wrong: 2}, {Asked: 60, Found: 85, First: 79, Wrong: 5}}}
}
func (s *fakeService) ModelCallsLeft(context.Context) (left, limit int, err error) { return 7, 10, nil }
func (s *fakeService) Backup() *backup.State                                       { return &backup.State{At: longAgo, Bytes: 1_500_000} }
func (s *fakeService) Certificates() []certificates.State {
	return []certificates.State{
		{Domain: "desk.example", Start: longAgo, End: longAgo.AddDate(0, 3, 0)}, {Domain: "new.example", Err: errors.New("no such name")},
	}
}
func (s *fakeService) Events(context.Context) ([]span.Event, bool) {
	return []span.Event{{Kind: span.MailFailed, Subject: "inq_7", Times: 3, At: longAgo}}, false
}

func (s *fakeService) Preview(revision, path string) (*discovery.Document, bool) {
	if revision != s.tried {
		return nil, false
	}
	if path != "/" {
		return nil, true
	}
	return discovery.NewDocument("text/html; charset=utf-8", []byte(`<!doctype html><body class="site"><a href="/faq">Questions</a> <a href="https://example.com/">out</a><form action="/ask">`)), true
}

func (s *fakeService) SendTests(context.Context) []notify.Tested {
	return []notify.Tested{
		{Target: "mail", To: "a@desk.example, b@desk.example", Err: &mailer.Error{Outcome: mailer.Sent, Stage: "RCPT", Err: errors.New("b@desk.example: 550 <no>")}},
		{Target: "ntfy", To: "https://ntfy.example", Err: errors.New("answered 403 Forbidden")},
		{Target: "chat", To: "https://chat.example"},
	}
}

func (s *fakeService) Suggest(context.Context, string) []string { return []string{"refunds"} }

func (s *fakeService) Synonym(_ context.Context, q string) (word, used string) {
	if strings.Contains(q, "reimbursement") {
		return "reimbursement", "refunds"
	}
	return "", ""
}

func (s *fakeService) Resend(ctx context.Context, id string) (records.Inquiry, error) {
	s.resends++
	lease := records.Lease{Owner: fmt.Sprint("test ", s.resends), Until: time.Now().Add(time.Minute)}
	inquiry, err := s.store.ClaimInquiry(ctx, id, lease, time.Now())
	if err != nil {
		return records.Inquiry{}, err
	}
	inquiry.State, inquiry.Detail = s.outcome, "the server said no"
	return inquiry, s.store.SettleInquiry(ctx, inquiry)
}

// desk is the pages behind a real listener, with a browser that keeps cookies.
type desk struct {
	*fakeService
	pages    *owner.Pages
	folder   string // of the database
	content  string // the content folder
	obstacle string
	url      string
	host     string
	http     *http.Client
}

func newDesk(t *testing.T, change ...func(*owner.Config)) *desk {
	t.Helper()
	return newDeskOf(t, "", change...)
}

// newDeskOf is a desk with the content of a sample.
func newDeskOf(t *testing.T, sample string, change ...func(*owner.Config)) *desk {
	t.Helper()
	folder := t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: folder}))(t)
	t.Cleanup(func() { _ = store.Close() })
	dir := t.TempDir()
	expect.OK(t, expect.ErrorOf(content.Init(dir, sample)))
	d := &desk{folder: folder, content: dir, fakeService: &fakeService{store: store, outcome: records.Sent}}
	load := func(context.Context) error {
		loaded, state, err := content.LoadWithDigest(os.DirFS(dir))
		d.live = owner.Live{Content: loaded, Revision: state.Revision(), Since: time.Now()}
		return err
	}
	expect.OK(t, load(t.Context()))
	kept := mailer.Kept{Server: "smtp://mail.example.org", From: "desk@desk.example", To: "owner@desk.example"}
	config := owner.Config{
		Mail:    mailer.NewCurrent(expect.Value(kept.Account())(t)), // never asked
		Service: d.fakeService, Store: store, Token: token, Address: "http://127.0.0.1:9090/owner/",
		Curator: &curation.Curator{
			Store: store, Content: os.DirFS(dir), Dir: dir, Data: folder, Source: records.ByPage, Live: load,
			Try: func(_ context.Context, _ *content.Content, state content.Digest) error {
				d.tried = state.Revision()
				return d.refuse
			},
		},
		Obstacle: func() string { return d.obstacle },
		HTTPS:    func(string) bool { return false }, Log: zerolog.Nop(),
	}
	for _, c := range change {
		c(&config)
	}
	d.pages = owner.New(config)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := limits.Client{}
		if from := r.Header.Get("Test-Client"); from != "" {
			client = limits.ClientOf(netip.MustParseAddr(from))
		}
		d.pages.ServeHTTP(w, r.WithContext(limits.WithClient(r.Context(), client)))
	}))
	t.Cleanup(server.Close)
	d.url, d.host = server.URL, strings.TrimPrefix(server.URL, "http://")
	d.http = newBrowser(t)
	return d
}

func newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar := expect.Value(cookiejar.New(nil))(t)
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// answer is a response read to its end.
type answer struct {
	*http.Response
	Text string
}

// send sends a request with header lines "Name: value".
func (d *desk) send(t *testing.T, method, path string, form url.Values, header ...string) answer {
	t.Helper()
	r := expect.Value(http.NewRequestWithContext(t.Context(), method, d.url+path, strings.NewReader(form.Encode())))(t)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Accept-Language", "en") // unless a test wants another
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	response := expect.Value(d.http.Do(r))(t)
	defer response.Body.Close()
	body := expect.Value(io.ReadAll(response.Body))(t)
	return answer{response, string(body)}
}

func (d *desk) get(t *testing.T, path string, header ...string) answer {
	t.Helper()
	return d.send(t, http.MethodGet, path, nil, header...)
}

func (d *desk) post(t *testing.T, path string, form url.Values, header ...string) answer {
	t.Helper()
	return d.send(t, http.MethodPost, path, form, header...)
}

// signIn signs the browser in with the token.
func (d *desk) signIn(t *testing.T) *desk {
	t.Helper()
	if got := d.post(t, "/owner/sign-in", url.Values{"token": {token}}); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("sign-in: %d %s", got.StatusCode, got.Text)
	}
	return d
}

func (d *desk) want(t *testing.T, what string, got answer, status int, texts ...string) {
	t.Helper()
	if got.StatusCode != status {
		t.Errorf("%s: status %d, want %d: %s", what, got.StatusCode, status, got.Text)
	}
	for _, text := range texts {
		if !strings.Contains(got.Text, text) {
			t.Errorf("%s: no %q in\n%s", what, text, got.Text)
		}
	}
}

// shows wants texts on a page.
func (d *desk) shows(t *testing.T, path string, texts ...string) {
	t.Helper()
	d.want(t, path, d.get(t, path), http.StatusOK, texts...)
}

// add stores an inquiry.
func (d *desk) add(t *testing.T, id string, state records.State, change ...func(*records.Inquiry)) {
	t.Helper()
	inquiry := records.Inquiry{
		ID: id, MessageID: id + "@desk.example", Name: "Ada Lovelace", Business: "Analytical <Engines> " + id, Email: "ada@example.com",
		Message: "Hello there,\n<script>alert(1)</script>", Phone: "+44 20 1234", Segment: "Mathematics",
		Subject: "Pilot request", Text: "The mail of " + id, From: "desk@desk.example", To: "owner@desk.example",
		State: state, CreatedAt: time.Now(),
	}
	for _, c := range change {
		c(&inquiry)
	}
	expect.OK(t, expect.ErrorOf(d.store.AddInquiry(t.Context(), inquiry, records.Key{})))
}

func TestEveryPageAsksWhoIsThere(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.add(t, "inq_1", records.Failed)
	for _, path := range []string{"/owner/", "/owner/desk.svg", "/owner/inquiries", "/owner/inquiries?show=all&q=x", "/owner/inquiries/inq_1", "/owner/state", "/owner/questions", "/owner/questions/1", "/owner/questions/1/accept?entry=refunds", "/owner/answered/1", "/owner/answers", "/owner/answers/refunds", "/owner/answers/new", "/owner/answers/refunds/edit", "/owner/answers/refunds/remove", "/owner/changes", "/owner/changes/1", "/owner/changes/1/undo", "/owner/sample/remove", "/owner/precision", "/owner/synonyms", "/owner/preview/abc/", "/owner/questions/together?n=1", "/owner/business", "/owner/pages", "/owner/pages/home/edit", "/owner/services", "/owner/services/new", "/owner/services/online-booking/edit", "/owner/services/online-booking/remove", "/owner/pictures", "/owner/pictures/new", "/owner/picture/shop.jpg", "/owner/look", "/owner/prices/new", "/owner/prices/essentials/edit", "/owner/nowhere"} {
		got := d.get(t, path)
		d.want(t, path, got, http.StatusSeeOther)
		if to := got.Header.Get("Location"); !strings.HasPrefix(to, "/owner/sign-in") || strings.Contains(got.Text, "Ada") {
			t.Errorf("%s leads to %s with %q", path, to, got.Text)
		}
	}
	for _, path := range []string{"/owner/sign-out", "/owner/inquiries/inq_1/done", "/owner/inquiries/inq_1/send", "/owner/inquiries/inq_1/delete", "/owner/questions/1/accept", "/owner/questions/1/dismiss", "/owner/answered/1/accept", "/owner/answered/1/dismiss", "/owner/answers/new", "/owner/answers/refunds/edit", "/owner/answers/refunds/remove", "/owner/changes/1/undo", "/owner/sample/remove", "/owner/precision", "/owner/synonyms", "/owner/state/test", "/owner/business", "/owner/pages/new", "/owner/pages/home/edit", "/owner/pages/home/remove", "/owner/pictures/new", "/owner/look", "/owner/services/new", "/owner/services/online-booking/edit", "/owner/services/online-booking/remove", "/owner/prices/essentials/remove"} {
		d.want(t, path, d.post(t, path, url.Values{}), http.StatusUnauthorized, "no longer signed in")
	}
	if d.resends != 0 {
		t.Error("a stranger has sent a mail")
	}
	d.want(t, "signed in", d.signIn(t).get(t, "/owner/inquiries"), http.StatusOK, "Ada Lovelace")
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	for _, path := range []string{"/owner/sign-in?link=x", "/owner/inquiries", "/owner/state", "/owner/nowhere"} {
		got := d.get(t, path)
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"Content-Type": "text/html; charset=utf-8",
		} {
			if got.Header.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got.Header.Get(name), want)
			}
		}
		policy := got.Header.Get("Content-Security-Policy")
		for part, wanted := range map[string]bool{
			"default-src 'none'": true, "frame-ancestors 'none'": true, "form-action 'self'": true, "base-uri 'none'": true, "script-src": false, "unsafe": false,
		} {
			if strings.Contains(policy, part) != wanted {
				t.Errorf("%s: %s is in the policy %q: %v", path, part, policy, !wanted)
			}
		}
	}
}

func TestCookie(t *testing.T) {
	t.Parallel()
	for _, https := range []bool{false, true} {
		d := newDesk(t, func(c *owner.Config) { c.HTTPS = func(string) bool { return https } })
		cookies := d.post(t, "/owner/sign-in", url.Values{"token": {token}}).Cookies()
		if len(cookies) != 1 {
			t.Fatalf("%d cookies, want one", len(cookies))
		}
		c := cookies[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/owner/" || c.Secure != https || c.Domain != "" || len(c.Value) < 26 || strings.Contains(c.Value, token) {
			t.Errorf("https %v: cookie %s", https, c)
		}
	}
}

// TestTriesAtOnce: tries at the same time do not get past the limit.
func TestTriesAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	statuses := make(chan int, 40)
	for range cap(statuses) {
		go func() {
			statuses <- d.get(t, "/owner/state", "Authorization: Bearer wrong").StatusCode
		}()
	}
	counted := map[int]int{}
	for range cap(statuses) {
		counted[<-statuses]++
	}
	expect.Same(t, "answers", map[int]int{http.StatusUnauthorized: 5, http.StatusTooManyRequests: cap(statuses) - 5}, counted)
}

func TestToken(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, wrong := range []string{"", "x", token + "x", token[:len(token)-1], strings.ToUpper(token)} {
		got := d.post(t, "/owner/sign-in", url.Values{"token": {wrong}})
		d.want(t, "token "+wrong, got, http.StatusUnauthorized, "not the token")
		if len(got.Cookies()) != 0 {
			t.Errorf("the token %q has made a session", wrong)
		}
	}
	d.want(t, "the sixth try", d.post(t, "/owner/sign-in", url.Values{"token": {token}}), http.StatusTooManyRequests, "wait a minute")
	d.want(t, "the sixth try with a bearer token", d.get(t, "/owner/state", "Authorization: Bearer "+token), http.StatusTooManyRequests)
	d.want(t, "another client", d.post(t, "/owner/sign-in", url.Values{"token": {token}}, "Test-Client: 203.0.113.9"), http.StatusSeeOther)

	none := newDesk(t, func(c *owner.Config) { c.Token = "" })
	d.want(t, "no token is set", none.post(t, "/owner/sign-in", url.Values{"token": {""}}), http.StatusUnauthorized)
	d.want(t, "no token is set", none.get(t, "/owner/state", "Authorization: Bearer x"), http.StatusUnauthorized)
	if page := none.get(t, "/owner/sign-in"); strings.Contains(page.Text, `name="token"`) {
		t.Error("the page asks for a token that no one has")
	}
}

func TestBearerToken(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.add(t, "inq_1", records.Failed)
	d.want(t, "right", d.get(t, "/owner/inquiries", "Authorization: Bearer "+token), http.StatusOK, "Ada Lovelace")
	d.want(t, "a form", d.post(t, "/owner/inquiries/inq_1/done", url.Values{}, "Authorization: bearer "+token), http.StatusSeeOther)
	got := d.get(t, "/owner/inquiries", "Authorization: Bearer wrong")
	d.want(t, "wrong", got, http.StatusUnauthorized)
	if got.Header.Get("WWW-Authenticate") == "" {
		t.Error("no WWW-Authenticate")
	}
	if len(got.Cookies()) != 0 {
		t.Error("a bearer token has set a cookie")
	}
}

func TestSignInLink(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c *owner.Config) { c.Address = "https://desk.example/owner/" })
	link := expect.Value(d.pages.SignInLink(t.Context()))(t)
	path, ok := strings.CutPrefix(link, "https://desk.example")
	if !ok || !strings.HasPrefix(path, "/owner/sign-in?link=") {
		t.Fatalf("link %s", link)
	}
	key := strings.TrimPrefix(path, "/owner/sign-in?link=")
	for range 3 { // programs that preview links do not use it up
		got := d.get(t, path)
		d.want(t, "the page of the link", got, http.StatusOK, "<button>Sign in</button>")
		if len(got.Cookies()) != 0 {
			t.Fatal("GET has signed in")
		}
	}
	use := func() answer { return d.post(t, "/owner/sign-in", url.Values{"link": {key}}) }
	d.want(t, "a wrong link", d.post(t, "/owner/sign-in", url.Values{"link": {key + "x"}}), http.StatusUnauthorized, "used already")
	d.want(t, "the link", use(), http.StatusSeeOther)
	d.shows(t, "/owner/state")
	d.http = newBrowser(t)
	d.want(t, "the link again", use(), http.StatusUnauthorized, "used already")
}

// TestNoKeyIsStored: someone who reads the database, or a backup of it, cannot sign in.
func TestNoKeyIsStored(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	link := expect.Value(d.pages.SignInLink(t.Context()))(t)
	address, _ := url.Parse(d.url + "/owner/")
	cookie := d.http.Jar.Cookies(address)[0].Value
	_, key, _ := strings.Cut(link, "link=")
	data := fmt.Sprint(expect.Files(t, os.DirFS(d.folder), "none"))
	if !strings.Contains(data, owner.Hash(token, cookie)) {
		t.Fatal("the session is not in the files that were read")
	}
	for _, secret := range []string{cookie, key, token} {
		if strings.Contains(data, secret) {
			t.Errorf("the database holds %q", secret)
		}
	}
}

// TestAnotherTokenEndsSessions: a token that leaked is replaced, and with it goes what
// it opened.
func TestAnotherTokenEndsSessions(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.shows(t, "/owner/state")
	d.pages = owner.New(owner.Config{Service: d.fakeService, Store: d.store, Mail: d.pages.Mail, Token: token + "2", HTTPS: func(string) bool { return false }, Log: zerolog.Nop()})
	d.want(t, "after", d.get(t, "/owner/state"), http.StatusSeeOther)
}

func TestSignOut(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	address, _ := url.Parse(d.url + "/owner/")
	kept := d.http.Jar.Cookies(address)[0]
	d.want(t, "sign out", d.post(t, "/owner/sign-out", nil), http.StatusSeeOther)
	d.want(t, "after it", d.get(t, "/owner/state"), http.StatusSeeOther)
	d.want(t, "with the old cookie", d.get(t, "/owner/state", "Cookie: "+kept.Name+"="+kept.Value), http.StatusSeeOther)
}

// TestFormsOfOtherSites: no other site can make the owner's browser change anything.
func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.add(t, "inq_1", records.Failed)
	const path = "/owner/inquiries/inq_1/done"
	for _, tt := range []struct {
		name   string
		header []string
		want   int
	}{
		{"cross-site", []string{"Sec-Fetch-Site: cross-site"}, http.StatusForbidden},
		{"same-site", []string{"Sec-Fetch-Site: same-site"}, http.StatusForbidden},
		{"another origin", []string{"Origin: https://evil.example"}, http.StatusForbidden},
		{"another origin of an old browser", []string{"Origin: null"}, http.StatusForbidden},
		{"ours", []string{"Sec-Fetch-Site: same-origin", "Origin: " + d.url}, http.StatusSeeOther},
		{"ours over plain HTTP", []string{"Origin: " + d.url}, http.StatusSeeOther},
	} {
		d.want(t, tt.name, d.post(t, path, nil, tt.header...), tt.want)
		inquiry, err := d.store.Inquiry(t.Context(), "inq_1")
		if err != nil || inquiry.DoneAt.IsZero() != (tt.want != http.StatusSeeOther) {
			t.Errorf("%s: done at %v, %v", tt.name, inquiry.DoneAt, err)
		}
	}
	d.want(t, "sign-in from elsewhere", d.post(t, "/owner/sign-in", url.Values{"token": {token}}, "Sec-Fetch-Site: cross-site"), http.StatusForbidden)

	d.want(t, "GET changes nothing", d.get(t, path), http.StatusNotFound)
}

// TestLinkFromElsewhere: a link in a chat leads to the page although the browser leaves
// out the cookie at first.
func TestLinkFromElsewhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	got := d.get(t, "/owner/inquiries?show=all", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Cookie: ")
	d.want(t, "at first", got, http.StatusOK, `content="0; url=/owner/inquiries?show=all"`)
	d.want(t, "then", d.get(t, "/owner/inquiries?show=all", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: navigate"), http.StatusOK, "No inquiries yet.")
}

// TestNext: signing in leads on to the page that was asked for, and to no other site.
func TestNext(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for next, want := range map[string]string{
		"/owner/inquiries/inq_1?x=y":   "/owner/inquiries/inq_1?x=y",
		"":                             "/owner/",
		"https://evil.example/owner/":  "/owner/",
		"//evil.example/owner/":        "/owner/",
		"/\\evil.example/owner/":       "/owner/",
		"/owner/\\evil.example":        "/owner/",
		"/metrics":                     "/owner/",
		"javascript:alert(1)//owner/":  "/owner/",
		"/owner/sign-in?next=/owner/x": "/owner/",
	} {
		got := d.post(t, "/owner/sign-in", url.Values{"token": {token}, "next": {next}})
		if to := got.Header.Get("Location"); to != want {
			t.Errorf("next %q leads to %q, want %q", next, to, want)
		}
	}
	d.http = newBrowser(t)
	if to := d.get(t, "/owner/inquiries/inq_1").Header.Get("Location"); to != "/owner/sign-in?next=%2Fowner%2Finquiries%2Finq_1" {
		t.Errorf("the page leads to %s", to)
	}
}

func TestInquiryPages(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.add(t, "inq_open", records.Sent)
	d.add(t, "inq_failed", records.Failed, func(i *records.Inquiry) { i.Detail = "550 no such user" })
	d.add(t, "inq_spam", records.Quarantined)
	d.add(t, "inq_done", records.Sent, func(i *records.Inquiry) { i.DoneAt, i.Message = time.Now(), "100%_sure about Äpfel" })
	d.add(t, "inq_answered", records.Sent, func(i *records.Inquiry) {
		i.AnsweredAt, i.Business, i.Name, i.Question, i.Email, i.Subject = time.Now(), "-", "Grace", "Do you <wrap>?", "a?b@example.com", "Zwei Brote & mehr?"
	})
	for query, want := range map[string][]string{
		"":                       {"inq_open", "inq_failed"},
		"?show=failed":           {"inq_failed"},
		"?show=all":              {"inq_open", "inq_failed", "inq_spam", "inq_done", "inq_answered"},
		"?show=nonsense":         {"inq_open", "inq_failed"},
		"?show=all&q=ANALYTICAL": {"inq_open", "inq_failed", "inq_spam", "inq_done"},
		"?show=answered":         {"inq_answered"},
		"?show=all&q=WRAP":       {"inq_answered"},
		"?show=all&q=Äpfel":      {"inq_done"},
		"?show=all&page=2":       {},
		"?show=all&page=-1":      {"inq_open", "inq_failed", "inq_spam", "inq_done", "inq_answered"},
	} {
		got := d.get(t, "/owner/inquiries"+strings.ReplaceAll(query, "Ä", "%C3%84"))
		d.want(t, query, got, http.StatusOK)
		for _, id := range []string{"inq_open", "inq_failed", "inq_spam", "inq_done", "inq_answered"} {
			if shown, wanted := strings.Contains(got.Text, `href="/owner/inquiries/`+id+`"`), strings.Contains(fmt.Sprint(want), id); shown != wanted {
				t.Errorf("%q: %s is shown %v, want %v", query, id, shown, wanted)
			}
		}
		if strings.Contains(got.Text, "<script") || strings.Contains(got.Text, "<Engines>") {
			t.Errorf("%q: the text of a stranger is markup", query)
		}
	}
	got := d.get(t, "/owner/inquiries/inq_failed")
	d.want(t, "one inquiry", got, http.StatusOK, "550 no such user", "The mail of inq_failed", "Analytical &lt;Engines&gt; inq_failed",
		"&lt;script&gt;", "mailto:ada@example.com?subject=Re%3A%20Pilot%20request", "44 20 1234", "Mathematics", "Send the mail again", `href="tel:&#43;44201234">Call<`, `<span class="badge bad">mail failed</span>`)
	d.shows(t, "/owner/inquiries/inq_answered", "<h1>Grace</h1>",
		"mailto:a%3Fb@example.com?subject=Re%3A%20Zwei%20Brote%20%26%20mehr%3F", "“Do you &lt;wrap&gt;?”")
	d.want(t, "no inquiry", d.get(t, "/owner/inquiries/inq_none"), http.StatusNotFound, "no longer here")
}

func TestChangesOfAnInquiry(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.add(t, "inq_1", records.Failed)
	d.add(t, "inq_2", records.Quarantined)
	d.add(t, "inq_3", records.Pending, func(i *records.Inquiry) {
		i.Lease = records.Lease{Owner: "x", Until: time.Now().Add(time.Minute)}
	})
	form := url.Values{}
	act := func(id, act, wantNote string, wantStatus int) {
		t.Helper()
		got := d.post(t, "/owner/inquiries/"+id+"/"+act, form)
		d.want(t, id+" "+act, got, wantStatus)
		if to := got.Header.Get("Location"); wantNote != "" && !strings.HasSuffix(to, "?notice="+wantNote) {
			t.Errorf("%s %s leads to %s, want the notice %s", id, act, to, wantNote)
		}
		if to := got.Header.Get("Location"); to != "" {
			d.shows(t, to, `role="status"`)
		}
	}
	act("inq_1", "done", "done", http.StatusSeeOther)
	act("inq_1", "new", "new", http.StatusSeeOther)
	act("inq_1", "answered", "answered", http.StatusSeeOther)
	form.Set("note", " rings back on Friday\n")
	act("inq_1", "note", "note", http.StatusSeeOther)
	d.shows(t, "/owner/inquiries?show=answered&q=friday", "Your note: rings back on Friday", `<span class="badge">answered</span>`)
	act("inq_none", "note", "", http.StatusNotFound)
	d.outcome = records.Failed
	act("inq_1", "send", "unsent", http.StatusSeeOther)
	d.outcome = records.Unknown
	act("inq_1", "send", "doubted", http.StatusSeeOther)
	tries := d.get(t, "/owner/inquiries/inq_1")
	d.want(t, "the inquiry", tries, http.StatusOK, "Delivery attempts")
	expect.Same(t, "tries with their reasons", 2, strings.Count(tries.Text, `<p class="verbatim">the server said no</p></details></li>`))
	d.outcome = records.Sent
	act("inq_1", "send", "sent", http.StatusSeeOther)
	act("inq_1", "send", "already", http.StatusSeeOther)
	act("inq_2", "send", "sent", http.StatusSeeOther)
	act("inq_none", "send", "", http.StatusNotFound)
	act("inq_3", "delete", "sending", http.StatusSeeOther) // its mail is under way
	act("inq_1", "fly", "", http.StatusNotFound)
	for _, id := range []string{"inq_1", "inq_2"} {
		if inquiry, err := d.store.Inquiry(t.Context(), id); err != nil || inquiry.State != records.Sent {
			t.Errorf("%s is %s, %v", id, inquiry.State, err)
		}
	}
	act("inq_1", "delete", "deleted", http.StatusSeeOther)
	d.want(t, "a deleted one", d.get(t, "/owner/inquiries/inq_1"), http.StatusNotFound)
}

func TestPaging(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	for n := range 30 {
		d.add(t, fmt.Sprintf("inq_%02d", n), records.Sent)
	}
	row := regexp.MustCompile(`href="/owner/inquiries/inq_\d+"`)
	first := d.get(t, "/owner/inquiries?show=all")
	d.want(t, "the first page", first, http.StatusOK, "Page 1 of 2", `rel="next" href="/owner/inquiries?page=2&amp;show=all"`)
	second := d.get(t, "/owner/inquiries?page=2&show=all")
	d.want(t, "the second page", second, http.StatusOK, "Page 2 of 2", `rel="prev" href="/owner/inquiries?page=1&amp;show=all"`)
	all := slices.Concat(row.FindAllString(first.Text, -1), row.FindAllString(second.Text, -1))
	slices.Sort(all)
	expect.Same(t, "inquiries on both pages", 30, len(slices.Compact(all)))
}

func TestState(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.add(t, "inq_1", records.Failed)
	d.add(t, "inq_2", records.Quarantined)
	today := records.DayOf(time.Now())
	for day, counts := range map[int64]map[string]int{
		today:       {owner.DayAnswered: 3, owner.DayUnanswered: 2, owner.DayCandidates: 1, owner.DayRefused: 5},
		today - 100: {owner.DayAnswered: 1000, owner.DayRefused: 50},
		today - 399: {owner.DayAnswered: 77},
	} {
		expect.OK(t, d.store.AddDayTotals(t.Context(), day, counts))
	}
	entries := d.live.Content.FAQ.Entries
	entries[0].ReviewBy, entries[1].Expires = time.Now().AddDate(0, 0, -3), time.Now().AddDate(0, 0, 10)
	d.want(t, "state", d.get(t, "/owner/state"), http.StatusOK,
		"<strong>1</strong> failed mail", "<strong>1</strong> held back", "<strong>7</strong> of 10 calls", "<strong>5</strong> requests refused today", "(5 in 30 days)",
		"1,003 questions answered", "2 questions unanswered, 1 of them with answers that may fit", "2 inquiries", "<svg", "a hint", "Of 100 questions, 87 find the right answer (66 directly", "(1.5 MB)", "the daily backup is missing",
		"desk.example: certificate until", "2 April 2020", "new.example: no certificate yet", "no such name",
		"was not delivered. The desk keeps the inquiry, under Inquiries. <code>inq_7</code> (3 times", "was to be read again: "+entries[0].Question, "stops answering: "+entries[1].Question, "version <code>"+d.live.Revision+"</code>")
}

func TestTestMessages(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.want(t, "test messages", d.post(t, "/owner/state/test", nil), http.StatusOK,
		"Mail to a@desk.example, b@desk.example", "It was sent, but not to everyone.", "b@desk.example: 550 &lt;no&gt;",
		"Notification (ntfy) to https://ntfy.example", "It was not sent.", "answered 403 Forbidden", "Notification (chat)", "It was accepted.")
}

// TestToday: the first page shows what needs the owner, and nothing that does not.
func TestToday(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c *owner.Config) { c.Desk = "https://desk.example.org" }).signIn(t)
	now := time.Now()
	d.shows(t, "/owner/", "Still from the sample", "the name of the business", "No visitors within 30 days.")
	d.add(t, "inq_failed", records.Failed, func(i *records.Inquiry) { i.AnsweredAt = now })
	d.add(t, "inq_new", records.Sent, func(i *records.Inquiry) { i.Business, i.Name = "-", "Grace" })
	d.add(t, "inq_answered", records.Sent, func(i *records.Inquiry) { i.AnsweredAt = now })
	d.add(t, "inq_done", records.Failed, func(i *records.Inquiry) { i.DoneAt = now })
	d.add(t, "inq_spam", records.Quarantined)
	expect.OK(t, d.store.AddBatch(t.Context(), records.Batch{Questions: []records.Question{
		{Key: "zebra", Q: "Do you sell a <zebra>?", Unanswered: 1, LastAt: now.AddDate(0, 0, -2)},
		{Key: "dinosaur", Q: "Do you sell dinosaurs?", Unanswered: 9, LastAt: now.AddDate(0, 0, -9)},
	}}, 100))
	today := records.DayOf(now)
	expect.OK(t, d.store.AddDayTotals(t.Context(), today, map[string]int{owner.DayCalls + "chatgpt": 3, owner.DaySessions + "claude": 2}))
	expect.OK(t, d.store.AddDayTotals(t.Context(), today-6, map[string]int{owner.DayCalls + "chatgpt": 1000}))
	expect.OK(t, d.store.AddDayTotals(t.Context(), today-29, map[string]int{owner.DayCalls + "chatgpt": 20, owner.DayCalls + "browsers": 7}))
	expect.OK(t, d.store.AddDayTotals(t.Context(), today-30, map[string]int{owner.DayCalls + "gemini": 5}))
	entries := d.live.Content.FAQ.Entries
	entries[0].ReviewBy, entries[1].ReviewBy = now.AddDate(0, 0, -3), now.AddDate(0, 0, 30)
	d.live.Content.Closed = []contract.Days{{From: "2020-02-01", To: "2020-02-03"}, {From: "2020-02-01", To: now.Format(time.DateOnly)}}
	page := d.get(t, "/owner/")
	d.want(t, "today", page, http.StatusOK, `aria-current="page"><svg`, "1 mail failed", `href="/owner/inquiries/inq_failed"`, "1 new inquiry", `href="/owner/inquiries/inq_new">Grace<`,
		"1 message looks like spam", "1 question of this week", "Do you sell a &lt;zebra&gt;?", "was to be read again: <a href=\"/owner/answers/"+entries[0].ID+"\"",
		"closed from 1 February 2020 to 3 February 2020", `<th scope="row">ChatGPT</th><td>3</td><td>1,003</td><td>1,023</td><td>0</td>`,
		`<th scope="row">Claude</th><td>0</td><td>0</td><td>0</td><td>2</td>`, `<th scope="row">Browsers</th><td>0</td><td>0</td><td>7</td><td>0</td>`, "https://desk.example.org")
	for _, not := range []string{"inq_answered", "inq_done", "inq_spam", "dinosaurs", entries[1].Question, "Gemini", "Nothing needs you"} {
		if strings.Contains(page.Text, not) {
			t.Errorf("today shows %q:\n%s", not, page.Text)
		}
	}
	if strings.Count(page.Text, "closed from") != 1 {
		t.Errorf("days that are not over are shown:\n%s", page.Text)
	}
}

// TestCode: the QR code is a picture of squares in a margin, and says another address
// otherwise.
func TestCode(t *testing.T) {
	t.Parallel()
	code := func(desk string) string {
		d := newDesk(t, func(c *owner.Config) { c.Desk = desk }).signIn(t)
		got := d.get(t, "/owner/desk.svg")
		d.want(t, desk, got, http.StatusOK, `viewBox="0 0 33 33"`, ` d="M4 4h1v1h-1z`)
		expect.Same(t, "its type", "image/svg+xml", got.Header.Get("Content-Type"))
		return got.Text
	}
	if code("https://a.example.org") == code("https://b.example.org") {
		t.Error("two addresses have one code")
	}
}

// TestErrorsAreNotShown: what a database says is for the log.
func TestErrorsAreNotShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	expect.OK(t, d.store.Close())
	got := d.get(t, "/owner/state", "Authorization: Bearer "+token)
	d.want(t, "without a database", got, http.StatusInternalServerError, "That did not work")
	if strings.Contains(got.Text, "sql") {
		t.Errorf("the page shows the error:\n%s", got.Text)
	}
	if _, err := d.pages.SignInLink(t.Context()); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a link without a database: %v", err)
	}
}

// TestLargeForm: a long text fits, one that is too long for a page is shown again, and the body of
// a form is bounded.
func TestLargeForm(t *testing.T) {
	expect.SkipInRace(t, "it renders megabytes of Markdown in one request after the other")
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.change(t, "/owner/pages/new", "name", "terms", "text", strings.Repeat("Wörter\n\n", 20_000))
	form := formOf(d.get(t, "/owner/pages/new"))
	form.Set("name", "book")
	form.Set("text", "My first words\n\n"+strings.Repeat("more\n\n", 200_000))
	d.want(t, "a text that is too long", d.post(t, "/owner/pages/new", form), http.StatusUnprocessableEntity,
		"too long or too intricate for one page", "My first words")
	form.Set("text", strings.Repeat("x", 9<<20))
	d.want(t, "a large form", d.post(t, "/owner/pages/new", form), http.StatusRequestEntityTooLarge,
		"A form can have at most 8 MB. Nothing was changed. Please go back")
	d.want(t, "a stranger's large form", d.post(t, "/owner/sign-in", url.Values{"token": {strings.Repeat("x", 65<<10)}}),
		http.StatusUnauthorized)
}

// TestSeveralCookies: the cookie of another desk on the same host may come first.
func TestSeveralCookies(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	own := d.http.Jar.Cookies(expect.Value(url.Parse(d.url + "/owner/"))(t))[0]
	stranger := newDesk(t)
	stranger.url, stranger.http = d.url, newBrowser(t)
	d.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	cookies := "Cookie: " + own.Name + "=another; " + own.String()
	stranger.want(t, "the second cookie", stranger.get(t, "/owner/state", cookies), http.StatusOK)
}

// TestTwoDesksOnOneMachine: signing in at one does not end the session at the other in the same browser.
func TestTwoDesksOnOneMachine(t *testing.T) {
	t.Parallel()
	one, other := newDesk(t).signIn(t), newDesk(t)
	other.http = one.http
	other.signIn(t)
	one.shows(t, "/owner/state")
	other.shows(t, "/owner/state")
}

// TestSteps: Today lists what a desk still needs, with where it is done, until nothing is left.
func TestSteps(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c *owner.Config) { c.Desk = "http://localhost:8080" }).signIn(t)
	d.want(t, "a new desk", d.get(t, "/owner/"), http.StatusOK,
		"Before you go live", `<a href="#sample">Replace the sample</a>`,
		`<a href="/owner/pages">Privacy page and imprint</a>`, "Customers cannot reach the desk yet.",
		"<code>FRONTDESK_DOMAIN</code>", "Your data is not backed up.", "They open only on this machine.")
	if page := d.get(t, "/owner/"); strings.Contains(page.Text, "desk.svg") {
		t.Error("a QR code is shown for a local address")
	}
	d.pages.Mail.Set(mailer.Account{Transport: mailer.Unset{}})
	d.shows(t, "/owner/", `<a href="/owner/mail">Set up mail</a>`,
		"No mail server is set up. Inquiries are kept here, and are mailed once you set one up.")
	public := newDesk(t, func(c *owner.Config) {
		c.Desk, c.Address = "https://desk.example.org", "https://owner.example.org/owner/"
	}).signIn(t)
	page := public.get(t, "/owner/")
	public.want(t, "a public desk", page, http.StatusOK, "desk.svg")
	for _, open := range []string{"Customers cannot reach", "only on this machine"} {
		if strings.Contains(page.Text, open) {
			t.Errorf("a public desk: %q", open)
		}
	}
}
