// Command generated calls every operation with the client of oapi-codegen.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"generated/client"
)

const question = "What does it cost?"

// result prints one line of the report.
func result(kind, operation string, good bool, err error) {
	switch {
	case err != nil:
		fmt.Printf("FAIL\t%s\t%s\t%v\n", kind, operation, err)
	case !good:
		fmt.Printf("FAIL\t%s\t%s\tthe answer is not as expected\n", kind, operation)
	default:
		fmt.Printf("ok\t%s\t%s\n", kind, operation)
	}
}

// from sets headers of a request.
func from(address string, header ...string) client.RequestEditorFn {
	return func(_ context.Context, r *http.Request) error {
		r.Header.Set("X-Forwarded-For", address)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return nil
	}
}

var (
	own     = from("10.0.0.4")
	other   = from("10.0.1.4")
	foreign = from("10.0.2.4", "Origin", "https://elsewhere.example")
)

// forbidden reports whether an answer holds a typed 403.
func forbidden(p *client.Problem) bool { return p != nil && p.Code == "forbidden" }

func main() {
	c, err := client.NewClientWithResponses(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ctx := context.Background()
	pilot := client.PilotRequest{Name: "Ada Lovelace", Business: "Analytical Engines Ltd", Email: "ada@example.com",
		Message: "We would like to try it."}
	dryRun, wrong := pilot, pilot
	dryRun.DryRun, wrong.Preview = new(true), new(strings.Repeat("0", 64))
	var id client.JSONRPCRequest_Id
	if err := id.FromJSONRPCRequestId1(1); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ping := client.JSONRPCRequest{Jsonrpc: "2.0", Id: &id, Method: "ping"}

	health, err := c.GetHealthWithResponse(ctx, own)
	result("answer", "getHealth", err == nil && health.JSON200 != nil && health.JSON200.Status == "ok", err)
	health, err = c.GetHealthWithResponse(ctx, foreign)
	result("error", "getHealth", err == nil && forbidden(health.ApplicationproblemJSON403), err)

	catalog, err := c.GetCatalogWithResponse(ctx, nil, own)
	result("answer", "getCatalog", err == nil && catalog.JSON200 != nil && len(catalog.JSON200.Services) > 0, err)
	catalog, err = c.GetCatalogWithResponse(ctx, nil, foreign)
	result("error", "getCatalog", err == nil && forbidden(catalog.ApplicationproblemJSON403), err)
	agents, err := c.GetAgentsWithResponse(ctx, nil, own)
	result("answer", "getAgents", err == nil && agents.JSON200 != nil && len(agents.JSON200.Services) > 0, err)
	agents, err = c.GetAgentsWithResponse(ctx, nil, foreign)
	result("error", "getAgents", err == nil && forbidden(agents.ApplicationproblemJSON403), err)

	ask, err := c.AskWithResponse(ctx, nil, client.Question{Q: question}, own)
	result("answer", "ask", err == nil && ask.JSON200 != nil && ask.JSON200.Ok, err)
	ask, err = c.AskWithResponse(ctx, nil, client.Question{}, own)
	result("error", "ask", err == nil && ask.ApplicationproblemJSON400 != nil &&
		ask.ApplicationproblemJSON400.Code == "invalid_request", err)
	alias, err := c.AskAliasWithResponse(ctx, nil, client.Question{Q: question}, own)
	result("answer", "askAlias", err == nil && alias.JSON200 != nil && alias.JSON200.Ok, err)
	alias, err = c.AskAliasWithResponse(ctx, nil, client.Question{}, own)
	result("error", "askAlias", err == nil && alias.ApplicationproblemJSON400 != nil &&
		alias.ApplicationproblemJSON400.Code == "invalid_request", err)

	feedback, err := c.GiveFeedbackWithResponse(ctx, client.Feedback{Helpful: true, Q: new(question)}, other)
	result("answer", "giveFeedback", err == nil && feedback.JSON200 != nil && feedback.JSON200.Ok, err)
	feedback, err = c.GiveFeedbackWithResponse(ctx, client.Feedback{Helpful: true, EntryId: new("no-such-entry")}, other)
	result("error", "giveFeedback", err == nil && feedback.ApplicationproblemJSON400 != nil &&
		strings.HasPrefix(feedback.ApplicationproblemJSON400.Detail, "entry_id"), err)

	previewed, err := c.ContactWithResponse(ctx, nil, dryRun, own)
	good := err == nil && previewed.JSON200 != nil
	if good {
		preview, fault := previewed.JSON200.AsPreview()
		good, err = preview.Digest != "", fault
	}
	sent, fault := c.ContactWithResponse(ctx, nil, pilot, own)
	err = errors.Join(err, fault)
	good = good && err == nil && sent.JSON200 != nil
	if good {
		accepted, fault := sent.JSON200.AsAccepted()
		good, err = accepted.Id != "", fault
	}
	result("answer", "contact", good, err)
	sent, err = c.ContactWithResponse(ctx, nil, wrong, own)
	result("error", "contact", err == nil && sent.ApplicationproblemJSON400 != nil &&
		sent.ApplicationproblemJSON400.Code == "invalid_request", err)
	again, err := c.ContactAliasWithResponse(ctx, nil, pilot, own)
	good = err == nil && again.JSON200 != nil
	if good {
		accepted, fault := again.JSON200.AsAccepted()
		good, err = accepted.Id != "", fault
	}
	result("answer", "contactAlias", good, err)
	again, err = c.ContactAliasWithResponse(ctx, nil, wrong, own)
	result("error", "contactAlias", err == nil && again.ApplicationproblemJSON400 != nil &&
		again.ApplicationproblemJSON400.Code == "invalid_request", err)

	website, err := c.WebsiteMCPWithResponse(ctx, nil, ping, own)
	result("answer", "websiteMCP", err == nil && website.JSON200 != nil && website.JSON200.Result != nil, err)
	website, err = c.WebsiteMCPWithResponse(ctx, nil, ping, foreign)
	result("error", "websiteMCP", err == nil && forbidden(website.ApplicationproblemJSON403), err)
	workspace, err := c.WorkspaceMCPWithResponse(ctx, nil, ping, own)
	result("answer", "workspaceMCP", err == nil && workspace.JSON200 != nil && workspace.JSON200.Result != nil, err)
	workspace, err = c.WorkspaceMCPWithResponse(ctx, nil, ping, foreign)
	result("error", "workspaceMCP", err == nil && forbidden(workspace.ApplicationproblemJSON403), err)

	openAPI, err := c.GetOpenAPIWithResponse(ctx, own)
	result("answer", "getOpenAPI", err == nil && openAPI.JSON200 != nil && len(*openAPI.JSON200) > 0, err)
	openAPI, err = c.GetOpenAPIWithResponse(ctx, foreign)
	result("error", "getOpenAPI", err == nil && forbidden(openAPI.ApplicationproblemJSON403), err)
	documents(ctx, c)
}

// answer is what every answer of the client has.
type answer interface {
	StatusCode() int
	GetBody() []byte
}

// documents reads the documents, whose bodies are text or open objects.
func documents(ctx context.Context, c *client.ClientWithResponses) {
	read := func(operation string, response answer, err error) {
		result("answer", operation, err == nil && response.StatusCode() == http.StatusOK && len(response.GetBody()) > 0, err)
	}
	llms, err := c.GetLLMsWithResponse(ctx, own)
	read("getLLMs", llms, err)
	wellKnown, err := c.GetLLMsWellKnownWithResponse(ctx, own)
	read("getLLMsWellKnown", wellKnown, err)
	full, err := c.GetLLMsFullWithResponse(ctx, own)
	read("getLLMsFull", full, err)
	guide, err := c.GetAuthGuideWithResponse(ctx, own)
	read("getAuthGuide", guide, err)
	apis, err := c.GetAPICatalogWithResponse(ctx, own)
	read("getAPICatalog", apis, err)
	card, err := c.GetServerCardWithResponse(ctx, own)
	read("getServerCard", card, err)
	short, err := c.GetServerCardShortWithResponse(ctx, own)
	read("getServerCardShort", short, err)
	beside, err := c.GetServerCardMCPWithResponse(ctx, own)
	read("getServerCardMCP", beside, err)
	trials, err := c.GetWorkspaceServerCardWithResponse(ctx, own)
	read("getWorkspaceServerCard", trials, err)
	skills, err := c.GetSkillsWithResponse(ctx, own)
	read("getSkills", skills, err)
	skill, err := c.GetSkillWithResponse(ctx, own)
	read("getSkill", skill, err)
	catalog, err := c.GetAICatalogWithResponse(ctx, own)
	read("getAICatalog", catalog, err)
	ard, err := c.GetARDWithResponse(ctx, own)
	read("getARD", ard, err)
	keys, err := c.GetKeysWithResponse(ctx, own)
	read("getKeys", keys, err)
	security, err := c.GetSecurityWithResponse(ctx, own)
	read("getSecurity", security, err)
	robots, err := c.GetRobotsWithResponse(ctx, own)
	read("getRobots", robots, err)
	sitemap, err := c.GetSitemapWithResponse(ctx, own)
	read("getSitemap", sitemap, err)
	for operation, get := range map[string]func() (*client.Problem, error){
		"getLLMs": func() (*client.Problem, error) {
			r, err := c.GetLLMsWithResponse(ctx, foreign)
			return r.ApplicationproblemJSON403, err
		},
		"getLLMsFull": func() (*client.Problem, error) {
			r, err := c.GetLLMsFullWithResponse(ctx, foreign)
			return r.ApplicationproblemJSON403, err
		},
		"getAuthGuide": func() (*client.Problem, error) {
			r, err := c.GetAuthGuideWithResponse(ctx, foreign)
			return r.ApplicationproblemJSON403, err
		},
		"getRobots": func() (*client.Problem, error) {
			r, err := c.GetRobotsWithResponse(ctx, foreign)
			return r.ApplicationproblemJSON403, err
		},
		"getSitemap": func() (*client.Problem, error) {
			r, err := c.GetSitemapWithResponse(ctx, foreign)
			return r.ApplicationproblemJSON403, err
		},
	} {
		problem, err := get()
		result("error", operation, forbidden(problem), err)
	}
}
