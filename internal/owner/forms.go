package owner

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/i18n"
)

// form describes what an owner writes of the content: the items of a list, or one object. Its
// pages all follow from it. Its texts are the messages new and change, for an object title, about
// below the heading, and for each field KEY, KEY.hint and KEY.group, a heading above it.
type form struct {
	path       string // of the pages
	home, here string // the page that lists the items, and the page in the navigation
	itemPages  bool   // an item has a page of its own beside its form
	file, list string // where the items are; without a list the form is of the file as one object
	texts      string // begins the keys of its messages
	title      string // key of the text that names an item
	fields     []field
	// of an item in the list; nil for none
	summary func(p *Pages, s session, item values) string
	// what cannot be without an item; nil for nothing
	inUse  func(p *Pages, s session, change *content.Change, id string) []string
	remove func(change *content.Change, id string) error
	fixed  func(p *Pages) string // the setting that goes before the content; nil or empty for none
	// read and prepare are for items that are files; see files.go.
	read    func(p *Pages) ([]values, error)
	prepare func(p *Pages, s session, w written, sent values) (*content.Change, error)
	// draft is a new item that a request asks for, and what to do once it is made; nil for an
	// empty one.
	draft func(p *Pages, r *http.Request) (item values, settle func(context.Context) error, err error)
	// shownOn is the path of the site, without its first slash, that shows an item; nil for the first page.
	shownOn func(id string) string
}

func (f form) isObject() bool { return f.list == "" && f.read == nil }

// pagePath is the page that an item is changed from.
func (f form) pagePath(id string) string {
	if id == "" || !f.itemPages {
		return f.home
	}
	return f.path + "/" + url.PathEscape(id)
}

// editPath is the page on which an item, or a new one, is written.
func (f form) editPath(id string) string {
	switch {
	case f.isObject():
		return f.path
	case id == "":
		return f.path + "/new"
	}
	return f.path + "/" + url.PathEscape(id) + "/edit"
}

// formPages are the pages of a form by their paths.
func (p *Pages) formPages(f form) map[string]sessionFunc {
	edit := func(w http.ResponseWriter, r *http.Request, s session) error {
		return p.edit(w, r, s, f, r.PathValue("id"))
	}
	if f.isObject() {
		return map[string]sessionFunc{f.path: edit}
	}
	remove := func(w http.ResponseWriter, r *http.Request, s session) error { return p.remove(w, r, s, f) }
	return map[string]sessionFunc{f.path + "/new": edit, f.path + "/{id}/edit": edit, f.path + "/{id}/remove": remove}
}

// itemsOf are the items of a form in the files, which may be newer than those that are live.
func (p *Pages) itemsOf(f form) (items []values, err error) {
	if f.read != nil {
		return f.read(p)
	}
	found, err := p.Curator.NewChange("").Items(f.file, f.list)
	for _, item := range found {
		opened := f.open(item, p.languagesOf(item.Text("lang")))
		opened["id"], opened["lang"] = item.Text("id"), item.Text("lang")
		items = append(items, opened)
	}
	return items, err
}

func (p *Pages) object(f form) (values, error) {
	change := p.Curator.NewChange("")
	object, err := change.Item(f.file, nil)
	for _, field := range f.fields {
		if field.file != "" && err == nil {
			var other content.Item
			other, err = change.Item(field.file, nil)
			maps.Copy(object, other)
		}
	}
	return f.open(object, p.languages()), err
}

func (p *Pages) languages() []string { return p.Service.Live().Content.Languages() }

// languagesOf are the languages of the site for the texts of an item: its own, if it has one, comes
// first, because its texts are in it.
func (p *Pages) languagesOf(own string) []string {
	all := p.languages()
	if !slices.Contains(all, own) {
		return all
	}
	return append([]string{own}, slices.DeleteFunc(slices.Clone(all), func(tag string) bool { return tag == own })...)
}

// open are the texts of an item of a file.
func (f form) open(item content.Item, languages []string) values {
	opened := values{}
	for _, field := range f.fields {
		for _, part := range field.in(languages).parts() {
			opened[part.Key] = part.valueIn(item)
		}
	}
	return opened
}

