package browser_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
)

type agent struct {
	t *testing.T
	tab
}

func (a agent) tools(step action) map[string]*webmcp.Tool {
	a.t.Helper()
	added := expect.Value(chromedp.Run(a.Context, chromedp.WaitEvent(webmcp.ToolsAdded, nil, step)))(a.t)
	tools := map[string]*webmcp.Tool{}
	for _, tool := range added.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

func (a agent) offered(tool *webmcp.Tool) []string {
	a.t.Helper()
	schema := expect.JSON[struct {
		Properties map[string]struct{ Description string }
	}](a.t, tool.InputSchema)
	for name, property := range schema.Properties {
		if property.Description == "" {
			a.t.Errorf("%s does not describe %s", tool.Name, name)
		}
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}

func autosubmit(tool *webmcp.Tool) bool {
	return tool.Annotations != nil && tool.Annotations.Autosubmit
}

func (a agent) invoke(tool *webmcp.Tool, values map[string]string) action {
	a.t.Helper()
	input := map[string]string{}
	for _, name := range a.offered(tool) {
		input[name] = values[name]
		if input[name] == "" {
			input[name] = "filled in for " + name
		}
	}
	return call(webmcp.InvokeTool, webmcp.InvokeToolParams{
		FrameID: tool.FrameID, ToolName: tool.Name, Input: expect.Value(json.Marshal(input))(a.t),
	})
}

func TestWebMCP(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, chromedp.Flag("enable-features", "WebMCP"))
	t.Run("ask", func(t *testing.T) {
		d, ctx := open(t, b, true, "/")
		a := agent{t, ctx}
		tool := a.tools(call(webmcp.Enable, cdp.Empty{}))["ask_faq"]
		expect.Same(t, "parameters", []string{"q"}, a.offered(tool))
		if !autosubmit(tool) {
			t.Error("the question is not sent by itself")
		}
		do(t, ctx, a.invoke(tool, map[string]string{"q": "Who is it for?"}), visible(".answer"))
		expect.Same(t, "answer", d.Ask(t, "Who is it for?").Answer, read(t, ctx, ".answer .verbatim"))
	})
	t.Run("contact", func(t *testing.T) {
		d, ctx := open(t, b, true, "/contact")
		a := agent{t, ctx}
		tool := a.tools(call(webmcp.Enable, cdp.Empty{}))["preview_pilot_request"]
		expect.Same(t, "parameters", []string{"business", "email", "message", "name", "phone", "segment"}, a.offered(tool))
		do(t, ctx, a.invoke(tool, map[string]string{"email": "ada@example.com"}), ready("form.pilot:valid"))
		if n := len(d.Mail.Messages()); n != 0 || autosubmit(tool) {
			t.Errorf("%d mails before the preview, autosubmit %v", n, autosubmit(tool))
		}
		send := a.tools(typed(".pilot button", "\r"))["send_pilot_request"]
		expect.Same(t, "parameters of sending", 0, len(a.offered(send)))
		do(t, ctx, a.invoke(send, nil))
		if n := len(d.Mail.Messages()); n != 0 || autosubmit(send) {
			t.Errorf("%d mails before the button, autosubmit %v", n, autosubmit(send))
		}
		do(t, ctx, typed(".preview button", "\r"), visible(".accepted"))
		_, text := d.Mail.Wait(1)[0].Read(t)
		expect.Holds(t, "the mail", text, "filled in for message")
		expect.Same(t, "state", records.Sent, d.Inquiries(t, 1)[0].State)
	})
}
