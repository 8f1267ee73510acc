package client

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var contactArgs = []string{"contact", "--name=Ana Duarte", "--business=Duarte Bakery",
	"--email=ana@duarte.example", "--message=We bake."}

var changing = regexp.MustCompile(`127\.0\.0\.1:\d+|\d+ ms`)

// What each command sends and prints, also with --json. A real send has a key, a dry run has none.
func TestCommands(t *testing.T) {
	t.Parallel()
	const none, random = `^$`, `^[A-Z2-7]{26}$`
	fields := `"name":"Ana Duarte","business":"Duarte Bakery","email":"ana@duarte.example","message":"We bake."`
	for _, tt := range []struct {
		golden     string
		answer     any
		args       []string
		path, body string
		key        string // pattern of the Idempotency-Key
	}{
		{"health", contract.Health{Status: contract.HealthOK}, []string{"health"}, contract.PathHealth, "", none},
		{"catalog", sampleCatalog, []string{"catalog"}, contract.PathCatalog, "", none},
		{"service", sampleCatalog, []string{"service", "bookkeeping"}, contract.PathCatalog, "", none},
		{"service-plain", sampleCatalog, []string{"service", "cleanup"}, contract.PathCatalog, "", none},
		{"ask", sampleAnswer, []string{"ask", "Do", "you", "offer <b>?"}, contract.PathAsk, `{"q":"Do you offer <b>?"}`, none},
		{"ask-fallback", sampleFallback, []string{"ask", "Boats?"}, contract.PathAsk, `{"q":"Boats?"}`, none},
		{"contact", sampleAccepted, contactArgs, contract.PathContact, "{" + fields + "}", random},
		{"contact", sampleAccepted, with(contactArgs, "--idempotency-key=k-1"), contract.PathContact, "{" + fields + "}", `^k-1$`},
		{"contact", sampleAccepted, with(contactArgs, "--preview=3b7c0d"), contract.PathContact, "{" + fields + `,"preview":"3b7c0d"}`, random},
		{"contact-dry-run", samplePreview, with(contactArgs, "--phone=1", "--segment=b", "--dry-run", "--idempotency-key=k-1"),
			contract.PathContact, "{" + fields + `,"phone":"1","segment":"b","dry_run":true}`, none},
	} {
		service := answering(t, tt.answer)
		got := run(t, with(tt.args, "--url", service.url)...)
		expect.Same(t, tt.golden+": exit code", []any{0, ""}, []any{got.code, got.err})
		checkGolden(t, tt.golden, changing.ReplaceAllString(got.out, "X"))
		method := "GET"
		if tt.body != "" {
			method = "POST"
		}
		expect.Same(t, tt.golden+": request", []string{method, tt.path, tt.body, "frontdesk-cli"},
			[]string{service.method, service.path, strings.TrimSpace(string(service.body)), service.header.Get("User-Agent")})
		if key := service.header.Get(contract.HeaderIdempotencyKey); !regexp.MustCompile(tt.key).MatchString(key) {
			t.Errorf("%s: the key on the wire is %q, want %s", tt.golden, key, tt.key)
		}
		want := asServed(t, tt.answer) + "\n"
		if tt.args[0] == "service" {
			detail, _ := sampleCatalog.Service(tt.args[1])
			want = asJSON(t, detail) + "\n"
		}
		got = run(t, with(tt.args, "--json", "--url", service.url)...)
		expect.Same(t, tt.golden+" --json", result{out: want}, got, cmp.AllowUnexported(result{}))
	}
}

func TestJSONOffline(t *testing.T) {
	t.Parallel()
	offline := func(context.Context, string, string, bool) (contract.Answer, fmt.Stringer, error) {
		return contract.Answer{Answer: "Salt & <b>bread</b>."}, nil, nil
	}
	got := runOn(t.Context(), t, &Terminal{Width: 80, Offline: offline}, "ask", "--content=shop", "--json", "Bread?")
	expect.Holds(t, "the answer", got.out, `"answer":"Salt & <b>bread</b>."`)
}

func TestColouredOutput(t *testing.T) {
	t.Parallel()
	service := answering(t, sampleCatalog)
	got := runOn(t.Context(), t, &Terminal{Width: 60, Color: true}, "catalog", "--url", service.url)
	checkGolden(t, "catalog-colour", got.out)
}

func TestUnknownService(t *testing.T) {
	t.Parallel()
	service := answering(t, sampleCatalog)
	const said = "frontdesk: There is no service \"boats\".\n  Hint: The services are: bookkeeping, cleanup.\n"
	if got := run(t, "service", "boats", "--url", service.url); got != (result{"", said, ExitRefused}) {
		t.Errorf("got %+v", got)
	}
	got := run(t, "service", "boats", "--json", "--url", service.url)
	problem := expect.JSON[contract.Problem](t, []byte(got.out))
	if got.err != said || problem.Code != contract.NotFound || problem.Status != 404 ||
		problem.Type != "https://books.example/developers#errors-not_found" {
		t.Errorf("got %+v with the problem %+v", got, problem)
	}
}