func placeOf(items []values, id string) int {
	return slices.IndexFunc(items, func(item values) bool { return item["id"] == id })
}

func (f form) label(s session, part field) string {
	label := s.Text(f.texts + part.base)
	if part.Language != "" && len(part.languages) > 1 {
		label += " (" + i18n.NameOf(part.Language) + ")"
	}
	return label
}

// written is an item while its form is open.
type written struct {
	form
	id        string // empty for a new one, and for the object of a form without a list
	items     []values
	now       values   // the item in the files
	languages []string // of its texts, the first first
	where     string   // the id of the item before it
	setting   string   // that goes before what the form writes; empty for none
}

// edit shows the form of an item, or of a new one without an id, and proposes what was sent
// as a change.
func (p *Pages) edit(w http.ResponseWriter, r *http.Request, s session, f form, id string) error {
	item := written{form: f, id: id}
	if f.fixed != nil {
		item.setting = f.fixed(p)
	}
	var settle func(context.Context) error
	var err error
	if f.isObject() {
		item.now, err = p.object(f)
	} else {
		item.items, err = p.itemsOf(f)
	}
	if err != nil {
		return f.unreadable(s, err)
	}
	place, gone := len(item.items), false
	if id != "" {
		if place = placeOf(item.items, id); place >= 0 {
			item.now = item.items[place]
		} else if r.Method != http.MethodPost {
			return noItem
		} else {
			gone, item.id, place = true, "", len(item.items)
		}
	}
	if id == "" && f.draft != nil {
		if item.now, settle, err = f.draft(p, r); err != nil {
			return err
		}
	}
	item.languages = p.languagesOf(item.now["lang"])
	if r.Method != http.MethodPost || item.setting != "" {
		item.where = after(item.items, place)
		fields, _ := p.fieldsOf(s, item, nil)
		return p.showForm(w, r, s, item, fields, "")
	}
	item.where = r.PostFormValue("after")
	err = p.takeUpload(r)
	fields, moved := p.fieldsOf(s, item, r.PostForm)
	sent, uploaded := values{}, ""
	for _, shown := range fields {
		sent[shown.Key] = shown.Value
		if shown.Kind == fileField && shown.Value != "" {
			uploaded = pathPicture + shown.Value
		}
	}
	again := r.PostFormValue("step") == stepEdit
	switch {
	case err != nil:
	case gone:
		err = reason{key: "owner.form.gone"}
	case moved:
		err = reason{key: "owner.form.moved"}
	case !again:
		err = item.check(p, s, f.fields, "", sent, sent)
	}
	if err != nil {
		return p.showForm(w, r, s, item, fields, p.reasonOf(s, err))
	}
	if again {
		return p.showForm(w, r, s, item, fields, "")
	}
	action, next, intro, page := r.URL.Path, f.pagePath(item.id), "", ""
	if r.URL.RawQuery != "" {
		action += "?" + r.URL.RawQuery
	}
	if title := cmp.Or(sent[f.title], item.now[f.title]); title != "" {
		intro = s.Text("owner.quoted", title)
	}
	if f.shownOn != nil {
		page = f.shownOn(item.id)
	}
	return p.propose(w, r, s, proposal{
		Back: next, Action: action, Here: f.here, Next: next, Fields: resent(r.PostForm), Editable: true, Intro: intro,
		Page: page, Picture: uploaded,
		Outdated: p.outdated(item, sent),
		prepare: func(context.Context) (*content.Change, error) {
			change, err := p.prepareItem(s, item, sent)
			if change != nil {
				change.AfterApply = settle
			}
			return change, err
		},
	})
}

// resent is what a form sends again of what was sent: all but what a page adds by itself.
func resent(form url.Values) url.Values {
	form = maps.Clone(form)
	for _, name := range []string{"form_token", "digest", "step", "file", goldenField} {
		form.Del(name)
	}
	return form
}

