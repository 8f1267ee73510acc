package checks

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/conform"
	"frontdesk/contract"
)

// documentation adds the checks of agent-friendly documentation (agentdocsspec.com), with
// its bounds.
func documentation(l *list) {
	llms := conform.Get(contract.PathLLMS)
	l.one("R.documentation", "llms-txt-valid",
		"llms.txt begins with a title, has a summary as a quotation, headings and links.",
		llms, serves(contract.TypeText, "\n> ", "\n## ", "]("), bodyMatches("^# "))
	l.one("R.documentation", "llms-txt-size", "llms.txt has fewer than 50,000 characters.", llms, isOK,
		shorterThan(50_000))
	l.one("R.documentation", "llms-full-txt", "llms-full.txt has all pages in one file.",
		conform.Get(contract.PathLLMSFull), serves(contract.TypeText, "\n# "))
	l.one("R.documentation", "llms-txt-links-resolve", "Every link of llms.txt to this service resolves.", llms, isOK,
		func(a *conform.Answer) {
			for _, path := range links(a) {
				a.Probe.Send(head(path), statusIs(200, 405)) // 405: an endpoint that takes POST
			}
		})
	l.one("R.documentation", "llms-txt-links-markdown",
		"At least nine of ten pages that llms.txt links to are Markdown, or available as Markdown.", llms, isOK,
		func(a *conform.Answer) {
			paths, markdown := links(a), 0
			for _, path := range paths {
				if a.Probe.Send(head(path, "Accept: text/markdown")).MediaType() == contract.TypeMarkdown ||
					strings.HasSuffix(path, ".md") {
					markdown++
				}
			}
			if len(paths) == 0 || markdown*10 < len(paths)*9 {
				a.Fail("nine of ten links to be Markdown, not %d of %d", markdown, len(paths))
			}
		})
	l.everyPage("llms-txt-directive-html", "Every page points to llms.txt near its beginning.", "text/html",
		failsIf(func(a *conform.Answer) bool {
			before, _, found := strings.Cut(visibleText(a), "llms.txt")
			return !found || len(before) > len(visibleText(a))/10
		}, "llms.txt in the first tenth of the page"))
	l.everyPage("llms-txt-directive-markdown", "Every page as Markdown points to llms.txt near its beginning.",
		"text/markdown", failsIf(func(a *conform.Answer) bool {
			at := strings.Index(string(a.Body), "/llms.txt")
			return at < 0 || at > 1000
		}, "/llms.txt in the first lines"))
	l.one("R.documentation", "llms-txt-covers-the-sitemap", "At least 95 of 100 pages of the sitemap are in llms.txt.",
		llms, isOK, func(a *conform.Answer) {
			p, missing, pages := a.Probe, 0, sitemapPages(a.Probe)
			for _, path := range pages {
				if !strings.Contains(string(a.Body), p.BaseURL+contract.TwinPath(path)+")") &&
					!strings.Contains(string(a.Body), p.BaseURL+path+")") {
					missing++
				}
			}
			if missing*20 > len(pages) {
				a.Fail("links to all pages of the sitemap; %d of %d are missing", missing, len(pages))
			}
		})

	l.everyPath("markdown-url-support", "Every page is Markdown at its path with .md.",
		func(path string) conform.Request { return conform.Get(contract.TwinPath(path)) }, hasType(contract.TypeMarkdown))
	l.everyPage("content-negotiation", "Every page is Markdown when Accept asks for it.", "text/markdown",
		serves(contract.TypeMarkdown, "# "))
	l.everyPage("rendering-strategy", "Every page is complete without a script: a heading and text.", "text/html",
		contains("<h1"), failsIf(func(a *conform.Answer) bool {
			return len(visibleText(a)) < 200
		}, "text in the page"))
	l.everyPage("page-size-html", "Every page has fewer than 50,000 characters.", "text/html", shorterThan(50_000))
	l.everyPage("page-size-markdown", "Every page as Markdown has fewer than 50,000 characters.", "text/markdown",
		shorterThan(50_000))
	l.everyPage("code-fences-are-closed", "Every code fence of the Markdown is closed.", "text/markdown",
		failsIf(func(a *conform.Answer) bool {
			return strings.Count(string(a.Body), "\n```")%2 != 0
		}, "an even number of fences"))
	l.everyPage("links-are-absolute", "Links of the Markdown are absolute: they work wherever it is read.",
		"text/markdown", func(a *conform.Answer) {
			if relative := regexp.MustCompile(`\]\([^)a-z]`).Find(a.Body); relative != nil {
				a.Fail("no relative link like %q", relative)
			}
		})
	l.everyPage("markdown-parity", "The Markdown has every heading of the page.", "text/markdown",
		func(a *conform.Answer) {
			page := a.Probe.Send(conform.Get(a.Request.Path, "Accept: text/html"), isOK)
			for _, heading := range regexp.MustCompile(`(?m)^## (\w[\w ]*)$`).FindAllStringSubmatch(string(a.Body), -1) {
				contains(heading[1])(page)
			}
		})
	l.everyPage("cache-header-hygiene", "Pages are kept for an hour at most, or can be revalidated.", "text/html",
		headerMatches("ETag", "."), headerMatches("Cache-Control", "."))
	l.one("R.documentation", "http-status-codes", "A missing page is answered 404, not 200 with an error text.",
		conform.Get(contract.PathFAQ+"-no-such-page-8f3a", "Accept: text/html"), statusIs(404))
	l.everyPage("no-redirects", "Pages are where they are said to be.", "text/html", lacksHeader("Location"))
	l.everyPage("no-gate", "Pages are open: no login, no challenge.", "text/html",
		lacksHeader("WWW-Authenticate", "Set-Cookie"))
	l.run("R.documentation", "tabbed-content", "Tabs follow one another in Markdown.", func(p *conform.Probe) {
		doesNotApply(p, "the pages have no tabs")
	})
}

