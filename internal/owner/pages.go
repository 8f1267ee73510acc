package owner

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/backup"
	"frontdesk/internal/certificates"
	"frontdesk/internal/curation"
	"frontdesk/internal/discovery"
	"frontdesk/internal/i18n"
	"frontdesk/internal/images"
	"frontdesk/internal/limits"
	"frontdesk/internal/notify"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Path begins the address of every page.
const Path = "/owner/"

const (
	pathSignIn    = Path + "sign-in"
	pathSignOut   = Path + "sign-out"
	pathLanguage  = Path + "language"
	pathInquiries = Path + "inquiries"
	pathQuestions = Path + "questions" // that no entry answered
	pathAnswered  = Path + "answered"  // questions
	pathAnswers   = Path + "answers"   // the entries
	pathPrecision = Path + "precision"
	pathSynonyms  = Path + "synonyms"
	pathBusiness  = Path + "business"
	pathServices  = Path + "services"
	pathPrices    = Path + "prices"
	pathPages     = Path + "pages"
	pathPictures  = Path + "pictures"
	pathPicture   = Path + "picture/" // and the name of a picture, or the digest of one that was uploaded
	pathLook      = Path + "look"
	pathSample    = Path + "sample/remove"
	pathChanges   = Path + "changes"
	pathPreview   = Path + "preview/"
	pathState     = Path + "state"
	pathMail      = Path + "mail"
	pathCode      = Path + "desk.svg"
	pathAssets    = Path + "assets/"
)

// Live is the content that callers get now.
type Live struct {
	Content  *content.Content
	Revision string
	Since    time.Time
	Waiting  *Waiting // nil once the selector answers
}

// Waiting is why only questions that are worded as published are answered: the encoder is reading the content, or
// golden questions fail.
type Waiting struct {
	Read, Texts int   // how many texts the encoder has read, and how many there are
	Err         error // the questions that fail, as content.Diagnostics; nil while the encoder reads
}

// Check is what a check of the content found.
type Check struct {
	Warnings []content.Diagnostic
	Expected *Expected
	At       [len(Precisions)]*Expected // at each of Precisions
	// Compared is false while the entries are still compared, for a moment after a reload: results may be missing.
	Compared bool
}

// Precisions are how careful an owner can choose the answers to be, the most careful first.
var Precisions = [...]float64{0.98, content.DefaultPrecision, 0.85}

// Expected is what callers can expect who ask in words of their own: of a hundred questions, how
// many get their answer, how many of these as the answer, and how many get a wrong one. It is nil
// for too few wordings to say that.
type Expected struct{ Asked, Found, First, Wrong int }

// Service is what the pages show and do of the running service.
type Service interface {
	Live() Live
	// StyleSheet is that of the site, in the colours of the owner.
	StyleSheet() []byte
	// Check is what frontdesk check finds in the live content.
	Check() Check
	// Events returns what went wrong since the start, the last first, and whether another
	// service runs on the same data folder.
	Events(ctx context.Context) (events []span.Event, shared bool)
	// ModelCallsLeft is what is left of today's calls of the model. Without a model the
	// limit is 0.
	ModelCallsLeft(ctx context.Context) (left, limit int, err error)
	// Backup is what is known of the daily backups; nil if the service makes none.
	Backup() *backup.State
	// Certificates is how the certificates of the desk's domains are; none without domains.
	Certificates() []certificates.State
	// Resend mails an inquiry again; see outbox.Outbox.Resend.
	Resend(ctx context.Context, id string) (records.Inquiry, error)
	// SendTests sends a test mail and test notifications.
	SendTests(ctx context.Context) []notify.Tested
	// Suggest returns the entries that come closest to a question, the best first.
	Suggest(ctx context.Context, q string) (entryIDs []string)
	// Synonym returns the one word of a question that no answer has, and the word with which it would be answered. Both
	// are empty if there is none.
	Synonym(ctx context.Context, q string) (word, used string)
	// Preview returns what is published under a path with a change that was tried, nil for
	// nothing. found is false once the preview has expired.
	Preview(revision, path string) (document *discovery.Document, found bool)
}

