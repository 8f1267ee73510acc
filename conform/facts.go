package conform

import (
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
func (r *Session) learn(health *Answer) facts {
	f := facts{base: r.target.String(), numbered: health.HeaderValue(contract.HeaderRequestID) != ""}
	if catalog := r.read(contract.PathCatalog); catalog != nil {
		if base, ok := Lookup(catalog.Object(), "url").(string); ok && base != "" {
			f.base = strings.TrimRight(base, "/")
		}
		f.services = ids(catalog.Object())
	}
	if page := r.read(contract.TwinPath(contract.PathFAQ)); page != nil {
		f.faq = string(page.Body)
		f.questions = headings(f.faq)
	}
	return f
}

// read returns the answer to a GET if its status is 200. No check observes it, because
// the facts that checks need are not known yet.
func (r *Session) read(path string) *Answer {
	p := r.probe(&Check{Name: "facts"})
	p.unobserved = true
	answers, _ := p.Exchange(Get(path), false)
	if len(answers) == 0 || answers[0].Status != http.StatusOK {
		return nil
	}
	return answers[0]
}

func ids(catalog map[string]any) []string {
	var found []string
	services, _ := catalog["services"].([]any)
	for _, service := range services {
		if id, ok := Lookup(service, "id").(string); ok {
			found = append(found, id)
		}
	}
	return found
}

// headings returns the approved questions of the page.
func headings(markdown string) []string {
	var found []string
	for line := range strings.Lines(markdown) {
		if text, ok := strings.CutPrefix(line, "## "); ok {
			found = append(found, strings.TrimSpace(text))
		}
	}
	return found
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