// everyPage adds a check of each page of the sitemap in one form.
func (l *list) everyPage(name, sentence, accept string, expected ...expectation) {
	l.everyPath(name, sentence, func(path string) conform.Request {
		return conform.Get(path, "Accept: "+accept)
	}, expected...)
}

func (l *list) everyPath(name, sentence string, request func(path string) conform.Request, expected ...expectation) {
	l.run("R.documentation", name, sentence, func(p *conform.Probe) {
		for _, path := range sitemapPages(p) {
			expect(p.Send(request(path), isOK), expected...)
		}
	})
}

var (
	location     = regexp.MustCompile(`<loc>([^<]+)</loc>`)
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// sitemapPages returns the paths of the sitemap.
func sitemapPages(p *conform.Probe) []string {
	a := p.Send(conform.Get(contract.PathSitemap), isOK)
	paths := ownPaths(a, location)
	if len(paths) == 0 {
		a.Fail("pages under %s", p.BaseURL)
	}
	return paths
}

// links returns the paths of a Markdown document's links to this service, each once.
func links(a *conform.Answer) []string {
	var paths []string
	for _, path := range ownPaths(a, markdownLink) {
		if path, _, _ = strings.Cut(path, "#"); path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// ownPaths returns the paths of the addresses under the base address that a pattern finds.
func ownPaths(a *conform.Answer, address *regexp.Regexp) (paths []string) {
	for _, found := range address.FindAllStringSubmatch(string(a.Body), -1) {
		if path, ok := strings.CutPrefix(found[1], a.Probe.BaseURL); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

var (
	hidden = regexp.MustCompile(`(?s)<head>.*</head>|<script.*?</script>|<style.*?</style>`)
	tag    = regexp.MustCompile(`<[^>]*>`)
)

// visibleText returns the text of a page.
func visibleText(a *conform.Answer) string {
	text := tag.ReplaceAllString(hidden.ReplaceAllString(string(a.Body), ""), " ")
	return strings.Join(strings.Fields(text), " ")
}

func shorterThan(n int) expectation {
	return func(a *conform.Answer) {
		if length := utf8.RuneCount(a.Body); length >= n {
			a.Fail("fewer than %d characters, not %d", n, length)
		}
	}
}