// Config is what the pages are made of.
type Config struct {
	Service Service
	Curator *curation.Curator
	// Obstacle is the key of the message why the content cannot be changed from here; empty
	// when it can.
	Obstacle func() string
	Store    *records.Store
	Mail     *mailer.Current // where mails go
	// MailFixed means that settings decide where mails go, so the pages cannot change it.
	MailFixed bool
	// KeepsAnswered reports whether answered questions are kept.
	KeepsAnswered bool
	// Precision is the setting that says how careful the answers are; empty if the content does.
	Precision string
	// Token opens the pages. Empty means that only sign-in links do.
	Token string
	// Address is where the owner's browser finds the pages, for links that are printed:
	// an absolute address that ends with Path.
	Address string
	// HTTPS reports whether browsers reach a host (of a Host header) by https. The cookie
	// is marked Secure then.
	HTTPS func(host string) bool
	// Desk is the address that the desk publishes.
	Desk    string
	Version string
	// Refused counts a refused attempt to sign in; nil for nothing.
	Refused func()
	Log     zerolog.Logger
}

// live is the content that callers get now.
func (p *Pages) live() *content.Content { return p.Service.Live().Content }

// Pages serves the owner's pages.
type Pages struct {
	Config
	tries       *limits.Limiter
	refusals    atomic.Int64   // attempts to sign in that were refused since the start
	warnings    zerolog.Logger // writes at most one line a minute
	crossOrigin *http.CrossOriginProtection
	handler     http.Handler
}

// signInPolicy bounds the tries to sign in of one client.
var signInPolicy = contract.Policy{Name: "sign-in", Quota: 5, Window: time.Minute}

// New makes the pages.
func New(config Config) *Pages {
	p := &Pages{Config: config, tries: limits.New(signInPolicy, nil), crossOrigin: http.NewCrossOriginProtection(),
		warnings: config.Log.Sample(&zerolog.BurstSampler{Burst: 1, Period: time.Minute})}
	mux := http.NewServeMux()
	open := func(pattern string, handle pageFunc) { mux.Handle(pattern, p.page(handle)) }
	on := func(pattern string, handle pageFunc) { open(pattern, signedIn(handle)) }
	shown := func(path string, handle pageFunc) { on("GET "+path, handle) }
	sent := func(path string, handle pageFunc) { on("POST "+path, handle) }
	proposing := func(path string, handle pageFunc) { // shown by GET, made by POST
		shown(path, handle)
		sent(path, handle)
	}
	open("GET "+pathSignIn, visit.showSignIn)
	open("POST "+pathSignIn, visit.signIn)
	open("POST "+pathLanguage, visit.chooseLanguage)
	open("GET "+pathAssets+"{file}", visit.asset)
	sent(pathSignOut, visit.signOut)
	shown(Path+"{$}", visit.showToday)
	shown(pathCode, visit.code)
	shown(pathInquiries, visit.listInquiries)
	shown(pathInquiries+"/{id}", visit.showInquiry)
	sent(pathInquiries+"/{id}/{act}", visit.changeInquiry)
	shown(pathQuestions, visit.listQuestions)
	shown(pathQuestions+"/together", visit.chooseTogether)
	for _, path := range []string{pathQuestions + "/{numbers}", pathAnswered + "/{number}"} {
		shown(path, visit.showQuestions)
		proposing(path+"/accept", visit.accept)
		sent(path+"/dismiss", visit.dismiss)
		sent(path+"/restore", visit.restore)
	}
	shown(pathAnswers, visit.listAnswers)
	proposing(pathAnswers+"/paste", visit.pasteAnswers)
	shown(pathAnswers+"/{id}", visit.showAnswer)
	proposing(pathAnswers+"/{id}/publish", visit.publish)
	proposing(pathAnswers+"/{id}/unwanted", visit.unwant)
	shown(pathChanges, visit.listChanges)
	shown(pathChanges+"/{number}", visit.showChange)
	proposing(pathChanges+"/{number}/undo", visit.undo)
	shown(pathPreview+"{revision}/{path...}", visit.preview)
	shown(pathPicture+"{name}", visit.showPicture)
	proposing(pathSample, visit.removeSample)
	shown(pathState, visit.showState)
	sent(pathState+"/test", visit.sendTests)
	proposing(pathMail, visit.setUpMail)
	for _, path := range []string{pathServices, pathPages, pathPictures} {
		shown(path, visit.listItems)
	}
	for _, f := range forms() {
		edit := func(v visit) error { return v.edit(f) }
		if f.isObject() {
			proposing(f.path, edit)
			continue
		}
		proposing(f.path+"/new", edit)
		proposing(f.path+"/{id}/edit", edit)
		proposing(f.path+"/{id}/remove", func(v visit) error { return v.remove(f) })
	}
	on(Path, func(visit) error { return errMissing })
	p.handler = mux
	return p
}

