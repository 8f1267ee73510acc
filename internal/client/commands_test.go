package client

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var contactArgs = []string{"contact", "--name=Ana Duarte", "--business=Duarte Bakery",
	"--email=ana@duarte.example", "--message=We bake."}

// changing matches what differs from run to run: the port and the time taken.
var changing = regexp.MustCompile(`127\.0\.0\.1:\d+|\d+ ms`)

func TestTextOutput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		answer any
		args   []string
	}{
		{"catalog", sampleCatalog, []string{"catalog"}},
		{"service", sampleCatalog, []string{"service", "bookkeeping"}},
		{"service-plain", sampleCatalog, []string{"service", "cleanup"}},
		{"ask", sampleAnswer, []string{"ask", "Do you offer refunds?"}},
		{"ask-fallback", sampleFallback, []string{"ask", "Do you sell boats?"}},
		{"contact", sampleAccepted, contactArgs},
		{"contact-dry-run", samplePreview, with(contactArgs, "--dry-run")},
		{"health", contract.Health{Status: contract.HealthOK}, []string{"health"}},
	}
	for _, tt := range tests {
		service := answering(t, tt.answer)
		got := run(t, with(tt.args, "--url", service.url)...)
		if got.code != 0 || got.err != "" {
			t.Fatalf("%s: exit code %d, stderr %q", tt.name, got.code, got.err)
		}
		checkGolden(t, tt.name, changing.ReplaceAllString(got.out, "X"))
	}
}

func TestColouredOutput(t *testing.T) {
	t.Parallel()
	service := answering(t, sampleCatalog)
	got := runOn(t.Context(), t, &Terminal{Width: 60, Color: true}, "catalog", "--url", service.url)
	checkGolden(t, "catalog-colour", got.out)
}

func TestJSONOutputIsTheBodyAsServed(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"catalog": {"catalog"}, "ask": {"ask", "q"}, "health": {"health"},
		"contact": contactArgs, "dry run": with(contactArgs, "--dry-run"),
	} {
		body := ` {"ok":true, "dry_run":true,"status":"ok","id":"1","name":"A <b>","services":[],` +
			`"answer":"é","reason":"matched"}`
		service := serve(t, reply{200, map[string]string{"Content-Type": contract.TypeJSON}, body + "\n\n"})
		got := run(t, with(args, "--json", "--url", service.url)...)
		expect.Same(t, name, result{out: body + "\n"}, got, cmp.AllowUnexported(result{}))
	}
}

func TestServiceJSONHoldsItsBand(t *testing.T) {
	t.Parallel()
	service := answering(t, sampleCatalog)
	got := run(t, "service", "bookkeeping", "--json", "--url", service.url)
	detail := expect.JSON[contract.ServiceDetail](t, []byte(got.out))
	want, _ := sampleCatalog.Service("bookkeeping")
	expect.Same(t, "difference", want, detail)
	expect.Same(t, "pricing band", "monthly", detail.Pricing.ID)
}

func TestUnknownService(t *testing.T) {
	t.Parallel()
	service := answering(t, sampleCatalog)
	want := result{"", "frontdesk: There is no service \"boats\".\n  Hint: The services are: bookkeeping, cleanup.\n", ExitRefused}
	if got := run(t, "service", "boats", "--url", service.url); got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	got := run(t, "service", "boats", "--json", "--url", service.url)
	problem := expect.JSON[contract.Problem](t, []byte(got.out))
	if problem.Code != contract.NotFound || problem.Status != http.StatusNotFound ||
		problem.Type != "https://books.example/developers#errors-not_found" {
		t.Errorf("problem %+v", problem)
	}
	if got.code != ExitRefused || !strings.Contains(got.err, "boats") {
		t.Errorf("exit code %d, stderr %q", got.code, got.err)
	}
}

// TestRequestsOnTheWire checks what each command sends: a real send has a key, a random
// one by default, and a dry run has none.
func TestRequestsOnTheWire(t *testing.T) {
	t.Parallel()
	const none, random = `^$`, `^[A-Z2-7]{26}$`
	fields := `"name":"Ana Duarte","business":"Duarte Bakery","email":"ana@duarte.example","message":"We bake."`
	tests := []struct {
		name               string
		answer             any
		args               []string
		method, path, body string
		key                string // pattern of the Idempotency-Key
	}{
		{"health", contract.Health{Status: "ok"}, []string{"health"}, "GET", contract.PathHealth, "", none},
		{"catalog", sampleCatalog, []string{"catalog"}, "GET", contract.PathCatalog, "", none},
		{"words of a question are joined", sampleAnswer, []string{"ask", "Do", "you", "take <b>?"},
			"POST", contract.PathAsk, `{"q":"Do you take <b>?"}`, none},
		{"real send", sampleAccepted, contactArgs, "POST", contract.PathContact, "{" + fields + "}", random},
		{"real send with a key", sampleAccepted, with(contactArgs, "--idempotency-key=k-1"),
			"POST", contract.PathContact, "{" + fields + "}", `^k-1$`},
		{"dry run with all fields", samplePreview, with(contactArgs, "--phone=1", "--segment=b", "--dry-run", "--idempotency-key=k-1"),
			"POST", contract.PathContact, "{" + fields + `,"phone":"1","segment":"b","dry_run":true}`, none},
		{"what a dry run has shown", sampleAccepted, with(contactArgs, "--preview=3b7c0d"),
			"POST", contract.PathContact, "{" + fields + `,"preview":"3b7c0d"}`, random},
	}
	for _, tt := range tests {
		service := answering(t, tt.answer)
		if got := run(t, with(tt.args, "--url", service.url)...); got.code != 0 {
			t.Fatalf("%s: %+v", tt.name, got)
		}
		got := []string{service.method, service.path, strings.TrimSpace(string(service.body)), service.header.Get("User-Agent")}
		expect.Same(t, tt.name, []string{tt.method, tt.path, tt.body, "frontdesk-cli"}, got)
		if key := service.header.Get(contract.HeaderIdempotencyKey); !regexp.MustCompile(tt.key).MatchString(key) {
			t.Errorf("%s: the key on the wire is %q, want %s", tt.name, key, tt.key)
		}
	}
}
