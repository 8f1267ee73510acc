package owner_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
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

var longAgo = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

type fakeService struct {
	store   *records.Store
	live    owner.Live
	outcome records.State
	resends int
	tried   string // revision of the change that was tried last
}

func (s *fakeService) Live() owner.Live   { return s.live }
func (s *fakeService) StyleSheet() []byte { return []byte("body{margin:0}") }

func (s *fakeService) Check() owner.Check {
	usual := &owner.Expected{Asked: 60, Found: 87, First: 66, Wrong: 2}
	return owner.Check{
		Warnings: []content.Diagnostic{{File: "faq.yaml", Line: 3, Message: "a hint"}}, Expected: usual, Compared: true,
		At: [...]*owner.Expected{{Asked: 60, Found: 88, First: 41, Wrong: 1}, usual, {Asked: 60, Found: 85, First: 79, Wrong: 5}},
	}
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
	return discovery.NewDocument("text/html; charset=utf-8", []byte(`<!doctype html><body class="site"><a href="/faq">Questions</a> <a href="https://example.com/">out</a><form action="/ask"><img src="/a.png" srcset="/b.png 1w, /c.png 2w">`)), true
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
	inquiry, err := s.store.ClaimInquiry(ctx, id, lease, records.Mail{}, time.Now())
	if err != nil {
		return records.Inquiry{}, err
	}
	inquiry.State, inquiry.Detail = s.outcome, "the server said no"
	return inquiry, s.store.SettleInquiry(ctx, inquiry)
}

type desk struct {
	*testing.T
	*fakeService
	pages    *owner.Pages
	folder   string // of the database
	content  string // the content folder
	obstacle string
	url      *url.URL // of the first page
	http     *http.Client
}

func signedIn(t *testing.T, sample string, change ...func(*owner.Config)) *desk {
	t.Helper()
	d := newDesk(t, sample, change...)
	d.want("sign-in", d.try(token), 303)
	return d
}

func newDesk(t *testing.T, sample string, change ...func(*owner.Config)) *desk {
	t.Helper()
	folder, dir := t.TempDir(), t.TempDir()
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: folder}))(t)
	t.Cleanup(func() { _ = store.Close() })
	expect.Value(content.Init(dir, sample))(t)
	d := &desk{T: t, folder: folder, content: dir, fakeService: &fakeService{store: store, outcome: records.Sent}}
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
				return nil
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
	d.url = expect.Value(url.Parse(server.URL + "/owner/"))(t)
	d.openBrowser()
	return d
}

