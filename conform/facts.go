package conform

import (
	"net/http"
	"strings"

	"frontdesk/contract"
)

// facts are what a run learns from the service itself before the checks: no value
// of its content can be known from outside.
type facts struct {
	base      string // as published, without a slash at its end
	services  []string
	faq       string // the page of questions as Markdown; empty when there is none
	questions []string
}

func (r *runner) learn() facts {
	f := facts{base: r.target.String()}
	if catalog := r.read(contract.PathCatalog); catalog != nil {
		if base, ok := at(catalog.object(), "url").(string); ok && base != "" {
			f.base = strings.TrimRight(base, "/")
		}
		f.services = ids(catalog.object())
	}
	if page := r.read(contract.TwinPath(contract.PathFAQ)); page != nil {
		f.faq = string(page.body)
		f.questions = headings(f.faq)
	}
	return f
}

// read returns the answer to a GET when that is a 200. No check watches it: what
// they expect is not known yet.
func (r *runner) read(path string) *answer {
	p := r.probe(&Check{Name: "facts"})
	p.unseen = true
	answers, _ := p.exchange(get(path), false)
	if len(answers) == 0 || answers[0].status != http.StatusOK {
		return nil
	}
	return answers[0]
}

func ids(catalog map[string]any) []string {
	var found []string
	services, _ := catalog["services"].([]any)
	for _, service := range services {
		if id, ok := at(service, "id").(string); ok {
			found = append(found, id)
		}
	}
	return found
}

// headings are the approved questions of the page.
func headings(markdown string) []string {
	var found []string
	for line := range strings.Lines(markdown) {
		if text, ok := strings.CutPrefix(line, "## "); ok {
			found = append(found, strings.TrimSpace(text))
		}
	}
	return found
}

// base is the service's base address as it publishes it.
func (p *probe) base() string { return p.run.facts.base }

// question is one that the service has an approved answer to.
func (p *probe) question() string {
	questions := p.run.facts.questions
	if len(questions) == 0 {
		p.skip("%s shows no approved question to ask", contract.TwinPath(contract.PathFAQ))
	}
	return questions[0]
}

// service is the id of one that is in the catalog.
func (p *probe) service() string {
	services := p.run.facts.services
	if len(services) == 0 {
		p.skip("the catalog has no service to ask for")
	}
	return services[0]
}
