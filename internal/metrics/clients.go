package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"frontdesk/internal/signing"
)

// class is a family of clients, by what they say of themselves. Anyone can say
// anything: the figures are an estimate, and nothing depends on them.
type class int

const (
	unnamed class = iota // no User-Agent
	unknown
	browser
	agent   // of an AI service, on behalf of a person or on its own
	crawler // of anybody else
	cli
	library
	classes // how many there are
)

var classNames = [classes]string{"unnamed", other, "browser", "agent", "crawler", "cli", "library"}

// products are the first words of a User-Agent, in lower case, up to the slash.
var products = map[string]class{
	"curl": cli, "wget": cli, "httpie": cli, "xh": cli, "frontdesk": cli, "hey": cli, "postmanruntime": cli,

	"go-http-client": library, "python-requests": library, "python-httpx": library, "python-urllib": library,
	"python": library, "aiohttp": library, "axios": library, "node": library, "node-fetch": library,
	"undici": library, "okhttp": library, "java": library, "java-http-client": library, "apache-httpclient": library,
	"ruby": library, "faraday": library, "guzzlehttp": library, "php": library, "reqwest": library, "libwww-perl": library,
	"dart": library, "deno": library, "bun": library, "got": library, "rest-client": library,

	"amazonbot": agent, "bytespider": agent, "ccbot": agent, "chatgpt-user": agent, "oai-searchbot": agent, "gptbot": agent,
	"claude-user": agent, "claude-searchbot": agent, "claude-web": agent, "claudebot": agent, "claude-code": agent,
	"anthropic-ai": agent, "cohere-ai": agent, "duckassistbot": agent, "meta-externalagent": agent,
	"meta-externalfetcher": agent, "mistralai-user": agent, "perplexity-user": agent, "perplexitybot": agent,
	"google-extended": agent, "openai-mcp": agent, "mcp": agent, "mcp-client": agent, "cursor": agent, "gemini-cli": agent,

	"googlebot": crawler, "bingbot": crawler, "applebot": crawler, "duckduckbot": crawler, "yandexbot": crawler, "baiduspider": crawler,
}

const (
	compatible = "compatible; "
	longestUA  = 512 // what stands further back tells nothing
)

// classOf sorts a User-Agent. Most name themselves first; browsers, and those who
// want to be served like one, say Mozilla and name themselves later, crawlers after
// the word compatible (RFC 9110 10.1.5 tells the form, custom the rest).
func classOf(userAgent string) class {
	if userAgent == "" {
		return unnamed
	}
	userAgent = userAgent[:min(len(userAgent), longestUA)]
	if known := product(userAgent); known != unknown {
		return known
	}
	if !strings.HasPrefix(userAgent, "Mozilla/") {
		return unknown
	}
	_, named, isCrawler := strings.Cut(userAgent, compatible)
	switch {
	case !isCrawler || strings.HasPrefix(named, "MSIE"):
		return browser
	case product(named) != unknown:
		return product(named)
	}
	return crawler
}

// product looks up the first word of a text without making another text of it.
func product(text string) class {
	var word [24]byte
	n := 0
	for ; n < len(text) && text[n] != '/' && text[n] != ' ' && text[n] != ';'; n++ {
		if n == len(word) {
			return unknown
		}
		word[n] = text[n]
		if 'A' <= text[n] && text[n] <= 'Z' {
			word[n] += 'a' - 'A'
		}
	}
	if found, ok := products[string(word[:n])]; ok {
		return found
	}
	return unknown
}

// countClients makes the counters of classes and of agents' signatures.
func (m *Metrics) countClients() {
	clients := m.counter("_clients_total", "Requests by what the client says it is.", "class")
	for i, name := range classNames {
		m.clients[i] = clients.WithLabelValues(name)
	}
	agents := m.counter("_agent_signatures_total", "Signed requests of agents by what is known of the signature.", "outcome")
	m.agents = map[string]prometheus.Counter{}
	for _, outcome := range []string{signing.Verified, signing.Unverified, signing.Invalid} {
		m.agents[outcome] = agents.WithLabelValues(outcome)
	}
}
