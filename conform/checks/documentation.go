package checks

import (
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"frontdesk/conform"
	"frontdesk/contract"
)

// documentation returns the checks of agent-friendly documentation (agentdocsspec.com),
// with its bounds.
func documentation() []conform.Check {
	llms := conform.Get(contract.PathLLMS)
	return []conform.Check{
		one("R.documentation", "llms-txt-valid", "llms.txt begins with a title, has a summary as a quotation, headings and links.",
			llms, serves(contract.TypeText, "\n> ", "\n## ", "]("), func(a *conform.Answer) {
				if !strings.HasPrefix(string(a.Body), "# ") {
					a.Fail("a first line that begins with #")
				}
			}),
		one("R.documentation", "llms-txt-size", "llms.txt has fewer than 50,000 characters.",
			llms, isOK, shorterThan(50_000)),
		one("R.documentation", "llms-full-txt", "llms-full.txt has all pages in one file.",
			conform.Get(contract.PathLLMSFull), serves(contract.TypeText, "\n# ")),
		{Section: "R.documentation", Name: "llms-txt-links-resolve",
			Sentence: "Every link of llms.txt to this service resolves.",
			Run: func(p *conform.Probe) {
				for _, path := range links(p, p.Send(llms, isOK)) {
					p.Send(conform.Request{Method: http.MethodHead, Path: path}, statusIs(200, 405)) // 405: an endpoint that takes POST
				}
			}},
		{Section: "R.documentation", Name: "llms-txt-links-markdown",
			Sentence: "At least nine of ten pages that llms.txt links to are Markdown, or available as Markdown.",
			Run: func(p *conform.Probe) {
				a := p.Send(llms, isOK)
				paths, markdown := links(p, a), 0
				for _, path := range paths {
					if p.Send(conform.Request{Method: http.MethodHead, Path: path, Header: []string{"Accept: text/markdown"}}).MediaType() == contract.TypeMarkdown || strings.HasSuffix(path, ".md") {
						markdown++
					}
				}
				if len(paths) == 0 || markdown*10 < len(paths)*9 {
					a.Fail("nine of ten links to be Markdown, not %d of %d", markdown, len(paths))
				}
			}},
		everyPage("llms-txt-directive-html", "Every page points to llms.txt near its beginning.", "text/html", func(a *conform.Answer) {
			if before, _, found := strings.Cut(visibleText(a), "llms.txt"); !found || len(before) > len(visibleText(a))/10 {
				a.Fail("llms.txt in the first tenth of the page")
			}
		}),
		everyPage("llms-txt-directive-markdown", "Every page as Markdown points to llms.txt near its beginning.", "text/markdown", func(a *conform.Answer) {
			if at := strings.Index(string(a.Body), "/llms.txt"); at < 0 || at > 1000 {
				a.Fail("/llms.txt in the first lines")
			}
		}),
		{Section: "R.documentation", Name: "llms-txt-covers-the-sitemap",
			Sentence: "At least 95 of 100 pages of the sitemap are in llms.txt.",
			Run: func(p *conform.Probe) {
				a, missing, pages := p.Send(llms, isOK), 0, sitemapPages(p)
				for _, path := range pages {
					if twin := contract.TwinPath(path); !strings.Contains(string(a.Body), p.BaseURL()+twin+")") && !strings.Contains(string(a.Body), p.BaseURL()+path+")") {
						missing++
					}
				}
				if missing*20 > len(pages) {
					a.Fail("links to all pages of the sitemap; %d of %d are missing", missing, len(pages))
				}
			}},
	}
}

