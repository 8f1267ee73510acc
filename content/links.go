package content

import (
	"cmp"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"frontdesk/contract"
)

// sitePaths are the paths that every site has in its first language.
var sitePaths = append([]string{
	contract.PathDevelopers, contract.PathAuthPage, contract.PathAuthGuide, contract.PathOpenAPI, contract.PathLLMS,
	contract.PathLLMSFull, contract.PathCatalog, contract.PathCatalogAlias, contract.PathHealth, contract.PathSitemap,
	contract.PathAPICatalog, contract.PathServerCard, contract.PathAICatalog, contract.PathSkills, contract.PathSkill,
	contract.PathKeyDirectory,
}, localizedPaths...)

// localizedPaths are the paths with a page in every language of the site.
var localizedPaths = []string{
	contract.PathHome, contract.PathPricing, contract.PathFAQ, contract.PathAskPage, contract.PathContactPage,
}

// LanguagePath returns the path of a page of the site in a language. Pages in the first
// language have no prefix.
func (c *Content) LanguagePath(language, page string) string {
	if language == "" || language == c.Language() {
		return page
	}
	return "/" + strings.ToLower(language) + strings.TrimSuffix(page, "/")
}

// paths returns all paths of the site to which a text may link.
func (c *Content) paths() map[string]bool {
	paths := map[string]bool{}
	for _, p := range sitePaths {
		paths[p], paths[contract.TwinPath(p)] = true, true
	}
	for _, language := range c.Languages()[1:] {
		for _, p := range localizedPaths {
			paths[c.LanguagePath(language, p)] = true
		}
	}
	for i := range c.Pages {
		if p := c.Pages[i].Path(c); c.Pages[i].Name != HomePage { // is at the path of the language
			paths[p], paths[contract.TwinPath(p)] = true, true
		}
	}
	return paths
}

// Path returns the path of the page.
func (p *Page) Path(c *Content) string { return c.LanguagePath(p.Language, "/"+p.Name) }

// links finds links to missing pages of the site, and images that are missing or on
// another host.
func (l *loader) links() {
	if l.siteLanguages == nil {
		return
	}
	paths := l.content.paths()
	before := ""
	for entry := range l.content.FAQ.own() {
		if before == entry.ID && entry.URL != "" { // in a further language
			if own := l.content.LanguagePath(entry.Lang, entry.URL); paths[pathOf(own)] {
				entry.URL = own
			}
		}
		before = entry.ID
		l.source(FAQFile).link(entry.Line, entry.URL, paths)
	}
	for i := range l.content.Pages {
		page := &l.content.Pages[i]
		s, source := l.source(page.file), []byte(page.Markdown)
		base := path.Dir(page.Path(l.content))
		walkLinks(source, func(line int, to string, isImage bool) {
			if line += page.skip; isImage {
				s.picture(line, to)
			} else {
				s.link(line, resolveLink(base, to), paths)
			}
		})
	}
}

// resolveLink makes a path that is relative to the folder of its page absolute.
func resolveLink(base, to string) string {
	if parsed, err := url.Parse(to); err != nil || parsed.IsAbs() || to == "" || to[0] == '/' || to[0] == '#' {
		return to
	}
	return path.Join(base, to)
}

// pathOf is a link without its query and its fragment.
func pathOf(to string) string {
	path, _, _ := strings.Cut(to, "#")
	path, _, _ = strings.Cut(path, "?")
	return path
}

// link refuses a link to a missing page of the site.
func (s *source) link(line int, to string, paths map[string]bool) {
	if !strings.HasPrefix(to, "/") || !isAddress(to) {
		return
	}
	target := pathOf(to)
	if name, ok := strings.CutPrefix(target, PrefixAssets); ok && s.content.Image(name) != nil || paths[target] {
		return
	}
	// too short for a suggestion
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(paths)), func(p string) bool { return p == contract.PathHome })
	hint := cmp.Or(suggestNear(target, known), "write the page, or change the link")
	s.faultAt(line, hint, "the link leads to %s, and there is no such page", target).as("content.link", target)
}

// picture refuses an image that is not in the folder assets.
func (s *source) picture(line int, to string) {
	if parsed, err := url.Parse(to); err != nil || parsed.IsAbs() || strings.HasPrefix(to, "//") {
		s.faultAt(line, "put it into the folder "+AssetsFolder+
			": pages load nothing from other hosts", "the image %s is on another host", to)
		return
	}
	if name := ImageName(to); s.content.Image(name) == nil {
		var known []string
		for _, image := range s.content.Images {
			known = append(known, image.Name)
		}
		s.faultAt(line, suggest(name, known), "there is no image %q in the folder %s", name, AssetsFolder).
			as("content.image", name)
	}
}

// Image returns the image with a name, or nil.
func (c *Content) Image(name string) *Image {
	at := slices.IndexFunc(c.Images, func(image Image) bool { return image.Name == name })
	if at < 0 {
		return nil
	}
	return &c.Images[at]
}

// ImageName returns the name of an image in the folder assets. A page may write it as
// shop.jpg, assets/shop.jpg or /assets/shop.jpg.
func ImageName(to string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(to, "./"), "/"), AssetsFolder+"/")
}

// markdown parses pages as the site does.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

// walkLinks calls found for each link and image of a page, with its line from 1.
func walkLinks(source []byte, found func(line int, to string, isImage bool)) {
	document := markdown.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch node := node.(type) {
			case *ast.Image:
				found(lineAt(source, node.Pos()), string(node.Destination), true)
			case *ast.Link:
				found(lineAt(source, node.Pos()), string(node.Destination), false)
			}
		}
		return ast.WalkContinue, nil
	})
}
