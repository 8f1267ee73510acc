package owner

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"frontdesk/content"
)

// The pages of the site are files of Markdown, one for each language.
const (
	pageFolder = "pages"
	pageEnding = ".md"
)

var pageText = field{Key: "text", Kind: textField, Local: true, Partial: true}

var pages = form{
	path: pathPages, home: pathPages, here: pathBusiness, texts: "owner.pages.", title: "name",
	read: (*Pages).pageItems, prepare: (*Pages).preparePage,
	fields: []field{
		{Key: "name", Kind: lineField, Required: true},
		pageText,
	},
	summary: func(_ *Pages, _ session, item values) string {
		_, text, _ := content.CutFrontMatter(item["text"])
		first, _, _ := strings.Cut(strings.TrimLeft(text, "# \n"), "\n")
		return first
	},
	shownOn: func(id string) string {
		if id == "home" {
			return ""
		}
		return id
	},
	remove: func(change *content.Change, id string) (err error) {
		for _, folder := range content.Folders() {
			file := path.Join(folder, id+pageEnding)
			if _, missing := fs.Stat(change, file); missing == nil && strings.HasPrefix(folder, pageFolder) {
				err = errors.Join(err, change.Remove(file))
			}
		}
		return err
	},
}

// fileOf is the file of a page in a language of the site.
func fileOf(id string, languages []string, language string) string {
	if language == languages[0] {
		language = ""
	}
	return path.Join(pageFolder, language, id+pageEnding)
}

// pageItems are the pages in the files, by their names.
func (p *Pages) pageItems() (items []values, err error) {
	change, languages := p.Curator.NewChange(""), p.languages()
	for _, part := range pageText.in(languages).parts() {
		files, _ := fs.Glob(change, fileOf("*", languages, part.Language)) // of a folder that cannot be read there are none
		for _, file := range files {
			id := strings.TrimSuffix(path.Base(file), pageEnding)
			if content.IsIgnored(id) {
				continue
			}
			text, err := fs.ReadFile(change, file)
			if err != nil {
				return nil, err
			}
			at := placeOf(items, id)
			if at < 0 {
				items, at = append(items, values{"id": id, "name": id}), len(items)
			}
			items[at][part.Key] = strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
		}
	}
	slices.SortFunc(items, func(a, b values) int { return strings.Compare(a["id"], b["id"]) })
	return items, nil
}

// preparePage prepares the change of a page, or of a new one. With another name it is another
// file.
func (p *Pages) preparePage(s session, w written, sent values) (*content.Change, error) {
	change, languages, id := p.Curator.NewChange(""), p.languages(), w.id
	var changed []string
	if name := sent["name"]; name != id {
		id = w.newID(name, w.items)
		changed = append(changed, s.Text("owner.pages.name"))
	}
	if !slices.Equal(pageText.in(languages).texts(w.now), pageText.in(languages).texts(sent)) {
		changed = append(changed, s.Text("owner.pages.text"))
	}
	change.Summary = s.Text("owner.summary.changed", w.id, strings.Join(changed, ", "))
	if w.id == "" {
		change.Summary = s.Text("owner.summary.new", s.Text("owner.pages.new"), sent["name"])
	}
	for _, part := range pageText.in(languages).parts() {
		before, after := w.now[part.Key], sent[part.Key]
		if id == w.id && before == after {
			continue
		}
		if before != "" && (id != w.id || after == "") {
			if err := change.Remove(fileOf(w.id, languages, part.Language)); err != nil {
				return nil, err
			}
		}
		if after != "" {
			if err := change.Write(fileOf(id, languages, part.Language), []byte(after+"\n")); err != nil {
				return nil, err
			}
		}
	}
	return change, nil
}
