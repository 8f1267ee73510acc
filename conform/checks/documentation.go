package checks

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// documentation adds the checks of agent-friendly documentation (agentdocsspec.com), with
// its bounds.
func documentation(l *list) {
	llms := get("/llms.txt")
	l.one("R.documentation", "llms-txt-valid",
		"llms.txt begins with a title, has a summary as a quotation, headings and links, and fewer than 50,000 characters.",
		llms, serves("text/plain", "\n> ", "\n## ", "]("), shorterThan(50_000),
		failsIf(func(a *answer) bool { return !strings.HasPrefix(string(a.Body), "# ") }, "a title first"))
	l.one("R.documentation", "llms-txt-links-markdown",
		"Every link of llms.txt to this service resolves, at least nine of ten to Markdown.", llms, isOK,
		func(a *answer) {
			paths, found := links(a), 0
			for _, path := range paths { // 405: an endpoint that takes POST
				if a.Probe.Send(head(path, "Accept: text/markdown"), statusIs(200, 405)).MediaType() == "text/markdown" ||
					strings.HasSuffix(path, ".md") {
					found++
				}
			}
			if len(paths) == 0 || found*10 < len(paths)*9 {
				a.Fail("nine of ten links to be Markdown, not %d of %d", found, len(paths))
			}
		})
	l.one("R.documentation", "llms-txt-covers-the-sitemap", "At least 95 of 100 pages of the sitemap are in llms.txt.",
		llms, isOK, func(a *answer) {
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
		func(path string) request { return get(contract.TwinPath(path)) }, hasType("text/markdown"))
	l.everyPath("rendering-strategy", "Every page is complete without a script: a heading and text, of fewer than 50,000 "+
		"characters, and llms.txt near its beginning.", html, contains("<h1"), shorterThan(50_000),
		failsIf(func(a *answer) bool {
			text := visibleText(a)
			before, _, found := strings.Cut(text, "llms.txt")
			return len(text) < 200 || !found || len(before) > len(text)/10
		}, "text in the page, and llms.txt in its first tenth"))
	l.everyPath("content-negotiation",
		"Every page is Markdown when Accept asks for it: fewer than 50,000 characters, with llms.txt near its beginning, "+
			"closed code fences and absolute links.", markdown, serves("text/markdown", "# "), shorterThan(50_000),
		failsIf(func(a *answer) bool {
			at := strings.Index(string(a.Body), "/llms.txt")
			return at < 0 || at > 1000
		}, "/llms.txt in the first lines"),
		failsIf(func(a *answer) bool {
			return strings.Count(string(a.Body), "\n```")%2 != 0
		}, "an even number of fences"),
		func(a *answer) {
			if relative := regexp.MustCompile(`\]\([^)a-z]`).Find(a.Body); relative != nil {
				a.Fail("no relative link like %q", relative)
			}
		})
	l.everyPath("cache-header-hygiene", "Pages can be revalidated, and need no login.", html,
		headerMatches("ETag", "."), headerMatches("Cache-Control", "."), lacksHeader("WWW-Authenticate"))
}

// everyPath adds a check of each page of the sitemap.
func (l *list) everyPath(name, sentence string, request func(path string) request, expected ...expectation) {
	l.run("R.documentation", name, sentence, func(p *probe) {
		for _, path := range sitemapPages(p) {
			p.Send(request(path), append([]expectation{isOK}, expected...)...)
		}
	})
}

var (
	location     = regexp.MustCompile(`<loc>([^<]+)</loc>`)
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// sitemapPages returns the paths of the sitemap.
func sitemapPages(p *probe) []string {
	a := p.Send(get("/sitemap.xml"), isOK)
	paths := ownPaths(a, location)
	if len(paths) == 0 {
		a.Fail("pages under %s", p.BaseURL)
	}
	return paths
}

// links returns the paths of a Markdown document's links to this service, each once.
func links(a *answer) []string {
	var paths []string
	for _, path := range ownPaths(a, markdownLink) {
		if path, _, _ = strings.Cut(path, "#"); path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// ownPaths returns the paths of the addresses under the base address that a pattern finds.
func ownPaths(a *answer, address *regexp.Regexp) (paths []string) {
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
func visibleText(a *answer) string {
	text := tag.ReplaceAllString(hidden.ReplaceAllString(string(a.Body), ""), " ")
	return strings.Join(strings.Fields(text), " ")
}

func shorterThan(n int) expectation {
	return func(a *answer) {
		if length := utf8.RuneCount(a.Body); length >= n {
			a.Fail("fewer than %d characters, not %d", n, length)
		}
	}
}
