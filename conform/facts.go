package conform

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"frontdesk/contract"
)

// facts are what a run reads from the service before the checks, because the checks do
// not know its content.
type facts struct {
	numbered  bool   // answers carry X-Request-Id
	base      string // as published, without a trailing slash
	services  []string
	faq       string // the page /faq as Markdown; may be empty
	questions []string
}

// learn reads the service's own documents. health is its answer to the first request.
func (s *session) learn(health *Answer) facts {
	f := facts{base: s.target.String(), numbered: health.HeaderValue(contract.HeaderRequestID) != ""}
	if a, err := s.read(contract.PathCatalog); err == nil && a.Status == http.StatusOK {
		var catalog struct {
			URL      string
			Services []struct{ ID string }
		}
		_ = json.Unmarshal(a.Body, &catalog) // what cannot be read stays empty
		f.base = strings.TrimRight(cmp.Or(catalog.URL, f.base), "/")
		for _, service := range catalog.Services {
			if service.ID != "" {
				f.services = append(f.services, service.ID)
			}
		}
	}
	if page, err := s.read(contract.TwinPath(contract.PathFAQ)); err == nil && page.Status == http.StatusOK {
		f.faq = string(page.Body)
		for line := range strings.Lines(f.faq) {
			if question, ok := strings.CutPrefix(line, "## "); ok {
				f.questions = append(f.questions, strings.TrimSpace(question))
			}
		}
	}
	return f
}

// read returns the answer to a GET. No check observes it, because the facts that checks
// need are not known yet.
func (s *session) read(path string) (*Answer, error) {
	p := s.probe(&Check{Name: "facts"})
	p.unobserved = true
	answers, err := p.Exchange(Get(path), false)
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// BaseURL returns the service's base address as published.
func (p *Probe) BaseURL() string { return p.run.facts.base }

// KnownQuestion returns a question with an approved answer.
func (p *Probe) KnownQuestion() string {
	questions := p.run.facts.questions
	if len(questions) == 0 {
		p.Skip("%s shows no approved question to ask", contract.TwinPath(contract.PathFAQ))
	}
	return questions[0]
}

// KnownQuestions returns all questions with an approved answer.
func (p *Probe) KnownQuestions() []string { return p.run.facts.questions }

// KnownService returns the id of a service in the catalog.
func (p *Probe) KnownService() string {
	services := p.run.facts.services
	if len(services) == 0 {
		p.Skip("the catalog has no service to ask for")
	}
	return services[0]
}

// OwnOrigin returns the origin of the service's base address.
func (p *Probe) OwnOrigin() string {
	base, err := url.Parse(p.BaseURL())
	if err != nil {
		p.Fail("a base address that is a URL", p.BaseURL())
	}
	return base.Scheme + "://" + base.Host
}

// FAQPage returns the page /faq as Markdown, "" if there is none.
func (p *Probe) FAQPage() string { return p.run.facts.faq }

// KnownServices returns the ids of the services in the catalog.
func (p *Probe) KnownServices() []string { return p.run.facts.services }
