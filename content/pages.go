package content

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"frontdesk/contract"
)

// PageEnding is the extension of a page's file.
const PageEnding = contract.SuffixMarkdown

// HomePage is the name of the page whose text is on the first page of the site.
const HomePage = "home"

// reservedNames are names that a page cannot have, because the service uses their paths. The
// pages home, pricing, faq, developers and contact add the owner's text to a page of the
// service.
var reservedNames = []string{"api", "ask", "assets", "auth", "feedback", "index", "mcp", "v1"}

// pages reads the folder of pages, if there is one, and its folders of further languages.
func (l *loader) pages() {
	if l.has(PagesFolder) {
		l.pagesIn(PagesFolder, "")
	}
}

func (l *loader) pagesIn(folder, language string) {
	languages := l.content.Languages()
	for _, entry := range l.list(folder) {
		name := entry.Name()
		s := l.source(path.Join(folder, name))
		switch at := slices.Index(languages, name); {
		case !entry.IsDir() || language != "":
			s.page(entry, language)
		case at == 0:
			s.faultAt(0, "move them there", "the site's first language has its pages in the folder %s", PagesFolder).
				as("content.main", name)
		case at < 0 && l.siteLanguages != nil:
			s.faultAt(0, "business.languages: "+strings.Join(languages, ", "),
				"a folder in pages must be named after a further language of the business").as("content.language", name)
		default:
			l.pagesIn(s.name, name)
		}
	}
}

func (s *source) page(file fs.DirEntry, language string) {
	name, ok := strings.CutSuffix(file.Name(), PageEnding)
	if file.IsDir() || !ok {
		s.faultAt(0, "", "a page is a file whose name ends with %s", PageEnding)
		return
	}
	if !idForm.MatchString(name) {
		s.faultAt(0, "it becomes an address: only a-z, 0-9 and the hyphen before "+PageEnding, "the name is not valid").
			as("content.name")
	}
	languages := s.content.Languages()[1:]
	isName := func(tag string) bool { return strings.ToLower(tag) == name }
	if slices.Contains(reservedNames, name) || language == "" && slices.ContainsFunc(languages, isName) {
		s.faultAt(0, "/"+name+" is an address of the service itself", "the name is taken").as("content.name")
	}
	text, ok := s.read()
	if !ok {
		return
	}
	if len(text) > maxPage {
		s.faultAt(0, splitPage, "the page has more than %d kB", maxPage>>10).as("content.heavy")
		return
	}
	page := s.frontMatter(string(text))
	page.Name, page.Language, page.file = name, language, s.name
	if strings.TrimSpace(page.Markdown) == "" {
		s.faultAt(0, "", "the page is empty").as("content.empty")
	}
	if s.costly(page.Markdown, page.skip) {
		return
	}
	s.content.Pages = append(s.content.Pages, page)
}

// Bounds of a page's Markdown. The time to parse a block grows with the square of its links and
// of its emphasis marks, the memory of a table with its columns times its rows.
const (
	maxLinksTogether    = 1000 // opening brackets without an empty line between them
	maxEmphasisTogether = 2000 // groups of *, _ and ~, likewise
	maxNestingMarks     = 200  // of quotes and lists at the beginning of a line
	maxIndent           = 400  // spaces and marks before a text: the time grows with its square
	maxCells            = 20_000
	maxPage             = 512 << 10 // bytes: about 80,000 words
)

const splitPage = "make several pages of it"

// tableRule matches the line below a table's header, also in a quote or a list.
var tableRule = regexp.MustCompile(`^[\s>]*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// emphasis matches a group of marks.
var emphasis = regexp.MustCompile(`[*_~]+`)

// costly reports a fault for Markdown that would take too long, or too much memory, to parse.
// The text begins after so many lines of the file.
func (s *source) costly(markdown string, skip int) bool {
	const apart, newLine = " without an empty line between them", "put an empty line between paragraphs"
	links, marks, columns, cells, number := 0, 0, 0, 0, skip
	for line := range strings.Lines(markdown) {
		number++
		nesting := line[:len(line)-len(strings.TrimLeft(line, " \t>-*+.)0123456789"))]
		if strings.Trim(line, " \t\r\n") == "" { // what CommonMark 0.31 (2.1) calls blank; a no-break space is text
			links, marks, columns, nesting = 0, 0, 0, ""
		}
		links += strings.Count(line, "[")
		marks += len(emphasis.FindAllStringIndex(line, -1))
		cells += columns
		if strings.Contains(line, "|") && tableRule.MatchString(line) {
			columns = max(columns, strings.Count(line, "|")+1)
		}
		for _, bound := range []struct {
			found, most   int
			message, hint string
		}{
			{links, maxLinksTogether, "more than %d links or brackets" + apart, newLine},
			{marks, maxEmphasisTogether, "more than %d marks of emphasis (*, _, ~)" + apart, newLine},
			{cells, maxCells, "the tables of the page have more than %d cells", splitPage},
			{len(strings.Join(strings.Fields(nesting), "")), maxNestingMarks,
				"the line begins with more than %d marks of quotes and lists", ""},
			{len(nesting), maxIndent, "more than %d spaces and list marks before the text of the line",
				"indent the line less"},
		} {
			if bound.found > bound.most {
				s.faultAt(number, bound.hint, bound.message, bound.most).as("content.heavy")
				return true
			}
		}
	}
	return false
}

// CutFrontMatter separates YAML between two lines of --- from the beginning of a page. A page
// without it is all Markdown.
func CutFrontMatter(text string) (head, markdown string, found bool) {
	const mark = "---\n"
	within, isBegun := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), mark)
	if head, markdown, found = strings.Cut(within, "\n"+mark); !isBegun || !found {
		return "", text, false
	}
	return head, markdown, true
}

// frontMatter reads the YAML at the beginning of a page and counts its lines.
func (s *source) frontMatter(text string) (page Page) {
	head, markdown, found := CutFrontMatter(text)
	page.Markdown = markdown
	if !found {
		return page
	}
	page.skip = strings.Count(head, "\n") + 3
	first := len(s.faults)
	defer func() {
		for i := first; i < len(s.faults); i++ {
			s.faults[i].as("content.head")
		}
	}()
	root := s.document([]byte("---\n" + head))
	if root == nil {
		return page
	}
	if o, ok := s.object(root, &headGroup); ok {
		if tag := o.value("lang"); tag != nil {
			page.Lang = o.canonicalTag(tag, "lang")
		}
		page.Header, _ = strconv.Atoi(o.text("header")) // else it is a fault that is reported
	}
	return page
}