// headers protect a page and its reader. A page holds what strangers wrote and what
// people asked: no one may keep it, frame it or learn where a link led from.
var headers = map[string]string{
	"Cache-Control": "no-store",
	"Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; " +
		"base-uri 'none'; frame-ancestors 'none'",
	"X-Frame-Options":        "DENY",
	"X-Content-Type-Options": "nosniff",
	// With no-referrer, browsers send "Origin: null" with a form, and over plain HTTP from another machine nothing else
	// says that the form is ours.
	"Referrer-Policy":              "same-origin",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"X-Robots-Tag":                 "noindex, nofollow",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
}

// Bounds of a form, in bytes.
const (
	// maxForm bounds a form without its uploaded picture. It is far above the bounds of the texts
	// themselves, so that a form with a text that is too long is shown again with that text.
	maxForm = 8 << 20
	// maxOpenForm bounds the forms that need no session.
	maxOpenForm = 64 << 10
	// maxKeptForm bounds a form that is shown again because its session cannot be looked up. The longest page fits.
	maxKeptForm = 2 << 20
)

// ServeHTTP implements http.Handler.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	limit := int64(maxForm)
	switch {
	case r.URL.Path == pathSignIn, r.URL.Path == pathLanguage:
		limit = maxOpenForm
	case slices.ContainsFunc([]string{pathPictures, pathServices, pathLook}, func(path string) bool {
		return strings.HasPrefix(r.URL.Path, path)
	}):
		limit += images.MaxUpload
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	p.handler.ServeHTTP(w, r)
}

// pageFunc answers a request. An error becomes a page.
type pageFunc func(v visit) error

// problem is an error that the owner reads. Its texts are the messages
// owner.problem.KEY.title, .text and, for its link, .link.
type problem struct {
	status    int
	key       string
	arguments []any  // of the text
	link      string // where to go on; empty for the first page
}

func (e *problem) Error() string { return e.key }

func refused(status int, key string, arguments ...any) *problem {
	return &problem{status: status, key: key, arguments: arguments}
}

// The pages of what is not there, or not any more.
var (
	errMissing = missing("missing", "")
	noInquiry  = missing("inquiry", pathInquiries)
	offTheList = missing("question", pathQuestions)
	noItem     = missing("item", pathChanges)
	noChange   = missing("change", pathChanges)
)

func missing(key, link string) *problem {
	return &problem{status: http.StatusNotFound, key: key, link: link}
}

// orGone returns gone if err means that a row is missing, otherwise err.
func orGone(err error, gone *problem) error {
	if errors.Is(err, records.ErrNotFound) || errors.Is(err, curation.ErrNoQuestion) {
		return gone
	}
	return err
}

// reason is why something cannot be done, as a message with its arguments.
type reason struct {
	key       string
	arguments []any
}

func (e reason) Error() string { return e.key }

// page refuses the forms of other sites and writes errors as pages.
func (p *Pages) page(handle pageFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := visit{Pages: p, Request: r, Printer: p.words(r), w: w}
		stack, err := v.guard(handle)
		if err == nil {
			return
		}
		shown, ok := errors.AsType[*problem](err)
		if !ok {
			if log, ok := w.(interface{ NoteFailure(err error, stack []byte) }); ok {
				log.NoteFailure(err, stack)
			}
			shown = refused(http.StatusInternalServerError, "internal")
		}
		_ = v.showProblem(shown)
	})
}

