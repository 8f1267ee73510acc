package owner

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"frontdesk/content"
)

// form describes the items of a list of the content that an owner writes: its pages all
// follow from it. Its texts are the messages owner.LIST.new and owner.LIST.change, and for
// each field owner.LIST.KEY and owner.LIST.KEY.hint.
type form struct {
	path       string // of the pages
	file, list string // where the items are
	title      string // key of the text that names an item
	fields     []field
	remove     func(change *content.Change, id string) error
	// draft is a new item that a request asks for, and what to do once it is made.
	draft func(p *Pages, r *http.Request) (item content.Item, settle func(context.Context) error, err error)
}

// field is a value of an item.
type field struct {
	Key      string
	Kind     fieldKind
	Required bool
}

// fieldKind is how a value is written, on the page and in the file.
type fieldKind string

// The kinds.
const (
	lineField  fieldKind = "line"  // a text of one line
	textField  fieldKind = "text"  // a text of any length
	linesField fieldKind = "lines" // a list of texts, one on a line
	dateField  fieldKind = "date"
)

// read returns the texts that a form sends for a field.
func (f field) read(sent url.Values) (texts []string) {
	text := strings.TrimSpace(strings.ReplaceAll(sent.Get(f.Key), "\r\n", "\n"))
	switch {
	case f.Kind == linesField:
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				texts = append(texts, line)
			}
		}
	case text != "":
		texts = []string{text}
	}
	return texts
}

// set writes a field of an item; no texts remove it.
func (f field) set(change *content.Change, file string, item content.Path, texts []string) error {
	path := slices.Concat(item, content.Path{f.Key})
	switch {
	case f.Kind == linesField:
		return change.SetLines(file, path, texts)
	case len(texts) == 0:
		return change.Delete(file, path)
	}
	return change.Set(file, path, f.value(texts))
}

// value is what is written for texts.
func (f field) value(texts []string) any {
	switch f.Kind {
	case linesField:
		var list content.List
		for _, text := range texts {
			list = append(list, text)
		}
		return list
	case dateField:
		return content.Plain(texts[0])
	}
	return texts[0]
}

// check refuses a required field that is empty, and a date that no browser sends: it is written without
// quotes.
func (f field) check(label string, texts []string) error {
	isDate := func(r rune) bool { return unicode.IsDigit(r) || r == '-' }
	switch {
	case f.Required && len(texts) == 0:
		return reason{"owner.reason.empty", []any{label}}
	case f.Kind == dateField && len(texts) > 0 && strings.TrimFunc(texts[0], isDate) != "":
		return reason{"owner.reason.date", []any{label}}
	}
	return nil
}

// shown is a field on the page.
type shownField struct {
	field
	Value string
	Was   string // digest of the value when the page was opened
	Now   string // what someone else has made of it meanwhile
	Moved bool   // there is a Now
}

// formPages are the pages of a form.
func (p *Pages) formPages(f form) map[string]sessionFunc {
	return map[string]sessionFunc{
		"GET " + f.path + "/new":  func(w http.ResponseWriter, r *http.Request, s session) error { return p.edit(w, r, s, f, "") },
		"POST " + f.path + "/new": func(w http.ResponseWriter, r *http.Request, s session) error { return p.edit(w, r, s, f, "") },
		"GET " + f.path + "/{id}/edit": func(w http.ResponseWriter, r *http.Request, s session) error {
			return p.edit(w, r, s, f, r.PathValue("id"))
		},
		"POST " + f.path + "/{id}/edit": func(w http.ResponseWriter, r *http.Request, s session) error {
			return p.edit(w, r, s, f, r.PathValue("id"))
		},
		"GET " + f.path + "/{id}/remove":  func(w http.ResponseWriter, r *http.Request, s session) error { return p.remove(w, r, s, f) },
		"POST " + f.path + "/{id}/remove": func(w http.ResponseWriter, r *http.Request, s session) error { return p.remove(w, r, s, f) },
	}
}

// itemsOf are the items of a form in the files, which may be newer than those that are live.
func (p *Pages) itemsOf(f form) ([]content.Item, error) {
	return p.Curator.New("").Items(f.file, f.list)
}

func placeOf(items []content.Item, id string) int {
	return slices.IndexFunc(items, func(item content.Item) bool { return item.Text("id") == id })
}