func (d *desk) openBrowser() {
	jar, _ := cookiejar.New(nil)
	d.http = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (d *desk) cookie() *http.Cookie { return d.http.Jar.Cookies(d.url)[0] }

type answer struct {
	*http.Response
	Text string
}

func (a answer) to() string { return a.Header.Get("Location") }

// send sends a request with header lines "Name: value".
func (d *desk) send(method, path string, body io.Reader, header ...string) answer {
	d.Helper()
	to := expect.Value(d.url.Parse(path))(d)
	r := expect.Value(http.NewRequestWithContext(d.Context(), method, to.String(), body))(d)
	r.Header.Set("Accept-Language", "en") // unless a test wants another
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	response := expect.Value(d.http.Do(r))(d)
	defer response.Body.Close()
	return answer{response, string(expect.Value(io.ReadAll(response.Body))(d))}
}

func (d *desk) get(path string, header ...string) answer {
	d.Helper()
	return d.send(http.MethodGet, path, nil, header...)
}

func (d *desk) post(path string, form url.Values, header ...string) answer {
	d.Helper()
	header = append(header, "Content-Type: application/x-www-form-urlencoded")
	return d.send(http.MethodPost, path, strings.NewReader(form.Encode()), header...)
}

func (d *desk) try(token string, header ...string) answer {
	d.Helper()
	return d.post("sign-in", url.Values{"token": {token}}, header...)
}

func (d *desk) want(what string, got answer, status int, texts ...string) {
	d.Helper()
	if got.StatusCode != status {
		d.Errorf("%s: status %d, want %d: %s", what, got.StatusCode, status, got.Text)
	}
	expect.Holds(d, what, got.Text, texts...)
}

func (d *desk) shows(path string, texts ...string) {
	d.Helper()
	d.want(path, d.get(path), 200, texts...)
}

func (d *desk) add(id string, state records.State, change ...func(*records.Inquiry)) {
	d.Helper()
	inquiry := records.Inquiry{
		ID: id, MessageID: id + "@desk.example", Name: "Ada Lovelace", Business: "Analytical <Engines> " + id, Email: "ada@example.com",
		Message: "Hello there,\n<script>alert(1)</script>", Phone: "+44 20 1234", Segment: "Mathematics",
		Subject: "Pilot request", Text: "The mail of " + id, From: "desk@desk.example", To: "owner@desk.example",
		State: state, CreatedAt: time.Now(),
	}
	for _, c := range change {
		c(&inquiry)
	}
	expect.Value(d.store.AddInquiry(d.Context(), inquiry, records.Key{}))(d)
}

func TestEveryPageAsksWhoIsThere(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "")
	d.add("inq_1", records.Failed)
	for path := range strings.FieldsSeq(`/owner/ desk.svg sign-out inquiries inquiries/inq_1 inquiries/inq_1/send state
		state/test questions questions/1 questions/1/accept?entry=refunds questions/1/dismiss questions/together?n=1
		answered/1 answered/1/accept answered/1/dismiss answers answers/refunds answers/new answers/refunds/edit
		answers/refunds/remove changes changes/1 changes/1/undo sample/remove precision synonyms preview/abc/ business
		pages pages/new pages/home/edit pages/home/remove services services/new services/online-booking/edit
		services/online-booking/remove pictures pictures/new picture/shop.jpg look prices/new prices/essentials/edit
		prices/essentials/remove nowhere`) {
		got := d.get(path)
		d.want(path, got, 303)
		expect.Holds(t, path+" leads to", got.to(), "/owner/sign-in")
		expect.Lacks(t, path, got.Text, "Ada")
		d.want(path, d.post(path, nil), 401, "no longer signed in", `href="/owner/sign-in" target="_blank"`)
	}
	expect.Same(t, "mails that a stranger has sent", 0, d.resends)
	d.try(token)
	d.shows("inquiries", "Ada Lovelace")
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	for _, path := range []string{"sign-in?link=x", "inquiries", "state", "nowhere"} {
		got := d.get(path)
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"Content-Type": "text/html; charset=utf-8",
		} {
			expect.Same(t, path+": "+name, want, got.Header.Get(name))
		}
		policy := got.Header.Get("Content-Security-Policy")
		expect.Holds(t, path, policy, "default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'")
		expect.Lacks(t, path, policy, "script-src", "unsafe")
	}
}

func TestCookie(t *testing.T) {
	t.Parallel()
	for _, https := range []bool{false, true} {
		d := newDesk(t, "", func(c *owner.Config) { c.HTTPS = func(string) bool { return https } })
		cookies := d.try(token).Cookies()
		expect.Same(t, "cookies", 1, len(cookies))
		c := cookies[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/owner/" || c.Secure != https || c.Domain != "" || len(c.Value) < 26 || strings.Contains(c.Value, token) {
			t.Errorf("https %v: cookie %s", https, c)
		}
	}
}

func TestTriesAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "")
	statuses := make(chan int, 40)
	for range cap(statuses) {
		go func() { statuses <- d.get("state", "Authorization: Bearer wrong").StatusCode }()
	}
	counted := map[int]int{}
	for range cap(statuses) {
		counted[<-statuses]++
	}
	expect.Same(t, "answers", map[int]int{401: 5, 429: cap(statuses) - 5}, counted)
}

