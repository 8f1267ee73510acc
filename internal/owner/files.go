package owner

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"frontdesk/content"
)

// pageFields are the name of a page, and its text, written as it is.
var (
	pageFields = fieldsOf("", []content.Key{
		{Name: "name", Required: true},
		{Name: "text", Kind: content.KindVerbatim, Local: true},
	})
	pageText = pageFields[1]
)

var pages = form{
	path: pathPages, home: pathPages, texts: "owner.pages.", title: "name", files: pageFiles{}, fields: pageFields,
	note: func(_ visit, page item) string {
		_, text, _ := content.CutFrontMatter(page.text("text"))
		first, _, _ := strings.Cut(strings.TrimLeft(text, "# \n"), "\n")
		return first
	},
}

// fileOf returns the file of a page in a language of the site.
func fileOf(id string, languages []string, language string) string {
	if language == languages[0] {
		language = ""
	}
	return path.Join(content.PagesFolder, language, id+content.PageEnding)
}

// pageFiles are the pages as items of a form.
type pageFiles struct{}

func (pageFiles) items(p *Pages, change *content.Change) (items []item, err error) {
	languages := p.languages()
	for _, part := range pageText.parts(languages) {
		files, _ := fs.Glob(change, fileOf("*", languages, part.Language)) // of a folder that cannot be read there are none
		for _, file := range files {
			id := strings.TrimSuffix(path.Base(file), content.PageEnding)
			if content.IsIgnored(id) {
				continue
			}
			text, err := fs.ReadFile(change, file)
			if err != nil {
				return nil, err
			}
			at := placeOf(items, id)
			if at < 0 {
				items, at = append(items, item{id: id, values: values{"name": id}}), len(items)
			}
			items[at].set(part.Input, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
	}
	slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.id, b.id) })
	return items, nil
}

// prepare prepares the change of a page, or of a new one. With another name it is another
// file.
func (pageFiles) prepare(v visit, w written, sent values) (change *content.Change, err error) {
	languages, id, name := v.languages(), w.id, sent.text("name")
	var changed []string
	if name == "" {
		return nil, reason{"owner.reason.empty", []any{v.Text("owner.pages.name")}}
	}
	change = v.Curator.NewChange("")
	if name != id {
		others := slices.DeleteFunc(slices.Clone(w.items), func(page item) bool { return page.id == w.id })
		id = v.newID(w.form, name, others)
	}
	if id != w.id {
		changed = append(changed, v.Text("owner.pages.name"))
	}
	isOther := false
	for _, part := range pageText.parts(languages) {
		before, after := w.now.text(part.Input), sent.text(part.Input)
		isOther = isOther || before != after
		if id == w.id && before == after {
			continue
		}
		if before != "" && (id != w.id || after == "") {
			err = errors.Join(err, change.Remove(fileOf(w.id, languages, part.Language)))
		}
		if after != "" {
			err = errors.Join(err, change.Write(fileOf(id, languages, part.Language), []byte(after+"\n")))
		}
	}
	if isOther {
		changed = append(changed, v.Text("owner.pages.text"))
	}
	change.Summary = v.Text("owner.summary.changed", w.id, strings.Join(changed, ", "))
	if w.id == "" {
		change.Summary = v.Text("owner.summary.new", v.Text("owner.pages.new"), name)
	}
	return change, err
}

func (pageFiles) remove(p *Pages, change *content.Change, id string) (err error) {
	languages := p.languages()
	for _, language := range languages {
		if failed := change.Remove(fileOf(id, languages, language)); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
