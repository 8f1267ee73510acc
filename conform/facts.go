package conform

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"frontdesk/contract"
)

// Facts are what a run reads from the service before the checks, because the checks do
// not know its content.
type Facts struct {
	BaseURL   string   // as published, without a trailing slash
	Origin    *url.URL // of BaseURL
	Services  []string // ids in the catalog
	FAQPage   string   // the page /faq as Markdown, in all languages; may be empty
	Questions []string // with an approved answer, from the JSON-LD of /faq
	NoTrials  bool     // the catalog says that there is no workspace server

	numbered bool // answers carry X-Request-Id
}

// learn reads the service's own documents. It fails when the service does not answer.
func (s *session) learn() error {
	health, err := s.read(contract.PathHealth)
	if err != nil {
		return err
	}
	f := &s.facts
	f.numbered = health.HeaderValue(contract.HeaderRequestID) != ""
	f.BaseURL, f.Origin = s.target.String(), s.target
	var catalog struct {
		URL      string
		Services []struct{ ID string }
		Links    map[string]any
	}
	_ = json.Unmarshal(s.document(contract.PathCatalog), &catalog) // what cannot be read stays empty
	if base, err := url.Parse(catalog.URL); err == nil && base.Host != "" {
		f.BaseURL, f.Origin = strings.TrimRight(catalog.URL, "/"), base
	}
	workspace, given := catalog.Links["workspace_mcp"]
	f.NoTrials = given && workspace == nil
	for _, service := range catalog.Services {
		if service.ID != "" {
			f.Services = append(f.Services, service.ID)
		}
	}
	f.FAQPage = string(s.document(contract.TwinPath(contract.PathFAQ)))
	// A heading of the Markdown may be of an introduction or within an answer.
	scripts := regexp.MustCompile(`(?s)<script[^>]+application/ld\+json[^>]*>(.*?)</script>`)
	for _, script := range scripts.FindAllSubmatch(s.document(contract.PathFAQ), -1) {
		var page struct{ MainEntity []struct{ Name string } } // an FAQPage of schema.org
		_ = json.Unmarshal(script[1], &page)
		for _, question := range page.MainEntity {
			f.Questions = append(f.Questions, question.Name)
		}
	}
	// llms.txt lists the pages of further languages, such as /en/faq.md.
	further := regexp.MustCompile(`\]\(` + regexp.QuoteMeta(f.BaseURL) + `(/[^)]+` + contract.TwinPath(contract.PathFAQ) +
		`)\)`)
	for _, link := range further.FindAllSubmatch(s.document(contract.PathLLMS), -1) {
		f.FAQPage += string(s.document(string(link[1])))
	}
	return nil
}

// read returns the answer to a GET.
func (s *session) read(path string) (*Answer, error) {
	return s.probe(nil, s.address()).exchange(Request{Method: http.MethodGet, Path: path})
}

// document returns what a GET is answered with, nothing unless the status is 200.
func (s *session) document(path string) []byte {
	a, err := s.read(path)
	if err != nil || a.Status != http.StatusOK {
		return nil
	}
	return a.Body
}

// NeedTrials skips the check if the service offers none.
func (p *Probe) NeedTrials() {
	if p.NoTrials {
		p.Skip(noTrials)
	}
}

// KnownQuestion returns a question with an approved answer.
func (p *Probe) KnownQuestion() string {
	if len(p.Questions) == 0 {
		p.Skip("%s has no approved question in its JSON-LD", contract.PathFAQ)
	}
	return p.Questions[0]
}

// KnownService returns the id of a service in the catalog.
func (p *Probe) KnownService() string {
	if len(p.Services) == 0 {
		p.Skip("the catalog has no service to ask for")
	}
	return p.Services[0]
}