func TestToken(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "")
	for _, wrong := range []string{"", "x", token + "x", token[:len(token)-1], strings.ToUpper(token)} {
		got := d.try(wrong)
		d.want("token "+wrong, got, 401, "not the token")
		expect.Same(t, "cookies", 0, len(got.Cookies()))
	}
	d.want("the sixth try", d.try(token), 429, "wait a minute")
	d.want("the sixth try with a bearer token", d.get("state", "Authorization: Bearer "+token), 429)
	d.want("another client", d.try(token, "Test-Client: 203.0.113.9"), 303)

	none := newDesk(t, "", func(c *owner.Config) { c.Token = "" })
	d.want("no token is set", none.try(""), 401)
	d.want("no token is set", none.get("state", "Authorization: Bearer x"), 401)
	expect.Lacks(t, "the page", none.get("sign-in").Text, `name="token"`)
}

func TestBearerToken(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "")
	d.add("inq_1", records.Failed)
	d.want("right", d.get("inquiries", "Authorization: Bearer "+token), 200, "Ada Lovelace")
	d.want("a form", d.post("inquiries/inq_1/done", nil, "Authorization: bearer "+token), 303)
	got := d.get("inquiries", "Authorization: Bearer wrong")
	d.want("wrong", got, 401)
	if got.Header.Get("WWW-Authenticate") == "" || len(got.Cookies()) != 0 {
		t.Errorf("headers %v", got.Header)
	}
}

func TestSignInLink(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "", func(c *owner.Config) { c.Address = "https://desk.example/owner/" })
	link := expect.Value(d.pages.SignInLink(t.Context()))(t)
	key, ok := strings.CutPrefix(link, "https://desk.example/owner/sign-in?link=")
	expect.Same(t, "form of "+link, true, ok)
	for range 3 { // programs that preview links do not use it up
		got := d.get("sign-in?link=" + key)
		d.want("the page of the link", got, 200, "<button>Sign in</button>")
		expect.Same(t, "cookies", 0, len(got.Cookies()))
	}
	use := func() answer { return d.post("sign-in", url.Values{"link": {key}}) }
	d.want("a wrong link", d.post("sign-in", url.Values{"link": {key + "x"}}), 401, "used already")
	d.want("the link", use(), 303)
	d.shows("state")
	d.openBrowser()
	d.want("the link again", use(), 401, "used already")
}

// Someone who reads the database cannot sign in.
func TestNoKeyIsStored(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	link := expect.Value(d.pages.SignInLink(t.Context()))(t)
	cookie := d.cookie().Value
	_, key, _ := strings.Cut(link, "link=")
	data := fmt.Sprint(expect.Files(t, os.DirFS(d.folder), "none"))
	expect.Holds(t, "the database", data, owner.Hash(token, cookie))
	expect.Lacks(t, "the database", data, cookie, key, token)
}

func TestSessions(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	pages, own := d.pages, d.cookie()
	changed := pages.Config
	changed.Token += "2"
	d.pages = owner.New(changed)
	d.want("another token", d.get("state"), 303)
	d.pages = pages
	d.want("behind the cookie of another desk", d.get("state", "Cookie: "+own.Name+"=another"), 200)
	d.want("sign out", d.post("sign-out", nil), 303)
	d.want("after it", d.get("state"), 303)
	d.want("with the old cookie", d.get("state", "Cookie: "+own.String()), 303)
}

func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.add("inq_1", records.Failed)
	const path = "inquiries/inq_1/done"
	origin := "Origin: http://" + d.url.Host
	for _, tt := range []struct {
		header []string
		want   int
	}{
		{[]string{"Sec-Fetch-Site: cross-site"}, 403},
		{[]string{"Sec-Fetch-Site: same-site"}, 403},
		{[]string{"Origin: https://evil.example"}, 403},
		{[]string{"Origin: null"}, 403}, // of an old browser
		{[]string{"Sec-Fetch-Site: same-origin", origin}, 303},
		{[]string{origin}, 303}, // over plain HTTP
	} {
		what := fmt.Sprint(tt.header)
		d.want(what, d.post(path, nil, tt.header...), tt.want)
		inquiry := expect.Value(d.store.Inquiry(t.Context(), "inq_1"))(t)
		expect.Same(t, what+": done", tt.want == 303, !inquiry.DoneAt.IsZero())
	}
	d.want("sign-in from elsewhere", d.try(token, "Sec-Fetch-Site: cross-site"), 403)
	d.want("GET changes nothing", d.get(path), 404)
	// Behind a link in a chat, the browser leaves out the cookie at first.
	const page, mode = "inquiries?show=all", "Sec-Fetch-Mode: navigate"
	d.want("at first", d.get(page, "Sec-Fetch-Site: cross-site", mode, "Cookie: "), 200, `content="0; url=/owner/`+page)
	d.want("then", d.get(page, "Sec-Fetch-Site: same-origin", mode), 200, "Ada Lovelace")
}

