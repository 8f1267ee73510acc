package middleware

import (
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

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
