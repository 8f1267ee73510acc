package discovery

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func FuzzDescription(f *testing.F) {
	for _, name := range []string{"Ada's", `"Ada" \ Co`, "a: b", "# {{.Name}}", "- x", "%", "`a`", "é—日本", "|", "&a *b !c",
		"]]>", "<b>&amp;", "a\ufffeb"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " ")
		if name == "" || regexp.MustCompile(`\pC`).MatchString(name) {
			t.Skip() // content refuses such a name
		}
		p := publicationOf(t, name, desk)
		info := expect.JSON[struct {
			Info struct{ Title, Description string }
		}](t, p.openAPI()).Info
		name = strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd").Replace(name)
		if info.Title != name+", public agent API" || !strings.Contains(info.Description, name) {
			t.Errorf("the name %q has become %q", name, info.Title)
		}
		for server, text := range expect.JSON[map[string]struct{ Instructions string }](t, Servers(p)) {
			if !strings.HasPrefix(text.Instructions, name+": ") {
				t.Errorf("the instructions of the %s begin %.200q", server, text.Instructions)
			}
		}
		for path, document := range Documents(p) {
			if document.ContentType == contract.TypeJSON && !json.Valid(document.Body.Bytes) {
				t.Errorf("%s is no JSON", path)
			}
		}
	})
}

// An example holds an answer as the content does, except for characters that YAML cannot hold.
func TestOwnersTextsReachTheDescription(t *testing.T) {
	t.Parallel()
	p := publicationOf(t, "", desk)
	const answer = "\ta: {b}\n\n  # c\u2028\u2029 \U0001f600 \ufeff\uffff \u200d'\"\\ end "
	p.Ask = func(string) contract.Answer { return contract.Answer{Answer: answer} }
	document := expect.JSON[struct {
		Components struct {
			Responses map[string]struct {
				Content map[string]struct {
					Examples map[string]struct{ Value contract.Answer }
				}
			}
		}
	}](t, p.openAPI())
	got := document.Components.Responses["Answered"].Content["application/json"].Examples["answered"].Value.Answer
	want := strings.NewReplacer("\ufeff", "\ufffd", "\uffff", "\ufffd").Replace(answer)
	expect.Same(t, "the example says", want, got)
}

func TestExamplesSkipWhatHasExpired(t *testing.T) {
	t.Parallel()
	yesterday := time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)
	p := &Publication{Now: loaded, Content: &content.Content{FAQ: content.FAQ{Entries: []content.Entry{
		{Question: "Old?", Expires: yesterday}, {Question: "New?"},
	}}}}
	if answered, unanswered := p.exampleQuestions(); answered != "New?" || unanswered == "" {
		t.Errorf("questions = %q, %q", answered, unanswered)
	}
	p.Content.FAQ.Entries = p.Content.FAQ.Entries[:1]
	if answered, _ := p.exampleQuestions(); answered == "Old?" {
		t.Error("an expired entry is an example")
	}
}

func TestDescriptionsAreShort(t *testing.T) {
	t.Parallel()
	const most = 300
	document := expect.JSON[map[string]any](t, publicationOf(t, "", desk).openAPI())
	delete(document, "info") // for people
	var check func(at string, value any)
	check = func(at string, value any) {
		switch value := value.(type) {
		case map[string]any:
			text, _ := value["description"].(string)
			if n := len([]rune(text)); n > most {
				t.Errorf("%s: a description of %d characters", at, n)
			} else if value["operationId"] != nil && n == 0 && value["summary"] == nil {
				t.Errorf("%s: neither summary nor description", at)
			}
			for name, member := range value {
				check(at+"/"+name, member)
			}
		case []any:
			for _, item := range value {
				check(at, item)
			}
		}
	}
	check("", document)
}