// check checks the texts of fields, and those of each row of one, whose columns are within it. With a text in
// another language a field needs one in the first.
func (w written) check(p *Pages, s session, fields []field, within string, texts, all values) error {
	for _, f := range fields {
		f = f.in(w.languages)
		f.base = within + f.base
		for _, row := range linesOf(texts[f.Key]) {
			if isEmptyRow(row) {
				continue
			}
			if err := w.check(p, s, f.columns, f.base+".", f.row(row), all); err != nil {
				return err
			}
		}
		isEmpty := isEmpty(f.texts(texts))
		for _, part := range f.parts() {
			if text := texts[part.Key]; text != "" {
				if why := part.validate(p, s, text, all); why.key != "" {
					return reason{why.key, append([]any{w.label(s, part)}, why.arguments...)}
				}
			} else if part.Required || part.Key == f.Key && !f.Partial && !isEmpty {
				return reason{"owner.reason.empty", []any{w.label(s, part)}}
			}
		}
	}
	return nil
}

// after is the id of the item before a place; empty at the beginning.
func after(items []values, place int) string {
	if place <= 0 {
		return ""
	}
	return items[place-1]["id"]
}

// fieldsOf returns the fields of an item, a three-way merge of the submitted form with the current
// file. moved reports that both have changed a text.
func (p *Pages) fieldsOf(s session, item written, sent url.Values) (fields []shownField, moved bool) {
	for _, f := range item.fields {
		for _, part := range f.in(item.languages).parts() {
			now := item.now[part.Key]
			shown := shownField{field: part, Value: now, Was: digest(now), Label: item.label(s, part), session: s}
			if sent != nil {
				shown.Value = part.read(sent)
				was := sent.Get("was." + part.Key)
				isOld := item.id != "" || item.isObject()
				switch {
				case !isOld, was == "", was == shown.Was, shown.Value == now:
				case digest(shown.Value) == was:
					shown.Value = now
				default:
					shown.Now, shown.Moved, moved = now, true, true
				}
			}
			if part.Kind == fileField && item.id == "" {
				shown.Required = true
			}
			if item.setting != "" {
				shown.Value, shown.Fixed = item.setting, true
			}
			if f.options != nil {
				shown.Options = f.options(p, s)
			}
			if f.note != nil {
				shown.Note = f.note(p, s, shown.Value)
			}
			for _, cell := range part.cells() {
				shown.columnsShown = append(shown.columnsShown, shownField{field: cell, Label: item.label(s, cell)})
			}
			if part.Key == part.base { // not that of a further language
				shown.Hint, shown.Group = s.TextIf(item.texts+part.base+".hint"), s.TextIf(item.texts+part.base+".group")
			}
			fields = append(fields, shown)
		}
	}
	return fields, moved
}

// prepareItem prepares the change of an item, or of a new one, at a place among the others.
func (p *Pages) prepareItem(s session, w written, sent values) (*content.Change, error) {
	if w.prepare != nil {
		return w.prepare(p, s, w, sent)
	}
	change := p.Curator.NewChange("")
	place, at := placeOf(w.items, w.where)+1, placeOf(w.items, w.id)
	if w.id == "" && !w.isObject() {
		change.Summary = s.Text("owner.summary.new", s.Text(w.texts+"new"), sent[w.title])
		id := content.Field{Key: "id", Value: cmp.Or(w.now["id"], w.newID(sent[w.title], w.items))}
		return change, change.Insert(w.file, content.Path{w.list}, place,
			append(content.Fields{id}, fieldsOf(w.fields, w.languages, sent)...))
	}
	title, item := s.TextIf(w.texts+"title"), content.Path(nil)
	if !w.isObject() {
		title, item = w.now[w.title], content.Path{w.list, at}
	}
	fields, err := setFields(change, w.file, item, w.fields, w.languages, w.now, sent)
	if err != nil {
		return nil, err
	}
	var changed []string
	isSplit := false
	for _, field := range fields {
		changed = append(changed, s.Text(w.texts+field.Key))
		isSplit = isSplit || field.Partial && !field.isSame(field.texts(sent))
	}
	if isSplit && w.now["lang"] != "" { // its texts say their languages now
		if err := change.Delete(w.file, slices.Concat(item, content.Path{"lang"})); err != nil {
			return nil, err
		}
	}
	if !w.isObject() && w.where != after(w.items, at) && w.where != w.id {
		if place > at {
			place--
		}
		if err := change.Move(w.file, content.Path{w.list}, at, place); err != nil {
			return nil, err
		}
		changed = append(changed, s.Text("owner.summary.place"))
	}
	change.Summary = s.Text("owner.summary.changed", title, strings.Join(changed, ", "))
	return change, nil
}

