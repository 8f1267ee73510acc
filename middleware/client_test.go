package middleware

import (
	"bytes"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48")}
	for _, tt := range []struct{ peer, forwarded, want string }{
		{"192.0.2.1:5000", "", "192.0.2.1"},
		{"192.0.2.1:5000", "198.51.100.1", "192.0.2.1"}, // no proxy
		{"[::ffff:10.0.0.1]:5000", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:5000", "203.0.113.9, 198.51.100.1", "198.51.100.1"}, // the left one can be made up
		{"10.0.0.1:5000", "203.0.113.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:5000", "198.51.100.1:443", "198.51.100.1"},
		{"10.0.0.1:5000", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
		{"10.0.0.1:5000", "198.51.100.1, unknown", "10.0.0.1"},
	} {
		header := http.Header{}
		if tt.forwarded != "" {
			header.Set(forwardedFor, tt.forwarded)
		}
		r := get(t, "/", header)
		r.RemoteAddr = tt.peer
		var got limits.Client
		serve(ClientAddress(proxies, nil, zerolog.Nop())(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = limits.ClientFrom(r.Context())
		})), r)
		if want := limits.ClientOf(netip.MustParseAddr(tt.want)); got != want {
			t.Errorf("%v: client = %v, want %v", tt, got, want)
		}
	}
}

func TestUntrustedForwardingIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	handler := ClientAddress(nil, nil, zerolog.New(&log))(http.HandlerFunc(fine))
	for range 3 {
		serve(handler, get(t, "/", http.Header{forwardedFor: {"198.51.100.1"}}))
	}
	expect.Same(t, "warnings", 1, strings.Count(log.String(), "FRONTDESK_TRUSTED_PROXIES"))
}

func TestClientKindByUserAgent(t *testing.T) {
	t.Parallel()
	const webKit = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; "
	for want, headers := range map[ClientKind][]string{
		ChatGPT: {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
			"openai-mcp/1.0.0"},
		Claude:     {webKit + "Claude-User/1.0; +Claude-User@anthropic.com)", "Claude-User"},
		Gemini:     {"Mozilla/5.0 (compatible; Google-NotebookLM; +https://developers.google.com)"},
		Perplexity: {webKit + "Perplexity-User/1.0)"},
		Copilot:    {"GitHubCopilotChat/0.26"},
		Browsers: {"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
			"Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15"},
		Programs: {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Mozilla/5.0", "",
			"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0",
			"python-requests/2.32.0", strings.Repeat("x", 300) + "claude"},
	} {
		for _, header := range headers {
			expect.Same(t, header, want, clientKindByUserAgent(header))
		}
	}
}

func TestClientKindByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]ClientKind{
		"openai-mcp": ChatGPT, "claude-ai": Claude, "claude-code": Claude, "Anthropic/ClaudeAI": Claude,
		"gemini-cli-mcp-client": Gemini, "Visual Studio Code": Copilot, "cursor-vscode": Programs, "": Programs,
	} {
		expect.Same(t, name, want, clientKindByName(name))
	}
}
