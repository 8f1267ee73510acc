package discovery

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// Names of the two MCP servers, which follow the reverse domain (ServerName).
const (
	WebsiteServer   = "website"
	WorkspaceServer = "workspace"
)

// cardSchema is the schema that SEP-2127 gives to server cards.
const cardSchema = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"

// maxCardText is the longest title or description of a card, in characters.
const maxCardText = 100

// card is a server card of SEP-2127.
type card struct {
	Schema      string   `json:"$schema"`
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	WebsiteURL  string   `json:"websiteUrl"`
	Remotes     []remote `json:"remotes"`
}

type remote struct {
	Type     string   `json:"type"`
	URL      string   `json:"url"`
	Versions []string `json:"supportedProtocolVersions"`
}

// websiteCard adds the members of the older proposal (SEP-1649). Cards are open objects,
// so one document serves readers of both.
type websiteCard struct {
	card
	ServerInfo      serverInfo          `json:"serverInfo"`
	ProtocolVersion string              `json:"protocolVersion"`
	Endpoint        string              `json:"endpoint"`
	Transport       transport           `json:"transport"`
	Capabilities    map[string]struct{} `json:"capabilities"`
	Authentication  authentication      `json:"authentication"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Title   string `json:"title"`
}

type transport struct {
	Type     string `json:"type"`
	Endpoint string `json:"endpoint"`
}

type authentication struct {
	Required bool     `json:"required"`
	Schemes  []string `json:"schemes"`
}

const transportType = "streamable-http"

// serverCard is the card of the website's MCP server. The workspace's server has other
// tools and its own card.
func (p *Publication) serverCard() []byte {
	base := p.websiteCard()
	endpoint := base.Remotes[0].URL
	return payload.JSON(websiteCard{
		card:            base,
		ServerInfo:      serverInfo{base.Name, base.Version, base.Title},
		ProtocolVersion: contract.MCPVersions[0],
		Endpoint:        endpoint,
		Transport:       transport{transportType, endpoint},
		Capabilities:    map[string]struct{}{"tools": {}, "resources": {}},
		Authentication:  authentication{Schemes: []string{}},
	})
}

func (p *Publication) websiteCard() card {
	return p.newCard(ServerName(p.base(), WebsiteServer), p.base()+contract.PathMCP,
		short("Services, prices, approved answers and pilot requests of "+p.name(), "Services, prices, approved answers and pilot requests"))
}

func (p *Publication) workspaceCard() card {
	return p.newCard(ServerName(p.workspace(), WorkspaceServer), p.workspaceMCP(),
		short("Start a trial with "+p.name()+": a free workspace of drafts", "Start a trial: a free workspace of drafts"))
}

func (p *Publication) newCard(name, endpoint, description string) card {
	return card{
		Schema:      cardSchema,
		Name:        name,
		Version:     contract.ServerVersion,
		Title:       short(p.name(), "Front desk"),
		Description: description,
		WebsiteURL:  p.base() + contract.PathDevelopers,
		Remotes:     []remote{{transportType, endpoint, contract.MCPVersions}},
	}
}

// short returns text, or other if text is too long for a card.
func short(text, other string) string {
	if utf8.RuneCountInString(text) > maxCardText {
		return other
	}
	return text
}

// ServerName returns the name of an MCP server published at an address: the reversed
// domain, a slash and a name (SEP-2127), such as example.desk/website for
// https://desk.example. The MCP server answers initialize with the same name.
func ServerName(address, name string) string {
	labels := strings.Split(publisher(address), ".")
	if _, err := netip.ParseAddr(publisher(address)); err != nil {
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
