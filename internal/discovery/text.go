package discovery

import (
	"bytes"
	"embed"
	"encoding/json"
	"strings"
	"text/template"
	"time"

	"frontdesk/contract"
)

//go:embed text/*.md
var textSource embed.FS

// texts are the templates of the Markdown documents; every number and name in them comes
// from package contract.
var texts = template.Must(template.New("").Funcs(template.FuncMap{
	"json":      func(v any) string { return string(compact(v)) },
	"seconds":   func(t time.Duration) int { return int(t.Seconds()) },
	"twin":      contract.TwinPath,
	"label":     label.Replace,
	"skillName": func() string { return contract.SkillName },
	"days":      openingDays,
	"codes":     contract.Codes,
	"ask":       func() contract.Policy { return contract.AskPolicy },
	"contact":   func() contract.Policy { return contract.ContactPolicy },
	"path":      func() any { return paths },
	"version":   func() any { return versions },
	"bound":     func() any { return bounds },
}).Option("missingkey=error").ParseFS(textSource, "text/*.md"))

// label escapes the text of a Markdown link.
var label = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

// write makes the document of a template.
func (p *Publication) write(name string) []byte {
	var out bytes.Buffer
	err := texts.ExecuteTemplate(&out, name, map[string]any{
		"Name": p.name(), "Summary": oneLine(p.Content.Business.Summary), "Base": p.base(), "WorkspaceMCP": p.workspaceMCP(),
		"Pages": p.Pages, "AgentAuth": string(p.At.agentAuth()), "Trials": p.Content.Trials,
		"Catalog": p.Catalog, "Request": p.requestName(),
	})
	if err != nil {
		panic(err) // the templates and their data are our own
	}
	return out.Bytes()
}

// requestName is the pages' name for a pilot request, empty if it is "pilot request".
func (p *Publication) requestName() string {
	if name := p.Content.Request; !strings.EqualFold(name, "pilot request") {
		return name
	}
	return ""
}

// openingDays writes the days of opening hours for programs: "tue, wed, thu".
func openingDays(hours contract.OpeningHours) string { return strings.Join(hours.Days, ", ") }

// llms is /llms.txt: what an agent should know first, and where the rest is (llms.txt
// v2). Readers follow its links and expect Markdown, so other addresses are plain text.
func (p *Publication) llms() []byte { return p.write("llms.md") }

// AuthGuide is /auth.md, and the Markdown of the page /auth.
func AuthGuide(p *Publication) []byte { return p.write("auth.md") }

// skill is the skill document (Agent Skills).
func (p *Publication) skill() []byte { return p.write("skill.md") }

// llmsFull is /llms-full.txt: llms.txt and then every page.
func (p *Publication) llmsFull() []byte {
	out := bytes.TrimSpace(p.llms())
	for _, page := range p.Pages {
		out = append(out, "\n\n---\n\n"...)
		out = append(out, "Source: "+p.base()+page.Path+"\n\n"...)
		out = append(out, bytes.TrimSpace(page.Markdown)...)
	}
	return append(out, '\n')
}

// agentAuth is the agent registration descriptor (section 5.5) as indented JSON.
// claim_uri is at the top level too, where scanners look for it (decisions, Documents).
func (a Addresses) agentAuth() []byte {
	type anonymous struct {
		CredentialTypes []string `json:"credential_types_supported"`
		ClaimURI        string   `json:"claim_uri"`
	}
	type agentAuth struct {
		Skill         string    `json:"skill"`
		RegisterURI   string    `json:"register_uri"`
		ClaimURI      string    `json:"claim_uri"`
		IdentityTypes []string  `json:"identity_types_supported"`
		Anonymous     anonymous `json:"anonymous"`
	}
	claim := a.Base + contract.PathCatalog
	encoded, err := json.MarshalIndent(struct {
		AgentAuth agentAuth `json:"agent_auth"`
	}{agentAuth{
		Skill:         a.Base + contract.PathAuthGuide,
		RegisterURI:   a.Base + contract.PathContact,
		ClaimURI:      claim,
		IdentityTypes: []string{"anonymous"},
		Anonymous:     anonymous{[]string{"none"}, claim},
	}}, "", "  ")
	if err != nil {
		panic(err) // plain strings
	}
	return encoded
}

// oneLine removes the line breaks of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
