package conform

import (
	"net/http"
	"regexp"
	"strings"

	"frontdesk/contract"
)

// documentation are the checks of agent-friendly documentation (agentdocsspec.com),
// with its bounds.
func documentation() []Check {
	return []Check{
		one("R.documentation", "llms-txt-valid", "llms.txt begins with a title, has a summary as a quotation, headings and links.",
			get(contract.PathLLMS), func(a *answer) {
				a.is(200).kind(contract.TypeText).contains("\n> ", "\n## ", "](")
				if !strings.HasPrefix(string(a.body), "# ") {
					a.fail("a first line that begins with #")
				}
			}),
		one("R.documentation", "llms-txt-size", "llms.txt has fewer than 50,000 characters.",
			get(contract.PathLLMS), shorterThan(50_000)),
		one("R.documentation", "llms-full-txt", "llms-full.txt has all pages in one file.",
			get(contract.PathLLMSFull), func(a *answer) { a.is(200).kind(contract.TypeText).contains("\n# ") }),
		{Section: "R.documentation", Name: "llms-txt-links-resolve",
			Says: "Every link of llms.txt to this service resolves.",
			Run: func(p *probe) {
				for _, path := range p.links(p.send(get(contract.PathLLMS)).is(200)) {
					p.send(request{method: http.MethodHead, path: path}).is(200, 405) // 405: an endpoint that takes POST
				}
			}},
		{Section: "R.documentation", Name: "llms-txt-links-markdown",
			Says: "At least nine of ten pages that llms.txt links are Markdown, or are when asked.",
			Run: func(p *probe) {
				a := p.send(get(contract.PathLLMS)).is(200)
				paths, markdown := p.links(a), 0
				for _, path := range paths {
					if p.send(request{method: http.MethodHead, path: path, header: []string{"Accept: text/markdown"}}).mediaType() == contract.TypeMarkdown || strings.HasSuffix(path, ".md") {
						markdown++
					}
				}
				if len(paths) == 0 || markdown*10 < len(paths)*9 {
					a.fail("nine of ten links to be Markdown, not %d of %d", markdown, len(paths))
				}
			}},
		everyPage("llms-txt-directive-html", "Every page points to llms.txt near its beginning.", "text/html", func(a *answer) {
			if before, _, found := strings.Cut(a.visible(), "llms.txt"); !found || len(before) > len(a.visible())/10 {
				a.fail("llms.txt in the first tenth of the page")
			}
		}),
		everyPage("llms-txt-directive-markdown", "Every page as Markdown points to llms.txt near its beginning.", "text/markdown", func(a *answer) {
			if at := strings.Index(string(a.body), "/llms.txt"); at < 0 || at > 1000 {
				a.fail("/llms.txt in the first lines")
			}
		}),
		{Section: "R.documentation", Name: "llms-txt-covers-the-sitemap",
			Says: "At least 95 of 100 pages of the sitemap are in llms.txt.",
			Run: func(p *probe) {
				a, missing, pages := p.send(get(contract.PathLLMS)).is(200), 0, p.pages()
				for _, path := range pages {
					if twin := contract.TwinPath(path); !strings.Contains(string(a.body), p.base()+twin+")") && !strings.Contains(string(a.body), p.base()+path+")") {
						missing++
					}
				}
				if missing*20 > len(pages) {
					a.fail("links to all pages of the sitemap; %d of %d are missing", missing, len(pages))
				}
			}},
	}
}

