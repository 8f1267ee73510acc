package faults

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/mailer/mailtest"
)

// costlyHeaders are headers of one request, by name and value, made as dear as 28 KiB can
// be for what reads them. The first are those of a signed request.
func costlyHeaders() [][]string {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("a%d", i))
	}
	params := fmt.Sprintf(`;created=%d;expires=%d;keyid="k";tag="web-bot-auth"`, time.Now().Unix(), time.Now().Unix()+60)
	long := func(part string) string { return strings.Repeat(part, contract.MaxHeaderBytes/len(part)) }
	return [][]string{
		{
			"Signature-Agent", strings.Join(names, ","), "Signature", "x=:AAAA:",
			"Signature-Input", "x=(" + strings.Repeat("1 ", 1200) + ")" + params,
		},
		{"Signature-Input", long("a=1,") + "a=1"},
		{"Accept-Signature", long("a=(1 1 1),") + "a=1"},
		{"Accept", long("a/b;q=0.1,")},
		{"Accept-Language", long("de,")},
		{"Accept-Encoding", long("a;q=0,")},
		{"If-None-Match", long(`"a",`)},
		{"Idempotency-Key", `"k"` + long(";a=1")},
		{"Content-Encoding", long("identity,")},
		{"X-Forwarded-For", long("127.0.0.1,") + "10.1.2.3"},
		{"Forwarded", long("for=1,")},
		{"Cookie", long("a=1; ")},
	}
}

// TestCostlyHeaders: no header makes a request dearer than a few ordinary ones. It
// compares the CPU that the process uses, so that other processes do not count.
func TestCostlyHeaders(t *testing.T) {
	t.Parallel()
	p := setup{
		mail: mailtest.Listen(t, mailtest.Options{}), environ: []string{withAdmin},
	}.start(t)
	c := newCaller(t, p.url)
	n := sized(20, 100)
	// cost is the CPU of n requests to each route.
	cost := func(header ...string) time.Duration {
		before := p.cpu(t)
		for range n {
			for path, body := range map[string]string{
				contract.PathCatalog: "", contract.PathHome: "", contract.PathOpenAPI: "", "/nothing": "",
				contract.PathAsk: `{"q":"What does it cost?"}`, contract.PathMCP: `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			} {
				method := http.MethodGet
				if body != "" {
					method = http.MethodPost
				}
				if got := c.send(method, path, body, header...); got.status == 0 || got.status >= http.StatusInternalServerError {
					t.Fatalf("%s: %d %v", path, got.status, got.err)
				}
			}
		}
		return p.cpu(t) - before
	}
	cost() // the first requests make the documents
	ordinary := cost()
	all := costlyHeaders()
	for _, header := range all[:sized(2, len(all))] {
		if dear := cost(header...); dear > 10*ordinary+100*time.Millisecond {
			t.Errorf("%s: %d requests to each route cost %v of CPU, as many ordinary ones %v", header[0], n, dear, ordinary)
		}
	}
}