func TestNext(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "")
	const asked = "/owner/inquiries/inq_1?x=y"
	for _, next := range []string{
		asked, "", "https://evil.example/owner/", "//evil.example/owner/", "/\\evil.example/owner/", "/owner/\\evil.example", "/metrics",
		"javascript:alert(1)//owner/", "/owner/sign-in?next=/owner/x",
	} {
		want := "/owner/"
		if next == asked {
			want = asked
		}
		expect.Same(t, next+" leads to", want, d.post("sign-in", url.Values{"token": {token}, "next": {next}}).to())
	}
	d.openBrowser()
	expect.Same(t, "the page leads to", "/owner/sign-in?next=%2Fowner%2Finquiries%2Finq_1", d.get("inquiries/inq_1").to())
}

func TestInquiryPages(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.add("inq_open", records.Sent)
	d.add("inq_failed", records.Failed, func(i *records.Inquiry) { i.Detail = "550 no such user" })
	d.add("inq_spam", records.Quarantined)
	d.add("inq_done", records.Sent, func(i *records.Inquiry) { i.DoneAt, i.Message = time.Now(), "100%_sure about Äpfel" })
	d.add("inq_answered", records.Sent, func(i *records.Inquiry) {
		i.AnsweredAt, i.Business, i.Name, i.Question, i.Email, i.Subject = time.Now(), "-", "Grace", "Do you <wrap>?", "a?b@example.com", "Zwei Brote & mehr?"
	})
	for query, want := range map[string]string{
		"":                       "open failed",
		"?show=failed":           "failed",
		"?show=all":              "open failed spam done answered",
		"?show=nonsense":         "open failed",
		"?show=all&q=ANALYTICAL": "open failed spam done",
		"?show=answered":         "answered",
		"?show=all&q=WRAP":       "answered",
		"?show=all&q=%C3%84pfel": "done",
		"?show=all&page=2":       "",
		"?show=all&page=-1":      "open failed spam done answered",
	} {
		got := d.get("inquiries" + query)
		d.want(query, got, 200)
		for _, id := range []string{"open", "failed", "spam", "done", "answered"} {
			expect.Same(t, query+" shows "+id, strings.Contains(want, id), strings.Contains(got.Text,
				`href="/owner/inquiries/inq_`+id+`"`))
		}
		expect.Lacks(t, query, got.Text, "<script", "<Engines>") // the text of a stranger
	}
	d.shows("inquiries/inq_failed", "550 no such user", "The mail of inq_failed", "Analytical &lt;Engines&gt; inq_failed",
		"&lt;script&gt;", "mailto:ada@example.com?subject=Re%3A%20Pilot%20request", "44 20 1234", "Mathematics", "Send the mail again", `href="tel:&#43;44201234">Call<`, `<span class="badge bad">mail failed</span>`)
	d.shows("inquiries/inq_answered", "<h1>Grace</h1>",
		"mailto:a%3Fb@example.com?subject=Re%3A%20Zwei%20Brote%20%26%20mehr%3F", "“Do you &lt;wrap&gt;?”")
	d.want("no inquiry", d.get("inquiries/inq_none"), 404, "no longer here")
}