// texts begins the keys of the form's messages.
func (f form) texts() string { return "owner." + f.list }

// label names a field.
func (f form) label(s session, field field) string { return s.Text(f.texts() + "." + field.Key) }

// noItem is the page of an item that is not in the files any more.
var noItem = &problem{status: http.StatusNotFound, key: "item", link: pathChanges}

// edit shows the form of an item, or of a new one without an id, and proposes what was sent
// as a change.
func (p *Pages) edit(w http.ResponseWriter, r *http.Request, s session, f form, id string) error {
	items, err := p.itemsOf(f)
	if err != nil {
		return p.unreadable(w, r, s, f, err)
	}
	place := len(items)
	var now content.Item
	var settle func(context.Context) error
	gone := false
	if id != "" {
		if place = placeOf(items, id); place >= 0 {
			now = items[place]
		} else if r.Method != http.MethodPost {
			return noItem
		} else {
			gone, id, place = true, "", len(items)
		}
	}
	if id == "" && !gone {
		if now, settle, err = f.draft(p, r); err != nil {
			return err
		}
	}
	if r.Method != http.MethodPost {
		return p.showForm(w, r, s, f, id, items, f.open(now), after(items, place), "")
	}
	fields, moved := f.merge(now, r.PostForm, gone || id == "")
	where := r.PostFormValue("after")
	switch {
	case gone:
		return p.showForm(w, r, s, f, "", items, fields, where, s.Text("owner.form.gone"))
	case moved:
		return p.showForm(w, r, s, f, id, items, fields, where, s.Text("owner.form.moved"))
	case r.PostFormValue("step") == stepEdit:
		return p.showForm(w, r, s, f, id, items, fields, where, "")
	}
	sent := url.Values{"after": {where}}
	values := content.Item{}
	for _, shown := range fields {
		sent.Set(shown.Key, shown.Value)
		sent.Set("was."+shown.Key, shown.Was)
		values[shown.Key] = shown.read(sent)
		if err := shown.check(f.label(s, shown.field), values[shown.Key]); err != nil {
			return p.showForm(w, r, s, f, id, items, fields, where, reasonOf(s, err))
		}
	}
	next := f.path
	if id != "" {
		next += "/" + url.PathEscape(id)
	}
	action := r.URL.Path
	if r.URL.RawQuery != "" {
		action += "?" + r.URL.RawQuery
	}
	return p.propose(w, r, s, proposal{
		Back: next, Action: action, Here: f.path, Next: next, Fields: sent, Editable: true,
		Intro: "“" + values.Text(f.title) + "”",
		prepare: func(context.Context) (*content.Change, error) {
			change, err := p.prepareItem(s, f, id, items, now, values, where)
			if change != nil {
				change.Settle = settle
			}
			return change, err
		},
	})
}

// after is the id of the item before a place; empty at the beginning.
func after(items []content.Item, place int) string {
	if place <= 0 {
		return ""
	}
	return items[place-1].Text("id")
}

// open are the fields of an item as its page shows them first.
func (f form) open(item content.Item) (fields []shownField) {
	for _, field := range f.fields {
		value := strings.Join(item[field.Key], "\n")
		fields = append(fields, shownField{field: field, Value: value, Was: digest(value)})
	}
	return fields
}

// merge puts what was sent and what is in the files now together: a field that only one
// side has changed is taken from it. Moved reports one that both have changed.
func (f form) merge(now content.Item, sent url.Values, isNew bool) (fields []shownField, moved bool) {
	for _, field := range f.fields {
		current, mine := strings.Join(now[field.Key], "\n"), strings.Join(field.read(sent), "\n")
		shown := shownField{field: field, Value: mine, Was: digest(current)}
		was := sent.Get("was." + field.Key)
		switch {
		case isNew, was == "", was == digest(current), mine == current:
		case digest(mine) == was:
			shown.Value = current
		default:
			shown.Now, shown.Moved, moved = current, true, true
		}
		fields = append(fields, shown)
	}
	return fields, moved
}