// pageForm returns the checks of the pages, in both forms.
func pageForm() []conform.Check {
	return []conform.Check{
		everyTwin("markdown-url-support", "Every page is Markdown at its path with .md.", hasType(contract.TypeMarkdown)),
		everyPage("content-negotiation", "Every page is Markdown when Accept asks for it.", "text/markdown", serves(contract.TypeMarkdown, "# ")),
		everyPage("rendering-strategy", "Every page is complete without a script: a heading and text.", "text/html", func(a *conform.Answer) {
			if contains("<h1")(a); len(visibleText(a)) < 200 {
				a.Fail("text in the page")
			}
		}),
		everyPage("page-size-html", "Every page has fewer than 50,000 characters.", "text/html", shorterThan(50_000)),
		everyPage("page-size-markdown", "Every page as Markdown has fewer than 50,000 characters.", "text/markdown", shorterThan(50_000)),
		everyPage("code-fences-are-closed", "Every code fence of the Markdown is closed.", "text/markdown", func(a *conform.Answer) {
			if strings.Count(string(a.Body), "\n```")%2 != 0 {
				a.Fail("an even number of fences")
			}
		}),
		everyPage("links-are-absolute", "Links of the Markdown are absolute: they work wherever it is read.", "text/markdown", func(a *conform.Answer) {
			if relative := regexp.MustCompile(`\]\([^)a-z]`).Find(a.Body); relative != nil {
				a.Fail("no relative link like %q", relative)
			}
		}),
		everyPage("markdown-parity", "The Markdown has every heading of the page.", "text/markdown", func(a *conform.Answer) {
			page := a.Probe.Send(conform.Get(a.Request.Path, "Accept: text/html"), isOK)
			for _, heading := range regexp.MustCompile(`(?m)^## (\w[\w ]*)$`).FindAllStringSubmatch(string(a.Body), -1) {
				contains(heading[1])(page)
			}
		}),
		everyPage("cache-header-hygiene", "Pages are kept for an hour at most, or can be revalidated.", "text/html", headerMatches("ETag", "."), headerMatches("Cache-Control", ".")),
		one("R.documentation", "http-status-codes", "A missing page is answered 404, not 200 with an error text.",
			conform.Get(contract.PathFAQ+"-no-such-page-8f3a", "Accept: text/html"), statusIs(404)),
		everyPage("no-redirects", "Pages are where they are said to be.", "text/html", lacksHeader("Location")),
		everyPage("no-gate", "Pages are open: no login, no challenge.", "text/html", lacksHeader("WWW-Authenticate", "Set-Cookie")),
		doesNotApply("R.documentation", "tabbed-content", "Tabs follow one another in Markdown.", "the pages have no tabs"),
	}
}

// everyPage checks each page of the sitemap in one form.
func everyPage(name, sentence, accept string, expected ...expectation) conform.Check {
	return everyPath(name, sentence, func(path string) conform.Request { return conform.Get(path, "Accept: "+accept) }, expected)
}

// everyTwin checks the Markdown of each page at its own path.
func everyTwin(name, sentence string, expected ...expectation) conform.Check {
	return everyPath(name, sentence, func(path string) conform.Request { return conform.Get(contract.TwinPath(path)) }, expected)
}

func everyPath(name, sentence string, request func(path string) conform.Request, expected []expectation) conform.Check {
	return conform.Check{Section: "R.documentation", Name: name, Sentence: sentence, Run: func(p *conform.Probe) {
		for _, path := range sitemapPages(p) {
			expect(p.Send(request(path), isOK), expected...)
		}
	}}
}

var location = regexp.MustCompile(`<loc>([^<]+)</loc>`)

// sitemapPages returns the paths of the sitemap.
func sitemapPages(p *conform.Probe) []string {
	a := p.Send(conform.Get(contract.PathSitemap), isOK)
	var paths []string
	for _, found := range location.FindAllStringSubmatch(string(a.Body), -1) {
		if path, ok := strings.CutPrefix(found[1], p.BaseURL()); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		a.Fail("pages under %s", p.BaseURL())
	}
	return paths
}

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// links returns the paths of a document's links to this service, each once.
func links(p *conform.Probe, a *conform.Answer) []string {
	var paths []string
	seen := map[string]bool{}
	for _, found := range markdownLink.FindAllStringSubmatch(string(a.Body), -1) {
		path, ok := strings.CutPrefix(found[1], p.BaseURL())
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

// visibleText returns the text of a page.
func visibleText(a *conform.Answer) string {
	text := hidden.ReplaceAllString(string(a.Body), "")
	return blank.ReplaceAllString(tag.ReplaceAllString(text, " "), " ")
}

func shorterThan(n int) expectation {
	return func(a *conform.Answer) {
		if length := utf8.RuneCount(a.Body); length >= n {
			a.Fail("fewer than %d characters, not %d", n, length)
		}
	}
}
