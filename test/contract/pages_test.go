package contract_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

var (
	htmlLink     = regexp.MustCompile(`(?:href|src|action)="([^"]+)"`)
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// Every link of a page, in both forms, and every address of the service that a document names leads somewhere, and to
// its anchor.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	d, client := harness.Start(t, func(s *config.Settings) {
		harness.OwnAddress(s)
		s.Proofs = []string{"mcp-registry=v=MCPv1", "openai-apps=token"}
	}), harness.NewClient(t)
	address := regexp.MustCompile(`(` + regexp.QuoteMeta(d.BaseURL()) + `[\w./-]*)`)
	bodies := map[string]string{}
	body := func(path string) string {
		if _, seen := bodies[path]; !seen {
			got := d.Send(t, client, "GET", path, "", html)
			bodies[path] = fmt.Sprintf("%d %s", got.StatusCode, got.Text)
		}
		return bodies[path]
	}
	todo := []string{"/", "/index.md"}
	for _, route := range routes.All() {
		if route.Method == "GET" && !strings.Contains(route.Path, "{") {
			todo = append(todo, route.Paths()...)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		page := todo[0]
		var links [][]string
		for _, link := range []*regexp.Regexp{htmlLink, markdownLink, address} {
			links = append(links, link.FindAllStringSubmatch(body(page), -1)...)
		}
		for _, link := range links {
			at, own := strings.CutPrefix(strings.TrimRight(link[1], "."), d.BaseURL())
			path, anchor, _ := strings.Cut(at, "#")
			switch {
			case path == "":
				path = page
			case path == "/v1": // the beginning of paths
				continue
			case !strings.HasPrefix(path, "/"):
				if own || !strings.HasPrefix(path, "https://") {
					t.Errorf("%s has the odd link %s", page, link[1])
				}
				continue
			}
			if _, seen := bodies[path]; !seen {
				if status := body(path)[:4]; status != "200 " && status != "405 " { // 405: it takes only POST
					t.Errorf("%s names %s, which answers %s", page, path, status)
				}
				if !strings.HasPrefix(path, "/assets/") {
					todo = append(todo, path)
				}
			}
			if anchor != "" && !strings.HasSuffix(path, ".md") && !strings.Contains(body(path), `id="`+anchor+`"`) {
				t.Errorf("%s links to %s, which does not have that anchor", page, link[1])
			}
		}
	}
	expect.AtLeast(t, "pages and documents that can be reached", 45, len(bodies))
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(curl .*?)\n```")

func TestCommandsWorkWhenPasted(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not on the PATH")
	}
	d := harness.Start(t, harness.OwnAddress)
	blocks := shellBlock.FindAllStringSubmatch(document(t, d, "/developers.md"), -1)
	expect.Same(t, "curl commands on /developers", 4, len(blocks))
	for _, block := range blocks {
		command := strings.Replace(block[1], "curl ", "curl --silent --show-error --fail-with-body ", 1)
		output := expect.Value(exec.CommandContext(t.Context(), "sh", "-c", command).CombinedOutput())(t)
		if len(output) == 0 {
			t.Errorf("%s\n: %s", block[1], output)
		}
	}
	expect.Same(t, "mails sent by pasting the commands", 0, len(d.Mail.Messages()))
}
