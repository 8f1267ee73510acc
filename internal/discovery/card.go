package discovery

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/content"
	"frontdesk/contract"
)

// Names of the two MCP servers, which follow the reverse domain (serverName).
const (
	WebsiteServer   = "website"
	WorkspaceServer = "workspace"
)

// serverCard is what the card of an MCP server (SEP-2127) says about that server only.
type serverCard struct{ Name, About string }

func (p *Publication) websiteCard() serverCard {
	offered := "Services, prices, approved answers and pilot requests"
	if requestName(p.Content) != "" {
		offered = "Services, prices, approved answers and a person who reads messages"
	}
	return serverCard{
		serverName(p.At.Base, WebsiteServer),
		short(offered+" of "+p.Content.Name, offered),
	}
}

func (p *Publication) workspaceCard() serverCard {
	return serverCard{
		serverName(p.At.workspace(), WorkspaceServer),
		short("Start a trial with "+p.Content.Name+": a free workspace of drafts",
			"Start a trial: a free workspace of drafts"),
	}
}

// Listing returns the server.json with which the MCP registry lists one of the two servers.
func Listing(c *content.Content, at Addresses, server string) []byte {
	p := &Publication{Content: c, At: at}
	data := p.data()
	data["Card"], data["Remote"] = p.websiteCard(), at.Base+contract.PathMCP
	if server == WorkspaceServer {
		data["Card"], data["Remote"] = p.workspaceCard(), at.workspace()+contract.PathWorkspaceMCP
	}
	return render("listing.json", data)
}

// Servers describes both MCP servers, as JSON: the name, the instructions and the tools of each.
func Servers(p *Publication) []byte { return renderYAML("mcp.yaml", p.data()) }

// maxCardText is the longest title or description of a card, in characters.
const maxCardText = 100

// short returns text, or other if text is too long for a card.
func short(text, other string) string {
	if utf8.RuneCountInString(text) > maxCardText {
		return other
	}
	return text
}

// serverName returns the name of an MCP server published at an address: the reversed
// domain, a slash and a name (SEP-2127), such as example.desk/website for
// https://desk.example. The MCP server answers initialize with the same name.
func serverName(address, name string) string {
	host := publisher(address)
	labels := strings.Split(host, ".")
	if _, err := netip.ParseAddr(host); err != nil {
		slices.Reverse(labels)
	}
	return strings.Join(labels, ".") + "/" + name
}

// publisher returns the host of an address with the characters that names allow: the
// colons of an IPv6 address become hyphens.
func publisher(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Hostname() == "" {
		return "localhost"
	}
	return strings.ReplaceAll(parsed.Hostname(), ":", "-")
}
