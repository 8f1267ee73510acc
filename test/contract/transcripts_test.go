package contract_test

import (
	"bytes"
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

// transcript is a file of testdata/http or testdata/mcp, as curl shows it. A new one needs only the request.
type transcript struct {
	text               string // of the request
	method, path, body string
	header             []string
	shows              []string // headers of the answer
}

// Other headers are shown only where the file has them.
var shownHeaders = []string{"Content-Type", "RateLimit", "RateLimit-Policy", "Retry-After", "Allow"}

// allHeaders are the transcripts that show every header: of the API, a document and a page.
var allHeaders = []string{"http/ask-exact", "http/document-llms", "http/form-ask"}

const (
	formType     = "Content-Type: application/x-www-form-urlencoded"
	html         = "Accept: text/html"
	trialRequest = `{"business":"Analytical Engines Ltd","email":"ada@example.com","name":"Ada Lovelace"}`
)

type scene struct {
	settings func(*config.Settings)
	setup    func(t *testing.T, d *harness.Desk, client *http.Client)
}

var (
	asked      = useUp(contract.PathAsk, harness.Question("Who is it for?"), contract.AskPolicy)
	contacted  = useUp(contract.PathContact, harness.ContactBody(""), contract.ContactPolicy)
	tried      = useUp(contract.PathWorkspaceMCP, harness.ToolCall("start_trial", trialRequest), contract.TrialPolicy)
	fromShop   = scene{settings: func(s *config.Settings) { s.Origins = []string{"https://shop.example"} }}
	withKey    = scene{settings: func(s *config.Settings) { s.SigningKey = signingKey }}
	asResults  = scene{settings: func(s *config.Settings) { s.MCPToolErrors = contract.ToolErrorsResults }}
	noDatabase = scene{setup: func(t *testing.T, d *harness.Desk, _ *http.Client) { expect.OK(t, d.Store().Close()) }}
	noMail     = scene{setup: func(_ *testing.T, d *harness.Desk, _ *http.Client) {
		d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Refuse, Code: 452})
	}}
	keyUsed = scene{setup: func(t *testing.T, d *harness.Desk, client *http.Client) {
		harness.WantStatus(t, d.Send(t, client, "POST", contract.PathContact, harness.ContactBody(""), harness.JSONType,
			"Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324"), 200)
	}}
)

// signingKey is fixed, so that signatures differ only by their times.
const signingKey = "-----BEGIN PRIVATE KEY-----\n" +
	"MC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB\n-----END PRIVATE KEY-----"

var scenes = map[string]scene{
	"http/ask-signed":                 withKey,
	"http/key-directory":              withKey,
	"http/preflight":                  fromShop,
	"http/error-rate-limited-ask":     asked,
	"http/error-rate-limited-contact": contacted,
	"http/error-internal-error":       noDatabase,
	"http/contact-again":              keyUsed,
	"http/error-invalid-request-key":  keyUsed,
	"http/error-bad-gateway":          noMail,
	"mcp/start-trial":                 {settings: func(s *config.Settings) { s.AppURL.Text = "https://app.example" }},
	"mcp/error-rate-limited-ask":      asked,
	"mcp/error-rate-limited-pilot":    contacted,
	"mcp/error-rate-limited-trial":    tried,
	"mcp/result-arguments":            asResults,
	"mcp/result-unknown-service":      asResults,
	"mcp/result-rate-limited":         {asResults.settings, asked.setup},
	"mcp/error-bad-gateway":           noMail,
	"mcp/error-internal":              noDatabase,
}

func useUp(path, body string, policy contract.Policy) scene {
	return scene{setup: func(t *testing.T, d *harness.Desk, client *http.Client) {
		for range policy.Quota {
			harness.WantStatus(t, d.Send(t, client, "POST", path, body, harness.JSONType), 200)
		}
	}}
}

