package discovery

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"frontdesk/contract"
)

// agents are the crawlers of AI services. robots.txt names them because some scanners
// look for the names.
var agents = []string{
	"Amazonbot", "Applebot", "Applebot-Extended", "Bytespider", "CCBot", "ChatGPT-User", "Claude-SearchBot",
	"Claude-User", "Claude-Web", "ClaudeBot", "DuckAssistBot", "GPTBot", "Google-Extended", "Meta-ExternalAgent",
	"MistralAI-User", "OAI-SearchBot", "Perplexity-User", "PerplexityBot", "anthropic-ai", "cohere-ai",
}

// contentSignal allows search and quoting, but not the training of models.
const contentSignal = "search=yes, ai-input=yes, ai-train=no"

// robots is /robots.txt (RFC 9309, Content Signals, ARD 0.91). Lighthouse calls its
// Content-Signal and Agentmap lines unknown, because its audit has a fixed list of
// directives. They stay: by RFC 9309 crawlers ignore other lines, and the
// scanners of agent readiness ask for both.
func (p *Publication) robots() []byte {
	rules := "Content-Signal: " + contentSignal + "\nAllow: /\n"
	var b strings.Builder
	b.WriteString("# Agents are welcome. Start at " + p.base() + contract.PathLLMS + "\n\n")
	b.WriteString("User-agent: *\n" + rules + "\n")
	for _, agent := range agents {
		b.WriteString("User-agent: " + agent + "\n")
	}
	b.WriteString(rules + "\n")
	// A comment, because Lighthouse and others call a robots.txt with an unknown directive
	// invalid. The Link header of every page also leads to ARD.
	fmt.Fprintf(&b, "Sitemap: %s%s\n# Agentmap: %s%s\n", p.base(), contract.PathSitemap, p.base(), contract.PathARD)
	return []byte(b.String())
}

type urlSet struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []pageURL `xml:"url"`
}

type pageURL struct {
	Location string `xml:"loc"`
}

// sitemap is /sitemap.xml: the pages for people. It has no dates, because the service
// does not know when the owner wrote a page.
func (p *Publication) sitemap() []byte {
	var set urlSet
	for _, page := range p.Pages {
		set.URLs = append(set.URLs, pageURL{p.base() + page.Path})
	}
	body, err := xml.MarshalIndent(set, "", "  ")
	if err != nil {
		panic(err) // plain strings
	}
	return bytes.Join([][]byte{[]byte(strings.TrimSuffix(xml.Header, "\n")), body, nil}, []byte("\n"))
}

// securityLife is how long security.txt is valid from the day on which it is made; RFC
// 9116 2.5.5 advises less than a year.
const securityLife = 360 * 24 * time.Hour

// securityText is /.well-known/security.txt (RFC 9116).
func (p *Publication) securityText() []byte {
	expires := p.Loaded.UTC().Truncate(24 * time.Hour).Add(securityLife)
	var b strings.Builder
	fmt.Fprintf(&b, "Contact: %s%s\n", p.base(), contract.PathContactPage)
	fmt.Fprintf(&b, "Expires: %s\n", expires.Format(time.RFC3339))
	fmt.Fprintf(&b, "Canonical: %s%s\n", p.base(), contract.PathSecurity)
	if languages := p.Content.Business.Languages; len(languages) > 0 {
		fmt.Fprintf(&b, "Preferred-Languages: %s\n", strings.Join(languages, ", "))
	}
	return []byte(b.String())
}
