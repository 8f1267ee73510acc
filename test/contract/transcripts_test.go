package contract_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// transcript is one request with everything that determines its answer. The golden file
// shows it as a curl command, and of the answer the headers that matter in it.
type transcript struct {
	name, about  string
	method, path string
	header       []string
	body         string
	shows        []string // headers of the answer besides shownHeaders; everyHeader for all
	settings     func(*config.Settings)
	setup        func(t *testing.T, d *harness.Desk, client *http.Client)
}

var shownHeaders = []string{"Content-Type", "RateLimit", "RateLimit-Policy", "Retry-After", "Allow"}

// everyHeader shows all headers of an answer. One transcript of the API, one of a document
// and one of a page do, so that another header of a layer changes three files.
var everyHeader = []string{"*"}

var (
	signatureHeaders = []string{"Content-Digest", "Signature", "Signature-Input", "Vary"}
	corsHeaders      = []string{"Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Allow-Origin",
		"Access-Control-Expose-Headers", "Access-Control-Max-Age"}
	cachingHeaders = []string{"Cache-Control", "ETag", "Vary"}
)

const (
	form = "Content-Type: application/x-www-form-urlencoded"
	html = "Accept: text/html"
)

var transcripts = []transcript{
	{name: "health", about: "Is the service alive?", path: "/v1/health", shows: []string{"Service-API-Version"}},
	{name: "catalog", about: "Services, prices and how to get in touch.", path: "/v1/catalog", shows: cachingHeaders},
	{name: "catalog-alias", about: "The older address of the catalog: the same bytes.", path: "/agents.json"},
	{name: "catalog-not-modified", about: "A client that has the catalog already gets no body.", path: "/v1/catalog", shows: cachingHeaders, header: []string{"If-None-Match: *"}},
	{name: "ask-exact", about: "An approved question gets its approved answer.", method: "POST", path: "/v1/ask", shows: everyHeader, header: []string{harness.JSONType}, body: harness.Question("Who is it for?")},
	{name: "ask-typed-otherwise", about: "Case, punctuation and white space do not matter.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question("  WHO is it\tfor ")},
	{name: "ask-alternate", about: "So does another approved wording of it.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question("What does it cost?")},
	{name: "ask-selector", about: "A question in other words gets the entry that surely answers it.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question("How much does it cost per month?")},
	{name: "ask-no-match", about: "When no entry surely answers, the approved fallback is the answer.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question("What is the weather in Paris?")},
	{name: "ask-candidates", about: "Entries that may answer come with their approved texts: a caller who knows what was meant needs no second call.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question("Do you answer the phone for us? Can I pause a service?")},
	{name: "ask-two-parts", about: "Neither of two entries that answer a part each is served as the one answer: both are the first candidates.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question("How much is it and do you offer refunds?")},
	{name: "ask-alias", about: "The older address; curl's default type is fine.", method: "POST", path: "/api/ask", header: []string{form}, body: harness.Question("Who is it for?")},
	{name: "ask-signed", about: "With Accept-Signature the answer is signed: what was approved can be proven later.", method: "POST", path: "/v1/ask", shows: signatureHeaders, header: []string{harness.JSONType, `Accept-Signature: sig1=("@status" "content-type" "content-digest");created;nonce="b3f1"`}, body: harness.Question("Who is it for?"), settings: withKey},
	{name: "key-directory", about: "The key that signs, tied to this address by a signature of its own; a page of any origin can verify it.", path: "/.well-known/http-message-signatures-directory", shows: slices.Concat(signatureHeaders, corsHeaders), header: []string{"Host: localhost:8080", "Origin: https://verifier.example"}, settings: withKey},
	{name: "feedback", about: "Feedback: did an answer help?", method: "POST", path: "/api/ask/feedback", header: []string{harness.JSONType}, body: `{"helpful":false,"q":"Do you fix bicycles?","comment":"I wanted a yes or a no."}`},
	{name: "contact-dry-run", about: "What would be mailed? Nothing is sent or stored.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType}, body: harness.ContactBody(`,"phone":"+1 555 0100","segment":"retail","dry_run":true`)},
	{name: "contact-dry-run-form", about: "The same as a form.", method: "POST", path: "/api/contact", header: []string{form}, body: "name=Ada+Lovelace&business=Analytical+Engines+Ltd&email=ada%40example.com&message=Hello%0D%0Athere&dry_run=true"},
	{name: "contact", about: "A real request: a person gets it by mail and answers.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType}, body: harness.ContactBody("")},
	{name: "preflight", about: "The preflight of a page of a further origin that the owner has set.", method: "OPTIONS", path: "/v1/ask", shows: corsHeaders, header: []string{"Origin: https://shop.example", "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type"}, settings: func(s *config.Settings) { s.Origins = []string{"https://shop.example"} }},
	{name: "error-invalid-request-ask", about: "400: the question is empty. The request takes a slot of the limit.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question(" ")},
	{name: "error-invalid-request-contact", about: "400: every failing field is named.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType}, body: `{"name":"Ada","email":"ada","message":"Hello"}`},
	{name: "error-invalid-request-preview", about: "400: the mail is not the one that was previewed.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType}, body: harness.ContactBody(`,"preview":"0123"`)},
	{name: "error-forbidden", about: "403: a browser page of an origin that is not served.", path: "/v1/catalog", header: []string{"Origin: https://evil.example"}},
	{name: "error-not-found", about: "404: no endpoint at the path.", path: "/v1/nope"},
	{name: "error-not-found-page", about: "404 outside the API, for a browser.", path: "/nope", header: []string{html}},
	{name: "error-method-not-allowed", about: "405: Allow lists the methods that work.", method: "DELETE", path: "/v1/catalog"},
	{name: "error-payload-too-large", about: "413: the body is over the cap of the endpoint. It takes no slot.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question(strings.Repeat("why ", 520))},
	{name: "error-rate-limited-ask", about: "429: five questions came before this one.", method: "POST", path: "/v1/ask", header: []string{harness.JSONType}, body: harness.Question("Who is it for?"), setup: useUp("/v1/ask", harness.Question("Who is it for?"), contract.AskPolicy.Quota)},
	{name: "error-rate-limited-contact", about: "429: three real requests came before this one.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType}, body: harness.ContactBody(""), setup: useUp("/v1/contact", harness.ContactBody(""), contract.ContactPolicy.Quota)},
	{name: "error-internal-error", about: "500: the database is gone, so nothing is accepted and nothing is sent.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType}, body: harness.ContactBody(""), setup: func(t *testing.T, d *harness.Desk, _ *http.Client) {
		expect.OK(t, d.Store().Close())
	}},
	{name: "contact-again", about: "The same request with the same key: the first answer again. Nothing is sent, no slot is taken.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType, `Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"`}, body: harness.ContactBody(""), setup: useKey},
	{name: "error-invalid-request-key", about: "400: the key was sent with other fields before.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType, `Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"`}, body: harness.ContactBody(`,"phone":"+1 555 0100"`), setup: useKey},
	{name: "error-bad-gateway", about: "502: the mail server refuses. The request is kept for the owner.", method: "POST", path: "/v1/contact", header: []string{harness.JSONType}, body: harness.ContactBody(""), setup: func(_ *testing.T, d *harness.Desk, _ *http.Client) {
		d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse, Code: 452})
	}},
	{name: "document-llms", about: "What an agent should know first.", path: "/llms.txt", shows: everyHeader},
	{name: "document-auth-guide", about: "How an agent gets access: there is nothing to register.", path: "/auth.md"},
	{name: "document-api-catalog", about: "The APIs and what describes them (RFC 9727).", path: "/.well-known/api-catalog"},
	{name: "document-server-card", about: "The card of the MCP server: a page of any origin may read it.", path: "/mcp/server-card", shows: corsHeaders, header: []string{"Origin: https://evil.example"}},
	{name: "document-server-card-preflight", about: "The preflight of such a page.", method: "OPTIONS", path: "/mcp/server-card", shows: corsHeaders, header: []string{"Origin: https://evil.example", "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: if-none-match"}},
	{name: "document-ai-catalog", about: "What an agent can use here (AI Catalog, ARD).", path: "/.well-known/ai-catalog.json"},
	{name: "document-skills", about: "The skill documents, with the digest of their bytes.", path: "/.well-known/agent-skills/index.json"},
	{name: "document-skill", about: "How to use this front desk, for agents that load skills.", path: "/.well-known/agent-skills/front-desk/SKILL.md"},
	{name: "document-robots", about: "What crawlers may do.", path: "/robots.txt"},
	{name: "document-sitemap", about: "The pages.", path: "/sitemap.xml"},
	{name: "form-ask-candidates", about: "On the page the candidates are questions that open to their answers.", method: "POST", path: "/ask", header: []string{form, "Accept: text/markdown"}, body: "q=Do+you+answer+the+phone+for+us%3F+Can+I+pause+a+service%3F"},
	{name: "form-ask", about: "The form of a question, without a script: a page answers.", method: "POST", path: "/ask", shows: everyHeader, header: []string{form, html}, body: "q=Who+is+it+for%3F"},
	{name: "form-contact-preview", about: "The form of a pilot request: first the mail is shown, and nothing is sent.", method: "POST", path: "/contact", header: []string{form, html}, body: "name=Ada+Lovelace&business=Analytical+Engines+Ltd&email=ada%40example.com&message=Hello%0D%0Athere&phone=&segment=&dry_run=true"},
	{name: "faq-markdown", about: "Every approved answer, byte for byte.", path: "/faq", header: []string{"Accept: text/markdown"}},
	{name: "home-markdown", about: "The home page under its own Markdown address.", path: "/index.md", shows: []string{"Link"}},
	{name: "developers-markdown", about: "The developer page as Markdown.", path: "/developers", header: []string{"Accept: text/markdown"}},
}

func withKey(s *config.Settings) {
	s.SigningKey = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB\n-----END PRIVATE KEY-----"
}

func useUp(path, body string, times int) func(*testing.T, *harness.Desk, *http.Client) {
	return func(t *testing.T, d *harness.Desk, client *http.Client) {
		for range times {
			harness.WantStatus(t, d.Send(t, client, http.MethodPost, path, body, harness.JSONType), http.StatusOK)
		}
	}
}

func useKey(t *testing.T, d *harness.Desk, client *http.Client) {
	t.Helper()
	harness.WantStatus(t, d.Send(t, client, http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType, "Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324"), http.StatusOK)
}

// TestTranscripts sends every request to a running service and compares the answer with
// testdata/http and with the description, of which every operation must be shown.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	doc := loadDescription(t)
	var shown sync.Map
	t.Run("all", func(t *testing.T) {
		playTranscripts(t, "http", transcripts, func(t *testing.T, tt transcript, a harness.Answer) {
			shown.Store(tt.agrees(t, doc, a), true)
		})
	})
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			_, isShown := shown.Load(operation.OperationID)
			if documents := operation.Tags[0] == "Documents" || operation.Tags[0] == "MCP"; !documents && !isShown {
				t.Errorf("no transcript shows %s %s: add one to test/contract/transcripts_test.go", method, path)
			}
		}
	}
}

func (tt transcript) whole() transcript {
	tt.method = cmp.Or(tt.method, http.MethodGet)
	return tt
}

// playTranscripts compares answers with the golden files of a folder of testdata, and
// finds unused golden files. check looks at each answer too. Transcripts that change no
// setting and have no setup share a service; each has a client address of its own.
func playTranscripts(t *testing.T, folder string, list []transcript, check func(*testing.T, transcript, harness.Answer)) {
	t.Helper()
	files := expect.Value(filepath.Glob(filepath.Join("testdata", folder, "*.golden")))(t)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".golden")
		if !slices.ContainsFunc(list, func(tt transcript) bool { return tt.name == name }) {
			t.Errorf("%s belongs to no transcript", file)
		}
	}
	shared := harness.Start(t, nil)
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := shared
			if tt.settings != nil || tt.setup != nil {
				d = harness.Start(t, tt.settings)
			}
			client := harness.NewClient(t)
			if tt.setup != nil {
				tt.setup(t, d, client)
			}
			tt = tt.whole()
			answer := d.Send(t, client, tt.method, tt.path, tt.body, tt.header...)
			checkUsualHeaders(t, tt, answer)
			check(t, tt, answer)
			got := tt.curl() + written(answer, slices.Concat(shownHeaders, tt.shows))
			golden.Check(t, filepath.Join("testdata", folder, tt.name+".golden"), []byte(got))
		})
	}
}

// checkUsualHeaders checks the headers that few transcripts show.
func checkUsualHeaders(t *testing.T, tt transcript, a harness.Answer) {
	t.Helper()
	wanted := map[string]string{"X-Content-Type-Options": "nosniff", "X-Request-Id": a.Header.Get("X-Request-Id")}
	if strings.HasPrefix(tt.path, "/v1/") {
		wanted["Service-API-Version"] = "1"
	}
	if a.StatusCode != http.StatusNoContent { // a preflight has its own Max-Age
		wanted["Cache-Control"] = "no-store"
		if len(a.Header.Values("ETag"))+len(a.Header.Values("Content-Digest")) > 0 {
			wanted["Cache-Control"] = a.Header.Get("Cache-Control")
		}
	}
	if a.StatusCode == http.StatusOK && tt.method != http.MethodHead {
		wanted["Content-Length"] = strconv.Itoa(len(a.Text))
	}
	for name, want := range wanted {
		if got := a.Header.Values(name); len(got) != 1 || got[0] != want || want == "" {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func (tt transcript) curl() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n$ curl -i", tt.about)
	switch {
	case tt.method == http.MethodHead:
		b.WriteString("I")
	case tt.method != http.MethodGet && tt.body == "":
		b.WriteString(" -X " + tt.method)
	}
	b.WriteString(" " + harness.Base + tt.path)
	for _, line := range tt.header {
		if line != form { // curl's own default
			fmt.Fprintf(&b, " \\\n    -H '%s'", line)
		}
	}
	if tt.body != "" {
		fmt.Fprintf(&b, " \\\n    -d '%s'", tt.body)
	}
	return b.String() + "\n\n"
}

var (
	recordID  = regexp.MustCompile(`(inq|wsp)_[a-z0-9]{26}`)
	createdAt = regexp.MustCompile(`(created_at\\?":\\?")[^"\\]*`)
	assetName = regexp.MustCompile(`/assets/([a-z]+)\.[0-9a-f]{12}\.`)
	formKey   = regexp.MustCompile(`(name="idempotency_key" value=")[A-Z2-7]{26}`)
	created   = regexp.MustCompile(`created=\d+`)
	expires   = regexp.MustCompile(`expires=\d+`)
	signature = regexp.MustCompile(`=:[A-Za-z0-9+/]{86}==:`)
	// A busy machine takes seconds for the requests that use a limit up. The properties know
	// each number.
	wait = regexp.MustCompile(`(Retry-After: |retry_after_seconds\\?":|[Ww]ait )(?:[1-9]|[1-5]\d|60)\b`)
)

// written returns an answer as curl -i shows it, with the headers of shows and fixed
// values for the parts that vary.
func written(a harness.Answer, shows []string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s\n", a.Proto, a.Status)
	const requestID = "0123456789abcdef"
	if id := a.Header.Get("X-Request-Id"); id != "" {
		a.Text = bytes.ReplaceAll(a.Text, []byte(id), []byte(requestID))
	}
	a.Header.Set("X-Request-Id", requestID)
	a.Header.Del("Date")
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		published := publishedName(name)
		if !slices.Contains(shows, published) && !slices.Contains(shows, everyHeader[0]) {
			continue
		}
		for _, value := range a.Header[name] {
			fmt.Fprintf(&b, "%s: %s\n", published, value)
		}
	}
	b.WriteString("\n")
	b.Write(a.Text)
	text := recordID.ReplaceAllString(b.String(), "${1}_00000000000000000000000000")
	text = createdAt.ReplaceAllString(text, "${1}2026-01-01T00:00:00Z")
	text = assetName.ReplaceAllString(text, "/assets/$1.000000000000.")
	text = formKey.ReplaceAllString(text, "${1}AAAAAAAAAAAAAAAAAAAAAAAAAA")
	text = created.ReplaceAllString(text, "created=1800000000")
	text = expires.ReplaceAllString(text, "expires=1800604800")
	text = wait.ReplaceAllString(text, "${1}60")
	return signature.ReplaceAllString(text, "=:(64 bytes that differ with the time):")
}

// publishedName returns a header name in the spelling of the contract, which differs from
// net/http's for some names.
func publishedName(name string) string {
	for _, published := range publishedNames {
		if http.CanonicalHeaderKey(published) == name {
			return published
		}
	}
	return name
}

var publishedNames = []string{"Service-API-Version", "RateLimit", "RateLimit-Policy", "ETag"}
