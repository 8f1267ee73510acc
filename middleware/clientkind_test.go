package middleware

import (
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestClientKindByUserAgent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header string
		want   ClientKind
	}{
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot", ChatGPT},
		{"openai-mcp/1.0.0", ChatGPT},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)", Claude},
		{"Claude-User", Claude},
		{"Mozilla/5.0 (compatible; Google-NotebookLM; +https://developers.google.com)", Gemini},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0)", Perplexity},
		{"GitHubCopilotChat/0.26", Copilot},
		{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15", Browsers},
		{"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", Browsers},
		{"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", Programs},
		{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0", Programs},
		{"Mozilla/5.0", Programs},
		{"python-requests/2.32.0", Programs},
		{"", Programs},
		{strings.Repeat("x", 300) + "claude", Programs},
	} {
		expect.Same(t, tt.header, tt.want, clientKindByUserAgent(tt.header))
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