// pageForm are those on the pages, in both forms.
func pageForm() []Check {
	return []Check{
		everyTwin("markdown-url-support", "Every page is Markdown at its path with .md.", func(a *answer) { a.kind(contract.TypeMarkdown) }),
		everyPage("content-negotiation", "Every page is Markdown for who asks for it.", "text/markdown", func(a *answer) { a.kind(contract.TypeMarkdown).contains("# ") }),
		everyPage("rendering-strategy", "Every page is complete without a script: a heading and text.", "text/html", func(a *answer) {
			if a.contains("<h1"); len(a.visible()) < 200 {
				a.fail("text in the page")
			}
		}),
		everyPage("page-size-html", "Every page has fewer than 50,000 characters.", "text/html", shorterThan(50_000)),
		everyPage("page-size-markdown", "Every page as Markdown has fewer than 50,000 characters.", "text/markdown", shorterThan(50_000)),
		everyPage("code-fences-are-closed", "Every code fence of the Markdown is closed.", "text/markdown", func(a *answer) {
			if strings.Count(string(a.body), "\n```")%2 != 0 {
				a.fail("an even number of fences")
			}
		}),
		everyPage("links-are-absolute", "Links of the Markdown are absolute: they work wherever it is read.", "text/markdown", func(a *answer) {
			if relative := regexp.MustCompile(`\]\([^)a-z]`).Find(a.body); relative != nil {
				a.fail("no relative link like %q", relative)
			}
		}),
		everyPage("markdown-parity", "The Markdown has every heading of the page.", "text/markdown", func(a *answer) {
			page := a.probe.send(get(a.request.path, "Accept: text/html")).is(200)
			for _, heading := range regexp.MustCompile(`(?m)^## (\w[\w ]*)$`).FindAllStringSubmatch(string(a.body), -1) {
				page.contains(heading[1])
			}
		}),
		everyPage("cache-header-hygiene", "Pages are kept for an hour at most, or can be revalidated.", "text/html", func(a *answer) { a.matches("ETag", ".").matches("Cache-Control", ".") }),
		one("R.documentation", "http-status-codes", "A page that is not there is 404, not a page that says so.",
			get(contract.PathFAQ+"-no-such-page-8f3a", "Accept: text/html"), statusIs(404)),
		everyPage("no-redirects", "Pages are where they are said to be.", "text/html", func(a *answer) { a.is(200).lacks("Location") }),
		everyPage("no-gate", "Pages are open: no login, no challenge.", "text/html", func(a *answer) { a.is(200).lacks("WWW-Authenticate", "Set-Cookie") }),
		{Section: "R.documentation", Name: "tabbed-content",
			Says: "Tabs are told one after another in Markdown.",
			Run:  func(p *probe) { p.skip("%sthe pages have no tabs", doesNotApply) }},
	}
}

// everyPage looks at each page of the sitemap in one form.
func everyPage(name, says, accept string, look func(*answer)) Check {
	return Check{Section: "R.documentation", Name: name, Says: says, Run: func(p *probe) {
		for _, path := range p.pages() {
			look(p.send(get(path, "Accept: "+accept)).is(200))
		}
	}}
}

func everyTwin(name, says string, look func(*answer)) Check {
	return Check{Section: "R.documentation", Name: name, Says: says, Run: func(p *probe) {
		for _, path := range p.pages() {
			look(p.send(get(contract.TwinPath(path))).is(200))
		}
	}}
}

var location = regexp.MustCompile(`<loc>([^<]+)</loc>`)

// pages are the paths of the sitemap.
func (p *probe) pages() []string {
	a := p.send(get(contract.PathSitemap)).is(200)
	var paths []string
	for _, found := range location.FindAllStringSubmatch(string(a.body), -1) {
		if path, ok := strings.CutPrefix(found[1], p.base()); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		a.fail("pages under %s", p.base())
	}
	return paths
}

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// links are the paths of a document's links to this service, each once.
func (p *probe) links(a *answer) []string {
	var paths []string
	seen := map[string]bool{}
	for _, found := range markdownLink.FindAllStringSubmatch(string(a.body), -1) {
		path, ok := strings.CutPrefix(found[1], p.base())
		path, _, _ = strings.Cut(path, "#")
		if ok && path != "" && !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

var (
	hidden = regexp.MustCompile(`(?s)<head>.*</head>|<script.*?</script>|<style.*?</style>`)
	tag    = regexp.MustCompile(`<[^>]*>`)
	blank  = regexp.MustCompile(`\s+`)
)

// visible is the text of a page.
func (a *answer) visible() string {
	text := hidden.ReplaceAllString(string(a.body), "")
	return blank.ReplaceAllString(tag.ReplaceAllString(text, " "), " ")
}

func shorterThan(n int) func(*answer) {
	return func(a *answer) {
		if a.is(200); len([]rune(string(a.body))) >= n {
			a.fail("fewer than %d characters, not %d", n, len([]rune(string(a.body))))
		}
	}
}