func (v visit) showProblem(e *problem) error {
	texts := "owner.problem." + e.key
	v.status = e.status
	title := v.Text(texts + ".title")
	var kept url.Values // what was typed
	if e.status == http.StatusInternalServerError && v.URL.Path != pathSignIn {
		kept = sentAgain(v.PostForm)
	}
	return v.show(title, "problem", data{
		"Action": v.URL.RequestURI(), "Kept": kept,
		"Text": v.Text(texts+".text", e.arguments...), "Link": e.link,
		"LinkText": v.TextIf(texts + ".link"), "MustSignIn": e.key == "signin",
	})
}

// guard answers a request that is not from another site. A panic is an error with its stack.
func (v visit) guard(handle pageFunc) (stack []byte, err error) {
	defer func() {
		if value := recover(); value == http.ErrAbortHandler {
			panic(value)
		} else if value != nil {
			stack, err = debug.Stack(), fmt.Errorf("panic: %v", value)
		}
	}()
	if err := v.crossOrigin.Check(v.Request); err != nil {
		return nil, refused(http.StatusForbidden, "foreign")
	}
	// A link in a web mail or a chat leads here from another site, and a browser leaves
	// the Strict cookie out of that request. The same address again, from our own page,
	// has it.
	if v.Method == http.MethodGet && v.Header.Get("Sec-Fetch-Site") == "cross-site" &&
		v.Header.Get("Sec-Fetch-Mode") == "navigate" {
		return nil, v.show(v.Text("problem.wait.title"),
			"moment", data{"Path": v.URL.RequestURI()})
	}
	return nil, handle(v)
}

//go:embed owner.css
var ownStyle []byte

// data is what a page shows, by the names in its template. Each of them must be there.
type data map[string]any

// navLink is a link of the navigation.
type navLink struct {
	Path, Text string   // Text is the key of its name
	Icon       string   // the path of an SVG of 24 by 24
	Others     []string // the paths of other pages that belong to it
}

// navigation lists the pages. On a phone the first ones are in the bar at the bottom, the others behind "More".
var navigation = []navLink{
	{Path, "owner.nav.today", "M4 12l5 5L20 6", []string{pathSample}},
	{pathInquiries, "owner.nav.inquiries", "M3 6h18v12H3zM3 7l9 6 9-6", nil},
	{pathQuestions, "owner.nav.questions", "M4 5h16v11H11l-5 4v-4H4zM12 13v.01M10 8.5a2 2 0 1 1 2.6 1.9c-.4.2-.6.4-.6.9",
		[]string{pathAnswered}},
	{pathAnswers, "owner.nav.answers", "M4 5h16v11H11l-5 4v-4H4zM8 9h8M8 12h5", []string{pathPrecision, pathSynonyms}},
	{pathBusiness, "owner.nav.site", "M4 10v10h16V10M3 10l2-6h14l2 6zM10 20v-6h4v6",
		[]string{pathServices, pathPrices, pathPages, pathPictures, pathLook}},
	{pathChanges, "owner.nav.changes", "M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4l3 2", nil},
	{pathState, "owner.nav.state", "M3 13h4l3-8 4 14 3-6h4", []string{pathMail}},
}

// hereOf returns the path of the link that a page belongs to; empty if there is none.
func hereOf(page string) string {
	for _, link := range navigation {
		if slices.ContainsFunc(append(link.Others, link.Path), func(of string) bool {
			return page == of || strings.HasPrefix(page, of+"/")
		}) {
			return link.Path
		}
	}
	return ""
}

const inBar = 4 // links in the bar at the bottom of a phone

