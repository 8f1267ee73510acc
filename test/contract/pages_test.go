package contract_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

var (
	htmlLink     = regexp.MustCompile(`(?:href|src|action)="([^"]+)"`)
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// TestEveryLinkLeadsSomewhere follows every link of every page, in both forms, and looks
// for the anchor that it names.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	d, client := harness.Start(t, harness.OwnAddress), harness.NewClient(t)
	bodies := map[string]string{}
	body := func(path string) string {
		if _, seen := bodies[path]; !seen {
			got := d.Send(t, client, http.MethodGet, path, "", html)
			bodies[path] = fmt.Sprintf("%d %s", got.StatusCode, got.Text)
		}
		return bodies[path]
	}
	for todo := []string{"/", "/index.md"}; len(todo) > 0; todo = todo[1:] {
		page := todo[0]
		for _, link := range slices.Concat(htmlLink.FindAllStringSubmatch(body(page), -1), markdownLink.FindAllStringSubmatch(body(page), -1)) {
			address, own := strings.CutPrefix(link[1], d.BaseURL())
			path, anchor, _ := strings.Cut(address, "#")
			switch {
			case path == "":
				path = page
			case !strings.HasPrefix(path, "/"):
				if own || !strings.HasPrefix(path, "https://") {
					t.Errorf("%s has the odd link %s", page, link[1])
				}
				continue
			case path == "/mcp", path == "/feedback", strings.HasPrefix(path, "/v1/") && path != "/v1/catalog" && path != "/v1/health":
				continue // answers only POST
			}
			_, seen := bodies[path]
			if !strings.HasPrefix(body(path), "200 ") {
				t.Errorf("%s links %s, which answers %.30q", page, link[1], body(path))
			}
			if anchor != "" && !strings.HasSuffix(path, ".md") && !strings.Contains(body(path), `id="`+anchor+`"`) {
				t.Errorf("%s links to %s, which does not have that anchor", page, link[1])
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

// TestAccessForAgents checks that /auth as Markdown is the document /auth.md.
func TestAccessForAgents(t *testing.T) {
	t.Parallel()
	d, client := harness.Start(t, nil), harness.NewClient(t)
	page := d.Send(t, client, http.MethodGet, "/auth", "", "Accept: text/markdown")
	document := d.Send(t, client, http.MethodGet, "/auth.md", "")
	if !bytes.Equal(page.Text, document.Text) || len(page.Text) == 0 {
		t.Errorf("/auth as Markdown is not /auth.md:\n%s", page.Text)
	}
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(curl .*?)\n```")

// TestCommandsWorkWhenPasted runs the commands of the developer page in a shell.
func TestCommandsWorkWhenPasted(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not on the PATH")
	}
	d := harness.Start(t, harness.OwnAddress)
	markdown := string(d.Send(t, harness.NewClient(t), http.MethodGet, "/developers.md", "").Text)
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
	expect.Same(t, "mails sent by pasting the commands", 0, len(d.Mail.Messages()))
}