// prepareItem prepares the change of an item, or of a new one, at a place among the others.
func (p *Pages) prepareItem(s session, f form, id string, items []content.Item, now, values content.Item, where string) (*content.Change, error) {
	change := p.Curator.New("")
	place := placeOf(items, where) + 1
	if id == "" {
		change.Summary = s.Text("owner.summary.new", s.Text(f.texts()+".new"), values.Text(f.title))
		item := content.Fields{{Key: "id", Value: newID(values.Text(f.title), items)}}
		for _, field := range f.fields {
			if texts := values[field.Key]; len(texts) > 0 {
				item = append(item, content.Field{Key: field.Key, Value: field.value(texts)})
			}
		}
		return change, change.Insert(f.file, content.Path{f.list}, place, item)
	}
	at := placeOf(items, id)
	var changed []string
	for _, field := range f.fields {
		if slices.Equal(now[field.Key], values[field.Key]) {
			continue
		}
		if err := field.set(change, f.file, content.Path{f.list, at}, values[field.Key]); err != nil {
			return nil, err
		}
		changed = append(changed, f.label(s, field))
	}
	if where != after(items, at) && where != id {
		if place > at {
			place--
		}
		if err := change.Move(f.file, content.Path{f.list}, at, place); err != nil {
			return nil, err
		}
		changed = append(changed, s.Text("owner.summary.place"))
	}
	change.Summary = s.Text("owner.summary.changed", now.Text(f.title), strings.Join(changed, ", "))
	return change, nil
}

// newID makes an id of a text that no item has.
func newID(text string, items []content.Item) string {
	const longest = 40
	var id strings.Builder
	for _, r := range strings.ToLower(norm.NFD.String(text)) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			id.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case id.Len() > 0 && !strings.HasSuffix(id.String(), "-"):
			id.WriteByte('-')
		}
		if id.Len() >= longest {
			break
		}
	}
	base := strings.Trim(id.String(), "-")
	if base == "" {
		base = "answer"
	}
	for n, made := 2, base; ; n++ {
		if placeOf(items, made) < 0 {
			return made
		}
		made = base + "-" + strconv.Itoa(n)
	}
}

// showForm shows the form of an item.
func (p *Pages) showForm(w http.ResponseWriter, r *http.Request, s session, f form, id string, items []content.Item, fields []shownField, where, reason string) error {
	type place struct{ ID, Text string }
	var places []place
	for _, item := range items {
		if item.Text("id") != id {
			places = append(places, place{item.Text("id"), item.Text(f.title)})
		}
	}
	title, action, up := s.Text(f.texts()+".new"), f.path+"/new", f.path
	if id != "" {
		title, up = s.Text(f.texts()+".change"), f.path+"/"+url.PathEscape(id)
		action = up + "/edit"
	} else if r.URL.RawQuery != "" && r.URL.Path == action {
		action += "?" + r.URL.RawQuery
	}
	status := http.StatusOK
	if reason != "" {
		status = http.StatusConflict
	}
	p.write(w, r, status, view{Title: title, Here: f.path, Session: s}, "form", struct {
		Title, Texts, Action, Up, Reason, Obstacle, After, RemovePath, FormToken string
		Fields                                                                   []shownField
		Places                                                                   []place
	}{title, f.texts(), action, up, reason, p.Obstacle(), where, removePath(f, id), s.FormToken(), fields, places})
	return nil
}

func removePath(f form, id string) string {
	if id == "" {
		return ""
	}
	return f.path + "/" + url.PathEscape(id) + "/remove"
}

// remove proposes to remove an item.
func (p *Pages) remove(w http.ResponseWriter, r *http.Request, s session, f form) error {
	id := r.PathValue("id")
	items, err := p.itemsOf(f)
	if err != nil {
		return p.unreadable(w, r, s, f, err)
	}
	place := placeOf(items, id)
	if place < 0 {
		return noItem
	}
	title := items[place].Text(f.title)
	return p.propose(w, r, s, proposal{
		Back: f.path + "/" + url.PathEscape(id), Action: r.URL.Path, Here: f.path, Next: f.path,
		Intro: s.Text("owner.form.removes", title),
		prepare: func(context.Context) (*content.Change, error) {
			change := p.Curator.New(s.Text("owner.summary.removed", title))
			return change, f.remove(change, id)
		},
	})
}

// unreadable is the page of a file that has faults, or cannot be read.
func (p *Pages) unreadable(w http.ResponseWriter, r *http.Request, s session, f form, err error) error {
	if _, faulty := errors.AsType[content.Faults](err); !faulty && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &problem{status: http.StatusConflict, key: "file", arguments: []any{f.file, err.Error()}}
}