// show writes a page around the template of a name, which also gets the title.
func (v visit) show(title, name string, shown data) error {
	templates := v.templates()
	render := func(name string, shown data) template.HTML {
		var out strings.Builder
		if err := templates.ExecuteTemplate(&out, name+".html", shown); err != nil {
			panic(err) // the template and its data are our own
		}
		return template.HTML(out.String()) // html/template has escaped it
	}
	shown["Title"] = title
	here := hereOf(v.URL.Path)
	notice := v.URL.Query().Get("notice") // reports what was done: it chooses a message and cannot write one
	obstacle := ""                        // why the content cannot be changed, on the main pages; forms show it themselves
	if v.ok && here == v.URL.Path && here != pathState && name != "form" {
		obstacle = v.Obstacle()
	}
	page := render("frame", data{
		"Title": title, "Name": name, "Here": here, "Business": v.live().Name, "Style": v.stylePath(),
		"Language": v.Language, "Languages": i18n.Languages(), "Again": v.pageURL(here),
		"InBar": navigation[:inBar], "Rest": navigation[inBar:],
		"RestIsHere": slices.ContainsFunc(navigation[inBar:], func(link navLink) bool { return link.Path == here }),
		"Notice":     v.TextIf("owner.notice." + notice),
		"IsBad":      slices.Contains([]string{"unsent", "doubted", "none-chosen"}, notice),
		"Obstacle":   obstacle, "Body": render(name, shown), "SignedIn": v.ok, "Made": v.madeIn(),
	})
	_ = v.send(contract.TypeHTML+contract.CharsetUTF8, []byte(page)) // the reader may have left
	return nil
}

func (v visit) send(contentType string, body []byte) error {
	v.w.Header().Set("Content-Type", contentType)
	v.w.WriteHeader(cmp.Or(v.status, http.StatusOK))
	_, err := v.w.Write(body)
	return err
}

func (p *Pages) style() []byte { return slices.Concat(p.Service.StyleSheet(), ownStyle) }

func (p *Pages) stylePath() string {
	return fmt.Sprintf("%sowner.%.6x.css", pathAssets, sha256.Sum256(p.style()))
}

// asset serves the style sheet. It holds nothing private, and its address changes with
// its bytes.
func (v visit) asset() error {
	if v.URL.Path != v.stylePath() {
		return errMissing
	}
	v.w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	return v.send("text/css; charset=utf-8", v.style())
}

// redirect leads to a page, after a change with a note of it. Loading that page again does
// not repeat the change.
func (v visit) redirect(to, note string) error {
	if note != "" {
		to = withQuery(to, "notice", note)
	}
	http.Redirect(v.w, v.Request, to, http.StatusSeeOther)
	return nil
}

// withQuery adds a value to the query of an address.
func withQuery(address, name, value string) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + name + "=" + url.QueryEscape(value)
}

// pager leads through a list of several pages.
type pager struct {
	Page, Pages  int
	Newer, Older string // addresses; empty at an end
}

// pageSize is how many rows a page of a list has.
const pageSize = 25

// pageOf is the page of a list that a request asks for.
func (v visit) pageOf() records.Page {
	page, _ := strconv.Atoi(v.URL.Query().Get("page")) // 0 of no number
	if page < 1 || page > 1_000_000 {
		page = 1
	}
	return records.Page{Limit: pageSize, Offset: (page - 1) * pageSize}
}

// onPage are the rows of the page that a request asks for.
func onPage[T any](v visit, rows []T) []T {
	first := min(len(rows), v.pageOf().Offset)
	return rows[first:min(len(rows), first+pageSize)]
}

// newPager is the pager of a list with so many rows.
func (v visit) newPager(total int) pager {
	p := pager{Page: v.pageOf().Offset/pageSize + 1, Pages: max(1, (total+pageSize-1)/pageSize)}
	to := func(page int) string {
		query := v.URL.Query()
		query.Del("notice")
		query.Del("made")
		query.Set("page", strconv.Itoa(page))
		return v.URL.Path + "?" + query.Encode()
	}
	if p.Page > 1 {
		p.Newer = to(min(p.Page-1, p.Pages))
	}
	if p.Page < p.Pages {
		p.Older = to(p.Page + 1)
	}
	return p
}