// Each button of an inquiry stores the note too, and no note is overwritten unseen.
func TestNoteOnAnInquiry(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.add("inq_1", records.Failed)
	const page = "inquiries/inq_1"
	mine, theirs := d.filled(page, "note", "Mine."), d.filled(page)
	for _, act := range []string{"/answered", "/note", "/send"} {
		mine.Set("note", "Mine, "+act)
		d.want(act, d.post(page+act, mine), 303)
		mine = d.filled(page)
		expect.Same(t, "the note after "+act, "Mine, "+act, mine.Get("note"))
	}
	d.want("an unchanged note", d.post(page+"/done", theirs), 303)
	d.shows(page, "Mine, /send</textarea>")
	theirs.Set("note", "Theirs.")
	conflict := d.post(page+"/new", theirs)
	d.want("another note", conflict, 409, "Someone else has changed this", "Theirs.</textarea>", ">Mine, /send</blockquote>")
	d.want("sent again", d.post(page+"/new", formOf(conflict)), 303)
	d.shows(page, "Theirs.</textarea>", `formaction="/owner/inquiries/inq_1/answered"`)
}

func TestChangesOfAnInquiry(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.add("inq_1", records.Failed)
	d.add("inq_2", records.Quarantined)
	d.add("inq_3", records.Pending, func(i *records.Inquiry) {
		i.Lease = records.Lease{Owner: "x", Until: time.Now().Add(time.Minute)}
	})
	form := url.Values{}
	act := func(act, note string) {
		t.Helper()
		got := d.post("inquiries/inq_"+act, form)
		if note == "" {
			d.want(act, got, 404)
			return
		}
		d.want(act, got, 303)
		expect.Holds(t, act+" leads to", got.to()+".", "?notice="+note+".")
		d.shows(got.to(), `role="status"`)
	}
	act("1/done", "done")
	act("1/new", "new")
	act("1/answered", "answered")
	form.Set("note", " rings back on Friday\n")
	act("1/note", "note")
	d.shows("inquiries?show=answered&q=friday", "Your note: rings back on Friday", `<span class="badge">answered</span>`)
	act("none/note", "")
	d.outcome = records.Failed
	act("1/send", "unsent")
	d.outcome = records.Unknown
	act("1/send", "doubted")
	tries := d.get("inquiries/inq_1")
	d.want("the inquiry", tries, 200, "Delivery attempts")
	expect.Same(t, "tries with their reasons", 2, strings.Count(tries.Text, `<p class="verbatim">the server said no</p></details></li>`))
	d.outcome = records.Sent
	act("1/send", "sent")
	act("1/send", "already")
	act("2/send", "sent")
	act("none/send", "")
	act("3/delete", "sending") // its mail is under way
	act("1/fly", "")
	for _, id := range []string{"inq_1", "inq_2"} {
		expect.Same(t, id, records.Sent, expect.Value(d.store.Inquiry(t.Context(), id))(t).State)
	}
	act("1/delete", "deleted")
	d.want("a deleted one", d.get("inquiries/inq_1"), 404)
}

func TestPaging(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	for n := range 30 {
		d.add(fmt.Sprintf("inq_%02d", n), records.Sent)
	}
	first, second := d.get("inquiries?show=all"), d.get("inquiries?page=2&show=all")
	d.want("the first page", first, 200, "Page 1 of 2", `rel="next" href="/owner/inquiries?page=2&amp;show=all"`)
	d.want("the second page", second, 200, "Page 2 of 2", `rel="prev" href="/owner/inquiries?page=1&amp;show=all"`)
	all := regexp.MustCompile(`href="/owner/inquiries/inq_\d+"`).FindAllString(first.Text+second.Text, -1)
	slices.Sort(all)
	expect.Same(t, "inquiries on both pages", 30, len(slices.Compact(all)))
}

