package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
)

var (
	htmlLink     = regexp.MustCompile(`(?:href|src|action)="([^"]+)"`)
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// TestEveryLinkLeadsSomewhere follows every link of every page, in both forms, to
// an answer and to the anchor that it names.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	d, client := startDesk(t, ownAddress), newClient(t)
	bodies := map[string]string{}
	body := func(path string) string {
		if _, seen := bodies[path]; !seen {
			got := d.send(t, client, http.MethodGet, path, "", html)
			bodies[path] = fmt.Sprintf("%d %s", got.StatusCode, got.body)
		}
		return bodies[path]
	}
	for todo := []string{"/", "/index.md"}; len(todo) > 0; todo = todo[1:] {
		page := todo[0]
		for _, link := range slices.Concat(htmlLink.FindAllStringSubmatch(body(page), -1), markdownLink.FindAllStringSubmatch(body(page), -1)) {
			address, own := strings.CutPrefix(link[1], d.config.BaseURL)
			path, anchor, _ := strings.Cut(address, "#")
			switch {
			case path == "":
				path = page
			case !strings.HasPrefix(path, "/"):
				if own || !strings.HasPrefix(path, "https://") {
					t.Errorf("%s has the odd link %s", page, link[1])
				}
				continue
			case path == "/mcp", strings.HasPrefix(path, "/v1/") && path != "/v1/catalog" && path != "/v1/health":
				continue // answers POST alone
			}
			_, seen := bodies[path]
			if !strings.HasPrefix(body(path), "200 ") {
				t.Errorf("%s links %s, which answers %.30q", page, link[1], body(path))
			}
			if anchor != "" && !strings.HasSuffix(path, ".md") && !strings.Contains(body(path), `id="`+anchor+`"`) {
				t.Errorf("%s links %s, where no such anchor is", page, link[1])
			}
			if !seen && !strings.HasPrefix(path, "/assets/") && !strings.HasSuffix(path, ".json") {
				todo = append(todo, path)
			}
		}
	}
	if len(bodies) < 15 {
		t.Errorf("only %d pages and documents can be reached from the home page", len(bodies))
	}
}

// TestAccessForAgents is one document under two addresses.
func TestAccessForAgents(t *testing.T) {
	t.Parallel()
	d, client := startDesk(t, nil), newClient(t)
	page := d.send(t, client, http.MethodGet, "/auth", "", "Accept: text/markdown")
	document := d.send(t, client, http.MethodGet, "/auth.md", "")
	if !bytes.Equal(page.body, document.body) || len(page.body) == 0 {
		t.Errorf("/auth as Markdown is not /auth.md:\n%s", page.body)
	}
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(curl .*?)\n```")

// TestCommandsWorkWhenPasted gives the commands of the developer page to a shell.
func TestCommandsWorkWhenPasted(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not on the PATH")
	}
	d := startDesk(t, ownAddress)
	markdown := string(d.live.Page("/developers").Markdown.Body.Bytes)
	blocks := shellBlock.FindAllStringSubmatch(markdown, -1)
	if len(blocks) != 4 {
		t.Fatalf("%d curl commands on /developers, want 4", len(blocks))
	}
	for _, block := range blocks {
		command := strings.Replace(block[1], "curl ", "curl --silent --show-error --fail-with-body ", 1)
		output, err := exec.CommandContext(t.Context(), "sh", "-c", command).CombinedOutput()
		if err != nil || len(output) == 0 {
			t.Errorf("%s\n%v: %s", block[1], err, output)
		}
	}
	if n := len(d.mail.Messages()); n != 0 {
		t.Errorf("pasting the commands sends %d mails", n)
	}
}

// sampleSnapshot is the sample as a business of that name would serve it, not live yet.
func sampleSnapshot(t testing.TB, name string) *snapshot {
	t.Helper()
	sample, err := content.Load(content.Sample())
	if err != nil {
		t.Fatal(err)
	}
	sample.Business.Name = name
	at := discovery.Addresses{Base: publishedBase}
	s, err := newSnapshot(sample, sampleBooks.of(sample.FAQ, sample.Golden.Unanswered, faq.DefaultPrecision, at.Resolve), at, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// chooser is a model that takes the entry shown first, after something has happened.
type chooser func()

func (c chooser) Choose(context.Context, string, []*content.Entry) (int, contract.Reason) {
	c()
	return 0, contract.ReasonMatched
}

// TestAnswerPageIsOfOneContent reloads while a question of the form is answered: the
// page that shows the answer is that of the content which gave it.
func TestAnswerPageIsOfOneContent(t *testing.T) {
	t.Parallel()
	var live live
	before, after := sampleSnapshot(t, "Old & Sons"), sampleSnapshot(t, "Newcomer")
	live.model = chooser(func() { live.current.Store(after) })
	live.swap(before)
	page := string(live.Answered(t.Context(), "What is the weather in Paris?").HTML)
	if live.current.Load() != after {
		t.Fatal("the model was not asked")
	}
	if !strings.Contains(page, `class="answer"`) || !strings.Contains(page, "Old &amp; Sons") || strings.Contains(page, "Newcomer") {
		t.Errorf("the page mixes two contents:\n%s", page)
	}
}

// TestSnapshotPublishesOnce asks for what a new snapshot publishes, many at once.
func TestSnapshotPublishesOnce(t *testing.T) {
	t.Parallel()
	s := sampleSnapshot(t, "Sample")
	if s.current.Load() != nil {
		t.Error("a snapshot publishes before it is asked to")
	}
	var got [8]*published
	var callers sync.WaitGroup
	for i := range got {
		callers.Go(func() { got[i] = s.published() })
	}
	callers.Wait()
	for _, one := range got {
		if one == nil || one != got[0] || one.Document(contract.PathCatalog) == nil {
			t.Fatalf("callers were given %v", got)
		}
	}
}

// TestSnapshotForgetsExpiredEntries makes the page of questions anew when an entry
// expires while its snapshot is served.
func TestSnapshotForgetsExpiredEntries(t *testing.T) {
	t.Parallel()
	s := sampleSnapshot(t, "Sample")
	before := s.published()
	if s.published() != before {
		t.Error("what is published is made again although nothing has expired")
	}
	entry := &s.content.FAQ.Entries[1]
	if !strings.Contains(string(before.pages["/faq"].HTML.Body.Bytes), entry.Question) {
		t.Fatalf("the page of questions lacks %q", entry.Question)
	}
	// The entry's last day was yesterday, and what is published was made before.
	ends := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)
	entry.Expires, before.until = ends, ends.AddDate(0, 0, 1)
	after := s.published()
	if after == before || strings.Contains(string(after.pages["/faq"].HTML.Body.Bytes), entry.Question) {
		t.Error("an expired entry is still on the page of questions")
	}
}