// newID makes an id of a text that no item has. A text without Latin letters and digits gives
// the word for the items in the address of their pages.
func (f form) newID(text string, items []values) string {
	return content.NewID(text, strings.TrimSuffix(path.Base(f.path), "s"), func(id string) bool {
		return placeOf(items, id) >= 0
	})
}

func (p *Pages) showForm(w http.ResponseWriter, r *http.Request, s session, item written, fields []shownField,
	reason string) error {
	var places []option
	for _, other := range item.items {
		if other["id"] != item.id && item.read == nil {
			places = append(places, option{other["id"], other[item.title]})
		}
	}
	title, action, removePath, fixed := "new", item.editPath(item.id), "", ""
	switch {
	case item.isObject():
		title = "title"
	case item.id != "":
		title, removePath = "change", item.path+"/"+url.PathEscape(item.id)+"/remove"
	case r.URL.RawQuery != "" && r.URL.Path == action:
		action += "?" + r.URL.RawQuery
	}
	if item.setting != "" {
		fixed = s.Text(item.texts+"fixed", item.setting)
	}
	status := http.StatusOK
	if reason != "" || fixed != "" && r.Method == http.MethodPost {
		status = http.StatusConflict
	}
	up := item.pagePath(item.id)
	if up == r.URL.Path {
		up = ""
	}
	title = s.Text(item.texts + title)
	return p.show(w, r, s, view{Title: title, Status: status, Here: item.here}, "form", data{
		"Title": title, "Note": s.TextIf(item.texts + "about"), "Action": action, "Up": up, "Reason": reason, "Fixed": fixed,
		"Obstacle": p.Obstacle(),
		"After":    item.where, "RemovePath": removePath, "Picture": item.now[picturePath], "Fields": fields,
		"Places": places, "Tabs": siteTabs(item.home),
	})
}

func (p *Pages) remove(w http.ResponseWriter, r *http.Request, s session, f form) error {
	id := r.PathValue("id")
	items, err := p.itemsOf(f)
	if err != nil {
		return f.unreadable(s, err)
	}
	place := placeOf(items, id)
	if place < 0 {
		return noItem
	}
	title := items[place][f.title]
	return p.propose(w, r, s, proposal{
		Back: f.pagePath(id), Action: r.URL.Path, Here: f.here, Next: f.home,
		Intro: s.Text("owner.form.removes", title), Named: p.named(id, title),
		prepare: func(context.Context) (*content.Change, error) {
			change := p.Curator.NewChange(s.Text("owner.summary.removed", title))
			if f.inUse != nil {
				if users := f.inUse(p, s, change, id); len(users) > 0 {
					return nil, reason{"owner.reason.inuse", []any{strings.Join(users, ", ")}}
				}
			}
			return change, f.deleteItem(change, id)
		},
	})
}

func (f form) deleteItem(change *content.Change, id string) error {
	if f.remove != nil {
		return f.remove(change, id)
	}
	items, err := change.Items(f.file, f.list)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(items, func(item content.Item) bool { return item.Text("id") == id })
	return change.Delete(f.file, content.Path{f.list, at})
}

// unreadable is the page of a file that has faults, or cannot be read.
func (f form) unreadable(s session, err error) error {
	if _, isFaulty := errors.AsType[content.Diagnostics](err); !isFaulty && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &problem{status: http.StatusConflict, key: "file",
		arguments: []any{f.file, strings.Join(errorLines(s, err), "\n")}}
}