func TestState(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.live.Content.TimeZone = "UTC"
	d.add("inq_1", records.Failed)
	d.add("inq_2", records.Quarantined)
	today := records.DayOf(time.Now())
	for day, counts := range map[int64]map[string]int{
		today:       {owner.DayAnswered: 3, owner.DayUnanswered: 2, owner.DayCandidates: 1, owner.DayRefused: 5},
		today - 100: {owner.DayAnswered: 1000, owner.DayRefused: 50},
		today - 399: {owner.DayAnswered: 77},
	} {
		expect.OK(t, d.store.AddDayTotals(t.Context(), day, counts))
	}
	entries := d.live.Content.FAQ.Entries
	entries[0].ReviewBy, entries[1].Expires = time.Now().AddDate(0, 0, -3), time.Now().Add(time.Hour)
	d.shows("state",
		"<strong>1</strong> failed mail", "<strong>1</strong> held back", "<strong>7</strong> of 10 calls", "<strong>5</strong> requests refused today", "(5 in 30 days)",
		"1,003 questions answered", "2 questions unanswered, 1 of them with answers that may fit", "2 inquiries", "<svg", "a hint", "Of 100 questions, 87 find the right answer (66 directly", "(1.5 MB)", "the daily backup is missing",
		"desk.example: certificate until", "2 April 2020", "new.example: no certificate yet", "no such name",
		"was not delivered. The desk keeps the inquiry, under Inquiries. <code>inq_7</code> (3 times", "review overdue: "+entries[0].Question, "stops answering: "+entries[1].Question, "version <code>"+d.live.Revision+"</code>")

	d.want("test messages", d.post("state/test", nil), 200,
		"Mail to a@desk.example, b@desk.example", "It was sent, but not to everyone.", "b@desk.example: 550 &lt;no&gt;",
		"Notification (ntfy) to https://ntfy.example", "It was not sent.", "answered 403 Forbidden", "Notification (chat)", "It was accepted.")
}

func TestToday(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "", func(c *owner.Config) { c.Desk = "https://desk.example.org" })
	now := time.Now().UTC()
	d.live.Content.TimeZone = "UTC"
	d.shows("", "Still from the sample", "the name of the business", "No visitors within 30 days.")
	d.add("inq_failed", records.Failed, func(i *records.Inquiry) { i.AnsweredAt = now })
	d.add("inq_new", records.Sent, func(i *records.Inquiry) { i.Business, i.Name = "-", "Grace" })
	d.add("inq_answered", records.Sent, func(i *records.Inquiry) { i.AnsweredAt = now })
	d.add("inq_done", records.Failed, func(i *records.Inquiry) { i.DoneAt = now })
	d.add("inq_spam", records.Quarantined)
	expect.OK(t, d.store.AddBatch(t.Context(), records.Batch{Questions: []records.Question{
		{Key: "zebra", Q: "Do you sell a <zebra>?", Unanswered: 1, LastAt: now.AddDate(0, 0, -2)},
		{Key: "dinosaur", Q: "Do you sell dinosaurs?", Unanswered: 9, LastAt: now.AddDate(0, 0, -9)},
	}}, 100))
	for ago, counts := range map[int64]map[string]int{
		0:  {owner.DayCalls + "chatgpt": 3, owner.DaySessions + "claude": 2},
		6:  {owner.DayCalls + "chatgpt": 1000},
		29: {owner.DayCalls + "chatgpt": 20, owner.DayCalls + "browsers": 7},
		30: {owner.DayCalls + "gemini": 5},
	} {
		expect.OK(t, d.store.AddDayTotals(t.Context(), records.DayOf(now)-ago, counts))
	}
	entries := d.live.Content.FAQ.Entries
	entries[0].ReviewBy, entries[1].ReviewBy = now.AddDate(0, 0, -3), now.AddDate(0, 0, 30)
	page := d.get("")
	d.want("today", page, 200, `aria-current="page"><svg`, "1 mail failed", `href="/owner/inquiries/inq_failed"`,
		"1 new inquiry", `href="/owner/inquiries/inq_new">Grace<`,
		"1 message looks like spam", "1 question of this week", "Do you sell a &lt;zebra&gt;?", "review overdue: <a href=\"/owner/answers/"+entries[0].ID+"\"",
		"https://desk.example.org",
		">ChatGPT</th><td>3</td><td>1,003</td><td>1,023</td><td>0</td>",
		">Claude</th><td>0</td><td>0</td><td>0</td><td>2</td>",
		">Browsers</th><td>0</td><td>0</td><td>7</td><td>0</td>")
	expect.Lacks(t, "today", page.Text, "inq_answered", "inq_done", "inq_spam", "dinosaurs", entries[1].Question,
		"Gemini", "Nothing needs you")
}

