package contract_test

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func contactFields() map[string]string {
	fields := map[string]string{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[contract.PilotRequest]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" && name != contract.FieldDryRun && name != contract.FieldPreview {
			fields[name] = "value-of-" + name
		}
	}
	fields[contract.FieldEmail] += "@example.com"
	return fields
}

type wouldSend struct {
	WouldSend map[string]string `json:"would_send"`
}

var inputs = regexp.MustCompile(`<input[^>]* name="([a-z_]+)"[^>]* value="([^"]*)"`)

// mark is a text in the form's tag.
func inputsOf(t *testing.T, page, mark string) url.Values {
	t.Helper()
	expect.Holds(t, "the page", page, mark)
	_, form, _ := strings.Cut(page, mark)
	form, _, _ = strings.Cut(form, "</form>")
	values := url.Values{}
	for _, input := range inputs.FindAllStringSubmatch(form, -1) {
		values.Set(input[1], input[2])
	}
	return values
}

// A field that is added to contract.PilotRequest fails here until every place carries it.
func TestEveryContactField(t *testing.T) {
	t.Parallel()
	fields := contactFields()
	d, client := harness.Start(t, nil), harness.NewClient(t)
	carries := func(where string, value func(field string) string) {
		t.Helper()
		for name, want := range fields {
			expect.Same(t, where+": "+name, want, value(name))
		}
	}
	page := func(method string, form url.Values) string {
		answer := d.Send(t, client, method, contract.PathContactPage, form.Encode(), formType, html)
		harness.WantStatus(t, answer, 200)
		return string(answer.Text)
	}

	form := page("GET", nil)
	typed := url.Values{contract.FieldDryRun: {"true"}}
	for name, value := range fields {
		typed.Set(name, value)
		expect.Holds(t, "the form (internal/site/contact.go)", form, ` name="`+name+`"`)
	}
	preview := page("POST", typed)
	send := inputsOf(t, preview, `toolname="send_pilot_request"`)
	carries("the send button of the preview", send.Get)
	_, behind, _ := strings.Cut(preview, "</form>")
	back := inputsOf(t, behind, "<form")
	carries("the back button of the preview", back.Get)
	back.Set("step", "write")
	again := page("POST", back)
	for name, value := range fields {
		expect.Holds(t, "the form shown again, "+name, again, value)
	}
	send.Set(contract.FieldDryRun, "false")
	page("POST", send)

	// What the owner gets.
	_, text := d.Mail.Wait(1)[0].Read(t)
	for name, value := range fields {
		expect.Holds(t, "the mail (internal/pilot/mail.go), "+name, text, value)
	}
	command := func(args ...string) string {
		if args[0] == "inquiries" {
			args = append(args, "--data", d.Settings.Dir())
		}
		code, out, stderr := harness.Command(t, args...)
		expect.Same(t, fmt.Sprint(args, ": exit ", stderr), 0, code)
		return out
	}
	stored := func(args ...string) map[string]any {
		return expect.JSON[[]map[string]any](t, []byte(command(append(args, "--json")...)))[0]
	}
	record := stored("inquiries")
	carries("the record", func(name string) string { return fmt.Sprint(record[name]) })
	shown := command("inquiries", "show", record["id"].(string))
	rows := expect.Value(csv.NewReader(strings.NewReader(command("inquiries", "--csv"))).ReadAll())(t)
	carries("the CSV", func(name string) string {
		if at := slices.Index(rows[0], name); at >= 0 {
			return rows[1][at]
		}
		return "no column"
	})

	dry := map[string]any{contract.FieldDryRun: true}
	for name, value := range fields {
		dry[name] = value
	}
	body := string(marshalled(dry))
	answer := expect.JSON[wouldSend](t, d.Send(t, client, "POST", contract.PathContact, body, harness.JSONType).Text)
	carries("would_send", func(name string) string { return answer.WouldSend[name] })
	called := expect.JSON[struct {
		Result struct{ StructuredContent wouldSend }
	}](t, d.CallTool(t, client, contract.PathMCP, contract.ToolRequestPilot, body).Text)
	carries("request_pilot", func(name string) string { return called.Result.StructuredContent.WouldSend[name] })
	listed := expect.JSON[struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
		}
	}](t, d.Send(t, client, "POST", contract.PathMCP, harness.RPC("tools/list", `{}`), harness.JSONType).Text)
	described := loadDescription(t).Paths.Value(contract.PathContact).Post.RequestBody.Value.Content
	args := []string{"contact", "--url", d.URL, "--dry-run", "--json"}
	for name, value := range fields {
		args = append(args, "--"+name, value)
		for _, tool := range listed.Result.Tools {
			if tool.Name == contract.ToolRequestPilot && tool.InputSchema.Properties[name] == nil {
				t.Errorf("the schema of request_pilot lacks %s: internal/discovery/documents/mcp.yaml", name)
			}
		}
		for mediaType, body := range described {
			if body.Schema.Value.Properties[name] == nil {
				t.Errorf("the description of %s lacks %s: internal/discovery/documents/openapi.yaml", mediaType, name)
			}
		}
		expect.Holds(t, "frontdesk inquiries show", shown, value)
	}
	printed := expect.JSON[wouldSend](t, []byte(command(args...)))
	carries("frontdesk contact", func(name string) string { return printed.WouldSend[name] })

	expect.Holds(t, "the form", form, `<div class="trap" aria-hidden="true">`,
		`name="website" autocomplete="off" tabindex="-1" readonly value=""`)
	send.Set("website", "https://spam.example")
	send.Set("idempotency_key", "of-spam")
	send.Set(contract.FieldQuestion, "deleted from the message")
	expect.Lacks(t, "the answer to spam", page("POST", send), fields[contract.FieldEmail])
	spam := stored("inquiries", "--quarantined")
	carries("the record of spam", func(name string) string { return fmt.Sprint(spam[name]) })
	expect.Same(t, "the question", nil, spam["question"])
	expect.Holds(t, "the notice", d.Mail.Wait(2)[1].Data, "\nfrontdesk inquiries --resend")
	command("inquiries", "--resend", spam["id"].(string), "--smtp-url", d.Settings.SMTPURL)
	d.Mail.Wait(3) // with the resent request
}
