package app_test

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

type ownerBrowser struct {
	*http.Client
	base string
}

func openPages(t *testing.T, d *harness.Desk) ownerBrowser {
	t.Helper()
	link := expect.Value(d.SignInLink(t.Context()))(t)
	jar := expect.Value(cookiejar.New(nil))(t)
	b := ownerBrowser{&http.Client{Jar: jar, Timeout: time.Minute}, "http://" + d.AdminAddr().String()}
	_, key, _ := strings.Cut(link, "link=")
	b.post(t, "/owner/sign-in", url.Values{"link": {key}}, 200, "<h1>Today</h1>")
	return b
}

func (b ownerBrowser) get(t *testing.T, path string, want int, texts ...string) (page string) {
	t.Helper()
	return b.read(t, expect.Value(b.Get(b.base+path))(t), want, texts...)
}

// post follows to the next page.
func (b ownerBrowser) post(t *testing.T, path string, form url.Values, want int, texts ...string) (page string) {
	t.Helper()
	return b.read(t, expect.Value(b.PostForm(b.base+path, form))(t), want, texts...)
}

func (b ownerBrowser) read(t *testing.T, response *http.Response, want int, texts ...string) string {
	t.Helper()
	defer response.Body.Close()
	page := string(expect.Value(io.ReadAll(response.Body))(t))
	path := response.Request.URL.Path
	expect.Same(t, "the status of "+path, want, response.StatusCode)
	expect.Holds(t, path, page, texts...)
	return page
}

func formOf(page string) url.Values {
	form := url.Values{}
	for _, field := range regexp.MustCompile(`type="hidden" name="([^"]+)" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		form.Set(field[1], strings.ReplaceAll(field[2], "&#39;", "'"))
	}
	return form
}

// Her day here is not that of UTC.
func TestOwnerSeesTheDay(t *testing.T) {
	t.Parallel()
	dir, name := harness.SmallContent(t), "Etc/GMT+12"
	if time.Now().UTC().Hour() >= 10 {
		name = "Etc/GMT-14"
	}
	harness.Edit(t, dir, "catalog.yaml", "business: {name: A, summary: A, time_zone: "+name+
		"}\ncurrency: EUR\nservices: [{id: a, name: A, summary: A, description: A, price: 1}]")
	d := harness.Start(t, func(s *config.Settings) { harness.WithAdmin(s); s.Content = dir })
	zone := d.Content.Site().Zone
	d.Ask(t, "Do you offer refunds?")
	d.Ask(t, "Zxqv wvut qqzz?")
	d.Ask(t, "Do you offer refunds? When are you open?")
	client := harness.NewClient(t)
	for _, path := range []string{"/faq", "/healthz", "/nowhere"} {
		d.Send(t, client, "GET", path, "", "User-Agent: Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot")
	}
	d.Send(t, client, "POST", "/mcp", harness.RPC("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"claude-ai"}}`),
		"User-Agent: python-httpx/0.28")
	d.StoreDay(t.Context())
	today := records.DayIn(time.Now(), zone)
	got := expect.Value(d.Store().DayTotals(t.Context(), today, zone))(t)[today]
	expect.Same(t, "answered, unanswered, candidates", []int{1, 2, 1},
		[]int{got[owner.DayAnswered], got[owner.DayUnanswered], got[owner.DayCandidates]})
	expect.Same(t, "callers", []int{1, 1, 4, 0}, []int{got[owner.DayCalls+"chatgpt"], got[owner.DaySessions+"claude"],
		got[owner.DayCalls+"programs"], got[owner.DayCalls+"claude"]})
	b := openPages(t, d)
	b.get(t, "/owner/state", 200, "1 question answered")
	b.get(t, "/owner/", 200, ">ChatGPT</th><td>1</td>")
}

// Requests of the owner's pages are logged and counted by pattern, without what is in a query or a form.
func TestOwnerPagesAreLogged(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, harness.WithAdmin)
	b := openPages(t, d)
	d.Log.Reset()
	const secret = "s3cret"
	b.get(t, "/owner/sign-in?link="+secret, 200)
	b.post(t, "/owner/sign-in", url.Values{"token": {secret}}, 401)
	b.get(t, "/owner/inquiries/inq_1?notice="+secret, 404)
	b.get(t, "/owner/elsewhere", 404)
	expect.OK(t, d.Store().Close())
	b.get(t, "/owner/", 500)
	d.Log.Wait(t, `"message":"request"`, 5)
	log := d.Log.String()
	expect.Holds(t, "the log", log,
		`"method":"GET","path":"/owner/sign-in","route":"/owner/sign-in","status":200,`,
		`"method":"POST","path":"/owner/sign-in","route":"/owner/sign-in","status":401,`,
		`"path":"/owner/inquiries/inq_1","route":"/owner/inquiries/{id}","status":404,`,
		`"path":"/owner/elsewhere","status":404,`,
		`"path":"/owner/","route":"/owner/","status":500,`,
		`"error":"`) // why that failed
	metrics := d.Operate(t, "/metrics", 200,
		`frontdesk_http_requests_total{method="GET",route="/owner/inquiries/{id}",status="404"} 1`+"\n",
		`route="other",status="404"} 1`+"\n",
		`route="/owner/",status="500"} 1`+"\n",
		`frontdesk_sign_ins_total{outcome="refused"} 1`+"\n")
	expect.Lacks(t, "what is noted", log+metrics, secret)
}

// A mail that is sent again is waited for, and the owner learns the outcome.
func TestStopFinishesOwnerRequest(t *testing.T) {
	t.Parallel()
	var d *harness.Desk
	status := make(chan int, 1)
	t.Run("service", func(t *testing.T) {
		d = harness.Start(t, harness.WithAdmin)
		d.Mail.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse})
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), "POST", contract.PathContact, harness.ContactBody("")), 502)
		b, open := openPages(t, d), make(chan struct{})
		b.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		page := b.base + "/owner/inquiries/" + d.Inquiries(t, 1)[0].ID
		d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Wait, Until: open})
		go func() {
			defer close(status)
			if response, err := b.PostForm(page+"/send", url.Values{"note": {""}}); err == nil {
				_ = response.Body.Close()
				status <- response.StatusCode
			}
		}()
		d.Mail.WaitFaults(2) // the refusal, and the mail that waits
		go func() {
			defer close(open)
			harness.Eventually(t, func() bool { // the admin listener is closed
				conn, err := net.Dial("tcp", d.AdminAddr().String())
				if err == nil {
					_ = conn.Close()
				}
				return err != nil
			})
		}()
	}) // stops the service
	expect.Same(t, "the status of the page", http.StatusSeeOther, <-status)
	expect.Same(t, "mails", 1, len(d.Mail.Messages()))
}

func TestMain(m *testing.M) { harness.Main(m) }