func TestCode(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	codes := map[string]bool{}
	for _, d.pages.Desk = range []string{"https://a.example.org", "https://b.example.org"} {
		got := d.get("desk.svg")
		d.want(d.pages.Desk, got, 200, `viewBox="0 0 33 33"`, ` d="M4 4h1v1h-1z`)
		expect.Same(t, "its type", "image/svg+xml", got.Header.Get("Content-Type"))
		codes[got.Text] = true
	}
	expect.Same(t, "codes", 2, len(codes))
}

func TestErrorsAreNotShown(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	expect.Value(expect.Value(sql.Open("sqlite", filepath.Join(d.folder, records.FileName)))(t).Exec(`DROP TABLE changes`))(t)
	d.want("without a history", d.change("business", "business.phone", "+44 20 7946 0999"), 500, "It is live.", "→ &#43;44 20 7946 0999")
	expect.OK(t, d.store.Close())
	kept, signIn := d.post("inquiries/inq_1/note", url.Values{"note": {"Mine & yours" + strings.Repeat(".", 1<<20)}, "password": {token}}), d.try(token)
	d.want("without a database", kept, 500, "That did not work", "Mine &amp; yours...")
	d.want("sign-in", signIn, 500)
	expect.Lacks(t, "the pages", kept.Text+signIn.Text, "sql", token)
	expect.Says(t, "a link without a database", expect.ErrorOf(d.pages.SignInLink(t.Context())), "closed")
}

func TestLargeForm(t *testing.T) {
	expect.SkipInRace(t, "it renders megabytes of Markdown")
	t.Parallel()
	d := signedIn(t, "")
	d.change("pages/new", "name", "terms", "text", strings.Repeat("Wörter\n\n", 20_000))
	form := d.filled("pages/new", "name", "book", "text", "My first words\n\n"+strings.Repeat("more\n\n", 200_000))
	d.want("a text that is too long", d.post("pages/new", form), 422,
		"too long or too intricate for one page", "My first words")
	form.Set("text", strings.Repeat("x", 9<<20))
	d.want("a large form", d.post("pages/new", form), 413,
		"A form can have at most 8 MB. Nothing was changed. Please go back")
	d.want("a stranger's large form", d.try(strings.Repeat("x", 65<<10)), 401)
}

func TestTwoDesksOnOneMachine(t *testing.T) {
	t.Parallel()
	one, other := signedIn(t, ""), newDesk(t, "")
	other.http = one.http
	other.try(token)
	one.shows("state")
	other.shows("state")
}

func TestSteps(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "", func(c *owner.Config) { c.Desk = "http://localhost:8080" })
	d.shows("",
		"Before you go live", `<a href="#sample">Replace the sample</a>`,
		`<a href="/owner/pages">Privacy page and imprint</a>`, "Customers cannot reach the desk yet.",
		"<code>FRONTDESK_DOMAIN</code>", "Your data is not backed up.", "They open only on this machine.")
	expect.Lacks(t, "a desk with a local address", d.get("").Text, "desk.svg")
	d.pages.Mail.Set(mailer.Account{Transport: mailer.Unset{}})
	d.shows("", `<a href="/owner/mail">Set up mail</a>`,
		"No mail server is set up. Inquiries are kept here, and are mailed once you set one up.")
	public := signedIn(t, "", func(c *owner.Config) {
		c.Desk, c.Address = "https://desk.example.org", "https://owner.example.org/owner/"
	})
	page := public.get("")
	public.want("a public desk", page, 200, "desk.svg")
	expect.Lacks(t, "a public desk", page.Text, "Customers cannot reach", "only on this machine")
}