// Every operation of the description must be shown. Transcripts without a scene share a service; each has a client
// address of its own.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	doc := loadDescription(t)
	var shown sync.Map
	t.Run("all", func(t *testing.T) {
		shared := harness.Start(t, nil)
		names := slices.Collect(maps.Keys(scenes))
		for _, folder := range []string{"http/", "mcp/"} {
			for _, file := range expect.Value(filepath.Glob("testdata/" + folder + "*.golden"))(t) {
				names = append(names, folder+strings.TrimSuffix(filepath.Base(file), ".golden"))
			}
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			file := filepath.Join("testdata", name+".golden")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				tt, d, client := readTranscript(t, file), shared, harness.NewClient(t)
				if scene, ok := scenes[name]; ok {
					if d = harness.Start(t, scene.settings); scene.setup != nil {
						scene.setup(t, d, client)
					}
				}
				answer := d.Send(t, client, tt.method, tt.path, tt.body, tt.header...)
				checkUsualHeaders(t, tt, answer)
				if strings.HasPrefix(name, "http/") {
					shown.Store(tt.agrees(t, doc, answer), true)
				}
				if slices.Contains(allHeaders, name) {
					tt.shows = nil
				}
				golden.Check(t, file, []byte(tt.text+"\n\n"+written(answer, tt.shows)))
			})
		}
	})
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			_, isShown := shown.Load(operation.OperationID)
			if documents := operation.Tags[0] == "Documents" || operation.Tags[0] == "MCP"; !documents && !isShown {
				t.Errorf("no transcript shows %s %s: add one to testdata/http", method, path)
			}
		}
	}
}

func readTranscript(t *testing.T, file string) transcript {
	t.Helper()
	text, answer, _ := strings.Cut(expect.File(t, file), "\n\n")
	text = strings.TrimSpace(text)
	request, body, hasBody := strings.Cut(text, " \\\n    -d '")
	lines := strings.Split(request, " \\\n    -H ")
	_, command, _ := strings.Cut(lines[0], "\n$ curl -i ")
	tt := transcript{text: text, method: "GET", body: strings.TrimSuffix(body, "'"), shows: shownHeaders}
	if hasBody {
		tt.method = "POST"
	}
	if with, found := strings.CutPrefix(command, "-X "); found {
		tt.method, command, _ = strings.Cut(with, " ")
	}
	var found bool
	if tt.path, found = strings.CutPrefix(command, harness.Base); !found {
		t.Fatalf("%s does not begin with a comment and curl -i %s", file, harness.Base)
	}
	for _, line := range lines[1:] {
		tt.header = append(tt.header, strings.Trim(line, "'"))
	}
	if hasBody && !strings.Contains(request, "Content-Type: ") {
		tt.header = append(tt.header, formType) // as curl does
	}
	head, _, _ := strings.Cut(answer, "\n\n")
	for line := range strings.Lines(head) {
		name, _, _ := strings.Cut(line, ": ")
		tt.shows = append(tt.shows, name)
	}
	return tt
}

// Few transcripts show these headers.
func checkUsualHeaders(t *testing.T, tt transcript, a harness.Answer) {
	t.Helper()
	wanted := map[string]string{"X-Content-Type-Options": "nosniff", "X-Request-Id": a.Header.Get("X-Request-Id")}
	if strings.HasPrefix(tt.path, "/v1/") {
		wanted["Service-API-Version"] = "1"
	}
	if a.StatusCode != 204 { // a preflight has its own Max-Age
		wanted["Cache-Control"] = "no-store"
		if len(a.Header.Values("ETag"))+len(a.Header.Values("Content-Digest")) > 0 {
			wanted["Cache-Control"] = a.Header.Get("Cache-Control")
		}
	}
	if a.StatusCode == 200 && tt.method != "HEAD" {
		wanted["Content-Length"] = strconv.Itoa(len(a.Text))
	}
	for name, want := range wanted {
		if got := a.Header.Values(name); len(got) != 1 || got[0] != want || want == "" {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

var (
	recordID  = regexp.MustCompile(`(inq|wsp)_[a-z0-9]{26}`)
	createdAt = regexp.MustCompile(`(created_at\\?":\\?")[^"\\]*`)
	assetName = regexp.MustCompile(`/assets/([a-z]+)\.[0-9a-f]{12}\.`)
	formKey   = regexp.MustCompile(`(name="idempotency_key" value=")[A-Z2-7]{26}`)
	created   = regexp.MustCompile(`created=\d+`)
	expires   = regexp.MustCompile(`expires=\d+`)
	signature = regexp.MustCompile(`=:[A-Za-z0-9+/]{86}==:`)
	// A busy machine takes seconds for the requests that use a limit up. The properties know each number.
	wait = regexp.MustCompile(`(Retry-After: |retry_after_seconds\\?":|[Ww]ait )(?:[1-9]|[1-5]\d|60)\b`)
)

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
		if shows != nil && !slices.Contains(shows, published) {
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

// The contract spells some names otherwise than net/http.
func publishedName(name string) string {
	for _, published := range publishedNames {
		if http.CanonicalHeaderKey(published) == name {
			return published
		}
	}
	return name
}

var publishedNames = []string{"Service-API-Version", "RateLimit", "RateLimit-Policy", "ETag"}
