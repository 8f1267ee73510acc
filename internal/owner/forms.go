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
	"strconv"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/i18n"
	"frontdesk/internal/images"
)

// form describes what an owner writes of the content: the items of a list, or one object. Its
// pages all follow from it. Its texts are the messages owner.LIST.new and owner.LIST.change, for
// an object .title, .about below the heading, and for each field owner.LIST.KEY, .hint and .group, a heading above it.
type form struct {
	path       string // of the pages
	home       string // the page that lists the items, if it is another
	here       string // the page in the navigation, if it is another
	file, list string // where the items are; without a list the form is of the file as one object
	title      string // key of the text that names an item
	prefix     string // of the keys of its messages, if it is not owner.LIST.
	fields     []field
	summary    func(p *Pages, s session, item content.Item) string                   // of an item in the list; nil for none
	inUse      func(p *Pages, s session, change *content.Change, id string) []string // what cannot be without an item; nil for nothing
	remove     func(change *content.Change, id string) error
	fixed      func(p *Pages) string // the setting that goes before the content; nil or empty for none
	// read and prepare are for items that are files; see files.go.
	read    func(p *Pages) ([]content.Item, error)
	prepare func(p *Pages, s session, w written, values content.Item) (*content.Change, error)
	// draft is a new item that a request asks for, and what to do once it is made; nil for an
	// empty one.
	draft func(p *Pages, r *http.Request) (item content.Item, settle func(context.Context) error, err error)
}

// shownOn is the path of the site, without its first slash, that shows the item of a form.
func (w written) shownOn() string {
	switch {
	case w.path == pathPages && w.id != "home":
		return w.id
	case w.home == pathServices:
		return strings.TrimPrefix(contract.PathPricing, "/")
	}
	return ""
}

// isObject reports whether the form is of one object.
func (f form) isObject() bool { return f.list == "" && f.read == nil }

// isFixed reports whether a setting goes before what the form writes.
func (f form) isFixed(p *Pages) bool { return f.fixed != nil && f.fixed(p) != "" }

// homePath is the page of all items, herePath that in the navigation.
func (f form) homePath() string { return cmp.Or(f.home, f.path) }
func (f form) herePath() string { return cmp.Or(f.here, f.homePath()) }

// pagePath is the page that an item is changed from.
func (f form) pagePath(id string) string {
	if id == "" || f.home != "" {
		return f.homePath()
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

// field is a value of an item.
type field struct {
	Key      string
	Kind     fieldKind
	Required bool
	Local    bool   // it has a text for each language
	Partial  bool   // only the first language needs one
	file     string // that it is in, if it is not that of the form
	// options are what can be chosen.
	options func(p *Pages, s session) []option
	columns []field // of rowsField
	// note says more about a value; nil for nothing.
	note func(p *Pages, s session, value string) string

	base      string   // the key in the file
	language  string   // of the text
	languages []string // of the site
}

// option is a value that can be chosen.
type option struct{ Value, Text string }

// fieldKind is how a value is written, on the page and in the file.
type fieldKind string

// The kinds.
const (
	lineField   fieldKind = "line"  // a text of one line
	textField   fieldKind = "text"  // a text of any length
	linesField  fieldKind = "lines" // a list of texts, one on a line
	dateField   fieldKind = "date"
	amountField fieldKind = "amount" // an amount of the currency beside it
	choiceField fieldKind = "choice" // one of options
	radioField  fieldKind = "radio"  // a number of options that are all shown, written without quotes
	flagField   fieldKind = "flag"   // true or false, options say what that means
	hoursField  fieldKind = "hours"  // opening hours
	daysField   fieldKind = "days"   // days, and first and last days
	timesField  fieldKind = "times"  // such days with opening hours
	rowsField   fieldKind = "rows"   // a list of maps, whose keys are columns
	imageField  fieldKind = "image"  // one of the pictures
	fileField   fieldKind = "file"   // a picture to upload; the text is its digest
	plainField  fieldKind = "plain"  // a number, written without quotes
)

// in are the fields of a field in the languages of the site: the first has the key of the
// field.
func (f field) in(languages []string) (fields []field) {
	f.base, f.languages = f.Key, languages
	if !f.Local {
		return []field{f}
	}
	for i, language := range languages {
		one := f
		one.language = language
		if i > 0 {
			one.Key += "." + language
			one.Required = f.Required && !f.Partial
		}
		fields = append(fields, one)
	}
	return fields
}

// languageName is the name of a language in itself.
func languageName(tag string) string {
	if texts := i18n.For(tag); strings.HasPrefix(tag, texts.Language) {
		return texts.Text("language.name")
	}
	return tag
}

// of are the texts of a field in an item of the file.
func (f field) of(item content.Item) []string {
	switch {
	case f.Kind == hoursField:
		return hoursOf(item, f.base)
	case f.Kind == timesField:
		return specialHoursOf(item, f.base)
	case f.Kind == rowsField:
		return f.rowsOf(item)
	case f.Kind == imageField && len(item[f.base]) > 0:
		return []string{imagePath(content.ImageName(item.Text(f.base)))}
	case f.language != "" && len(item[f.base+"."+f.language]) > 0:
		return item[f.base+"."+f.language]
	}
	if f.Partial && f.Key != f.base { // a text without a language is in the first
		return nil
	}
	return item[f.base]
}

// path leads to a field of the item at a path.
func (f field) path(item content.Path) content.Path {
	path := slices.Clone(item)
	for key := range strings.SplitSeq(f.base, ".") {
		path = append(path, key)
	}
	return path
}

// read returns the texts that a form sends for a field.
func (f field) read(sent url.Values) (texts []string) {
	text := strings.TrimSpace(strings.ReplaceAll(sent.Get(f.Key), "\r\n", "\n"))
	switch {
	case f.Kind == hoursField && !sent.Has(f.Key):
		for _, day := range weekdays {
			if times := strings.TrimSpace(sent.Get(f.Key + "." + day)); times != "" {
				texts = append(texts, day+" "+tidyTimes(times))
			}
		}
	case (f.Kind == daysField || f.Kind == timesField) && !sent.Has(f.Key):
		cell := func(column string, row int) string {
			if cells := sent[f.Key+column]; row < len(cells) {
				return strings.TrimSpace(cells[row])
			}
			return ""
		}
		for row := range sent[f.Key+".from"] {
			days, last, times := cell(".from", row), cell(".to", row), cell(".times", row)
			if last != "" && last != days {
				days += ".." + last
			}
			if times != "" {
				days += " " + tidyTimes(times)
			}
			if days != "" {
				texts = append(texts, days)
			}
		}
	case f.Kind == rowsField:
		texts = f.readRows(sent)
	case f.isList():
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				texts = append(texts, line)
			}
		}
	case text != "":
		texts = []string{text}
	}
	if f.Kind == amountField && len(texts) > 0 {
		texts[0] = tidyAmount(texts[0], sent.Get("currency"))
	}
	return texts
}

// tidyAmount writes an amount of a currency as catalog.yaml does. Other texts stay as they are.
func tidyAmount(typed, currency string) string {
	if written, ok := content.ParseAmount(typed, currency); ok {
		return written
	}
	return typed
}

// set writes a field of an item in the languages of the site; no texts remove it.
func (f field) set(change *content.Change, file string, item content.Path, languages []string, now, values content.Item) error {
	file = cmp.Or(f.file, file)
	parts := f.in(languages)
	path := parts[0].path(item)
	texts := values[f.Key]
	switch {
	case f.Kind == hoursField:
		return setTimes(change, file, path, now, f.Key, weekOf(texts))
	case f.Kind == timesField:
		return setTimes(change, file, path, now, f.Key, specialDays(texts))
	case f.Kind == rowsField:
		return parts[0].setRows(change, file, path, now[f.Key], texts)
	case f.isEmpty(parts, values):
		return change.Delete(file, path)
	case f.Local && (len(now[f.Key+"."+languages[0]]) > 0 || !f.isSame(parts, values)):
		return f.setEach(change, file, path, parts, now, values)
	case f.Kind == linesField, f.Kind == daysField:
		return change.SetLines(file, path, texts)
	}
	return change.Set(file, path, f.value(texts))
}

// isList reports whether a field has several texts, one on a line.
func (f field) isList() bool {
	return slices.Contains([]fieldKind{linesField, hoursField, daysField, timesField, rowsField}, f.Kind)
}

// isEmpty reports whether a field has no text in any language.
func (field) isEmpty(parts []field, values content.Item) bool {
	return !slices.ContainsFunc(parts, func(part field) bool { return len(values[part.Key]) > 0 })
}

// isSame reports whether a field is written as one text: it is the same in all languages, or
// only in the first.
func (f field) isSame(parts []field, values content.Item) bool {
	return !slices.ContainsFunc(parts[1:], func(part field) bool {
		if f.Partial {
			return len(values[part.Key]) > 0
		}
		return !slices.Equal(values[part.Key], values[f.Key])
	})
}

// setEach writes a text for each language.
func (f field) setEach(change *content.Change, file string, path content.Path, parts []field, now, values content.Item) error {
	if len(now[f.Key+"."+parts[0].language]) == 0 { // one text for all until now
		return change.Set(file, path, f.valueOf(parts, values))
	}
	for _, part := range parts {
		if slices.Equal(now[part.Key], values[part.Key]) {
			continue
		}
		var err error
		switch at := slices.Concat(path, content.Path{part.language}); {
		case f.Kind == linesField:
			err = change.SetLines(file, at, values[part.Key])
		case len(values[part.Key]) == 0:
			err = change.Delete(file, at)
		default:
			err = change.Set(file, at, f.value(values[part.Key]))
		}
		if errors.Is(err, content.ErrByHand) { // a list whose items have languages
			return change.Set(file, path, f.valueOf(parts, values))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// valueOf is what is written for the texts of a field in the languages of the site.
func (f field) valueOf(parts []field, values content.Item) any {
	if f.isSame(parts, values) {
		return parts[0].value(values[f.Key])
	}
	var each content.Fields
	for _, part := range parts {
		if len(values[part.Key]) > 0 {
			each = append(each, content.Field{Key: part.language, Value: f.value(values[part.Key])})
		}
	}
	return each
}

// value is what is written for texts.
func (f field) value(texts []string) any {
	switch f.Kind {
	case linesField, rowsField:
		list := content.List{}
		for _, text := range texts {
			if f.Kind == linesField {
				list = append(list, text)
			} else if !isEmptyRow(text) {
				list = append(list, f.rowValue(text))
			}
		}
		return list
	case dateField, amountField, flagField, plainField, radioField:
		return content.Plain(texts[0])
	}
	return texts[0]
}

// checkEach checks the texts of a field in each language. With a text in one it needs one in all.
func (f field) checkEach(p *Pages, s session, label func(field) string, parts []field, texts, values content.Item) error {
	for _, part := range parts {
		part.Required = part.Required || !f.Partial && !f.isEmpty(parts, texts)
		if err := part.check(p, s, label(part), texts[part.Key], values); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a required field that is empty, and what no browser sends: dates, amounts and
// truth values are written without quotes.
func (f field) check(p *Pages, s session, label string, texts []string, values content.Item) error {
	refused := func(key string, of ...any) error { return reason{key, append([]any{label}, of...)} }
	if len(texts) == 0 {
		if f.Required {
			return refused("owner.reason.empty")
		}
		return nil
	}
	switch f.Kind {
	case dateField:
		if !isDay(texts[0]) {
			return refused("owner.reason.date")
		}
	case daysField:
		for _, text := range texts {
			first, last, isRange := strings.Cut(text, "..")
			if !isDay(first) || isRange && (!isDay(last) || last < first) {
				return refused("owner.reason.days", text)
			}
		}
	case hoursField:
		for _, text := range texts {
			if day, times, _ := strings.Cut(text, " "); !content.AreTimes(times) {
				return refused("owner.reason.times", times, weekdayName(s, day))
			}
		}
	case timesField:
		for _, text := range texts {
			days, times, _ := strings.Cut(text, " ")
			first, last, isRange := strings.Cut(days, "..")
			if !isDay(first) || isRange && (!isDay(last) || last < first) {
				return refused("owner.reason.days", days)
			}
			if !content.AreTimes(times) {
				return refused("owner.reason.times", times, days)
			}
		}
	case amountField:
		if _, ok := content.ParseAmount(texts[0], values.Text("currency")); !ok {
			return refused("owner.reason.amount", texts[0], values.Text("currency"))
		}
	case plainField:
		if _, err := strconv.ParseFloat(texts[0], 64); err != nil {
			return refused("owner.reason.number", texts[0])
		}
	case choiceField, flagField, imageField, radioField:
		if !slices.ContainsFunc(f.options(p, s), func(o option) bool { return o.Value == texts[0] }) {
			return refused("owner.reason.choice")
		}
	}
	return nil
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// shownField is a field on the page.
type shownField struct {
	field
	Value              string
	Was                string // digest of the value when the page was opened
	Now                string // what someone else has made of it meanwhile
	Moved              bool   // there is a Now
	Fixed              bool   // by a setting, which has the value
	Options            []option
	Label, Hint, Group string
	Note               string // about the value
	session            session
	columnsShown       []shownField // of a row
}

// Accepted are the types of files for a picture.
func (field) Accepted() string { return images.Accepted }

// Language is that of the text, for one of several.
func (f field) Language() string { return f.language }

// dayRow is the row of a day of the week in the opening hours.
type dayRow struct{ Key, Name, Times string }

// Week is a row for each day of the week.
func (s shownField) Week() (rows []dayRow) {
	for _, day := range weekdays {
		row := dayRow{s.Key + "." + day, weekdayName(s.session, day), ""}
		for line := range strings.Lines(s.Value) {
			if times, isDay := strings.CutPrefix(strings.TrimSpace(line), day+" "); isDay {
				row.Times = times
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// period is a row of days; the last may be empty.
type period struct{ First, Last, Times string }

// emptyRows is how many rows for further days, or other items, a form has.
const emptyRows = 3

// Periods is a row for each day, or first and last day, and some more.
func (s shownField) Periods() (rows []period) {
	for line := range strings.Lines(s.Value) {
		days, times, _ := strings.Cut(strings.TrimSpace(line), " ")
		first, last, _ := strings.Cut(days, "..")
		rows = append(rows, period{first, last, times})
	}
	return append(rows, make([]period, emptyRows)...)
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
func (p *Pages) itemsOf(f form) ([]content.Item, error) {
	if f.read != nil {
		return f.read(p)
	}
	items, err := p.Curator.New("").Items(f.file, f.list)
	for i := range items {
		items[i] = f.open(items[i], p.languagesOf(items[i]))
	}
	return items, err
}

// object is the object of a form without a list.
func (p *Pages) object(f form) (content.Item, error) {
	change := p.Curator.New("")
	object, err := change.Item(f.file, nil)
	for _, field := range f.fields {
		if err != nil || field.file == "" {
			continue
		}
		var other content.Item
		other, err = change.Item(field.file, nil)
		maps.Copy(object, other)
	}
	return f.open(object, p.languages()), err
}

// languages are those of the site, the first first.
func (p *Pages) languages() []string { return p.Service.Live().Content.Languages() }

// languagesOf are the languages of the site for the texts of an item: that of an item with lang
// comes first, because its texts are in it.
func (p *Pages) languagesOf(item content.Item) []string {
	own, all := item.Text("lang"), p.languages()
	if !slices.Contains(all, own) {
		return all
	}
	return append([]string{own}, slices.DeleteFunc(slices.Clone(all), func(tag string) bool { return tag == own })...)
}

// open is an item of a file with the texts of the fields by their keys.
func (f form) open(item content.Item, languages []string) content.Item {
	opened := maps.Clone(item)
	for _, field := range f.allFields(languages) {
		opened[field.Key] = field.of(item)
	}
	return opened
}

// allFields are the fields in every language.
func (f form) allFields(languages []string) (all []field) {
	for _, field := range f.fields {
		all = append(all, field.in(languages)...)
	}
	return all
}

// pictureOf is the address of an item that is a picture; empty for others, and for a new one.
func (f form) pictureOf(item content.Item) string {
	if f.path != pathPictures || item == nil {
		return ""
	}
	return pathPicture + item.Text("id")
}

func placeOf(items []content.Item, id string) int {
	return slices.IndexFunc(items, func(item content.Item) bool { return item.Text("id") == id })
}

// texts begins the keys of the form's messages.
func (f form) texts() string { return cmp.Or(f.prefix, "owner."+f.list+".") }

// label names a field.
func (f form) label(s session, field field) string {
	label := s.Text(f.texts() + field.base)
	if field.language != "" && len(field.languages) > 1 {
		label += " (" + languageName(field.language) + ")"
	}
	return label
}

// noItem is the page of an item that is not in the files any more.
var noItem = &problem{status: http.StatusNotFound, key: "item", link: pathChanges}

// written is an item while its form is open.
type written struct {
	form
	id    string // empty for a new one, and for the object of a form without a list
	items []content.Item
	now   content.Item // the item in the files
	where string       // the id of the item before it
}

// edit shows the form of an item, or of a new one without an id, and proposes what was sent
// as a change.
func (p *Pages) edit(w http.ResponseWriter, r *http.Request, s session, f form, id string) error {
	item := written{form: f, id: id}
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
	if id == "" && !gone && f.draft != nil {
		if item.now, settle, err = f.draft(p, r); err != nil {
			return err
		}
	}
	if r.Method != http.MethodPost || f.isFixed(p) {
		item.where = after(item.items, place)
		return p.showForm(w, r, s, item, p.fieldsOf(s, f, item.now), "")
	}
	unusable := p.takeUploads(r, f)
	fields, moved := p.merge(s, f, item.now, r.PostForm, !f.isObject() && (gone || id == ""))
	item.where = r.PostFormValue("after")
	switch {
	case unusable != nil:
		return p.showForm(w, r, s, item, fields, reasonOf(s, unusable))
	case gone:
		return p.showForm(w, r, s, item, fields, s.Text("owner.form.gone"))
	case moved:
		return p.showForm(w, r, s, item, fields, s.Text("owner.form.moved"))
	case r.PostFormValue("step") == stepEdit:
		return p.showForm(w, r, s, item, fields, "")
	}
	sent := url.Values{"after": {item.where}}
	values, uploaded := content.Item{}, ""
	for _, shown := range fields {
		sent.Set(shown.Key, shown.Value)
		sent.Set("was."+shown.Key, shown.Was)
		values[shown.Key] = shown.lines(shown.Value)
		if shown.Kind == fileField && shown.Value != "" {
			uploaded = pathPicture + shown.Value
		}
	}
	label := func(part field) string { return f.label(s, part) }
	for _, field := range f.fields {
		parts := field.in(p.languagesOf(item.now))
		if err := parts[0].checkRows(p, s, f, values); err != nil {
			return p.showForm(w, r, s, item, fields, reasonOf(s, err))
		}
		if err := field.checkEach(p, s, label, parts, values, values); err != nil {
			return p.showForm(w, r, s, item, fields, reasonOf(s, err))
		}
	}
	next := f.pagePath(item.id)
	action := r.URL.Path
	if r.URL.RawQuery != "" {
		action += "?" + r.URL.RawQuery
	}
	intro := ""
	if title := cmp.Or(values.Text(f.title), item.now.Text(f.title)); title != "" {
		intro = s.Text("owner.quoted", title)
	}
	return p.propose(w, r, s, proposal{
		Back: next, Action: action, Here: f.herePath(), Next: next, Fields: sent, Editable: true, Intro: intro, Page: item.shownOn(), Picture: uploaded,
		prepare: func(context.Context) (*content.Change, error) {
			change, err := p.prepareItem(s, item, values)
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

// fieldsOf are the fields of an item as its page shows them first.
func (p *Pages) fieldsOf(s session, f form, item content.Item) (fields []shownField) {
	for _, field := range f.allFields(p.languagesOf(item)) {
		fields = append(fields, p.shown(s, f, field, strings.Join(item[field.Key], "\n"), strings.Join(item[field.Key], "\n")))
	}
	return fields
}

// shown is a field with a value, and the value that it has in the files.
func (p *Pages) shown(s session, of form, f field, value, now string) shownField {
	shown := shownField{field: f, Value: value, Was: digest(now), Label: of.label(s, f), session: s}
	if of.isFixed(p) {
		shown.Value, shown.Fixed = of.fixed(p), true
	}
	if f.options != nil {
		shown.Options = f.options(p, s)
	}
	if f.note != nil {
		shown.Note = f.note(p, s, value)
	}
	for _, cell := range f.cells() {
		shown.columnsShown = append(shown.columnsShown, shownField{field: cell, Label: of.label(s, cell)})
	}
	if texts := of.texts() + f.base; f.Key == f.base { // not that of a further language
		shown.Hint, shown.Group = s.TextIf(texts+".hint"), s.TextIf(texts+".group")
	}
	return shown
}

// lines are the texts of a field that are joined on the page.
func (f field) lines(value string) []string {
	switch {
	case value == "":
		return nil
	case f.isList():
		return strings.Split(value, "\n")
	}
	return []string{value}
}

// merge puts what was sent and what is in the files now together: a field that only one
// side has changed is taken from it. Moved reports one that both have changed.
func (p *Pages) merge(s session, f form, now content.Item, sent url.Values, isNew bool) (fields []shownField, moved bool) {
	for _, field := range f.allFields(p.languagesOf(now)) {
		current, mine := strings.Join(now[field.Key], "\n"), strings.Join(field.read(sent), "\n")
		shown := p.shown(s, f, field, mine, current)
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

// isUnchanged reports whether a field has the texts that it has in the files.
func (f field) isUnchanged(languages []string, now, values content.Item) bool {
	return !slices.ContainsFunc(f.in(languages), func(part field) bool { return !slices.Equal(now[part.Key], values[part.Key]) })
}

// prepareItem prepares the change of an item, or of a new one, at a place among the others.
func (p *Pages) prepareItem(s session, w written, values content.Item) (*content.Change, error) {
	if w.prepare != nil {
		return w.prepare(p, s, w, values)
	}
	change, languages := p.Curator.New(""), p.languagesOf(w.now)
	place := placeOf(w.items, w.where) + 1
	if w.id == "" && !w.isObject() {
		change.Summary = s.Text("owner.summary.new", s.Text(w.texts()+"new"), values.Text(w.title))
		item := content.Fields{{Key: "id", Value: w.newID(values.Text(w.title), w.items)}}
		for _, field := range w.fields {
			if parts := field.in(languages); !field.isEmpty(parts, values) {
				item = append(item, content.Field{Key: field.Key, Value: field.valueOf(parts, values)})
			}
		}
		return change, change.Insert(w.file, content.Path{w.list}, place, item)
	}
	at := placeOf(w.items, w.id)
	var path content.Path
	if !w.isObject() {
		path = content.Path{w.list, at}
	}
	var changed []string
	isSplit := false
	for _, field := range w.fields {
		if field.isUnchanged(languages, w.now, values) {
			continue
		}
		if err := field.set(change, w.file, path, languages, w.now, values); err != nil {
			return nil, err
		}
		changed = append(changed, s.Text(w.texts()+field.Key))
		isSplit = isSplit || field.Partial && !field.isSame(field.in(languages), values)
	}
	if isSplit && w.now.Text("lang") != "" { // its texts say their languages now
		if err := change.Delete(w.file, slices.Concat(path, content.Path{"lang"})); err != nil {
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
	title := w.now.Text(w.title)
	if w.isObject() {
		title = s.Text(w.texts() + "title")
	}
	change.Summary = s.Text("owner.summary.changed", title, strings.Join(changed, ", "))
	return change, nil
}

// newID makes an id of a text that no item has. A text without Latin letters and digits gives
// the word for the items in the address of their pages.
func (f form) newID(text string, items []content.Item) string {
	return content.NewID(text, strings.TrimSuffix(path.Base(f.path), "s"), func(id string) bool { return placeOf(items, id) >= 0 })
}

// showForm shows the form of an item.
func (p *Pages) showForm(w http.ResponseWriter, r *http.Request, s session, item written, fields []shownField, reason string) error {
	var places []option
	for _, other := range item.items {
		if other.Text("id") != item.id && item.read == nil {
			places = append(places, option{other.Text("id"), other.Text(item.title)})
		}
	}
	title, action, removePath := "", item.editPath(item.id), ""
	switch {
	case item.isObject():
		title = s.Text(item.texts() + "title")
	case item.id != "":
		title, removePath = s.Text(item.texts()+"change"), item.path+"/"+url.PathEscape(item.id)+"/remove"
	default:
		title = s.Text(item.texts() + "new")
		if r.URL.RawQuery != "" && r.URL.Path == action {
			action += "?" + r.URL.RawQuery
		}
	}
	fixed := ""
	if item.isFixed(p) {
		fixed = s.Text(item.texts()+"fixed", item.fixed(p))
	}
	status := http.StatusOK
	if reason != "" || fixed != "" && r.Method == http.MethodPost {
		status = http.StatusConflict
	}
	up := item.pagePath(item.id)
	if up == r.URL.Path {
		up = ""
	}
	p.write(w, r, status, view{Title: title, Here: item.herePath(), Session: s}, "form", data{
		"Title": title, "Note": s.TextIf(item.texts() + "about"), "Action": action, "Up": up, "Reason": reason, "Fixed": fixed, "Obstacle": p.Obstacle(),
		"After": item.where, "RemovePath": removePath, "Picture": item.pictureOf(item.now), "Fields": fields, "Places": places, "Tabs": siteTabs(item.homePath()),
	})
	return nil
}

// remove proposes to remove an item.
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
	title := items[place].Text(f.title)
	return p.propose(w, r, s, proposal{
		Back: f.pagePath(id), Action: r.URL.Path, Here: f.herePath(), Next: f.homePath(),
		Intro: s.Text("owner.form.removes", title), Named: p.named(id, title),
		prepare: func(context.Context) (*content.Change, error) {
			change := p.Curator.New(s.Text("owner.summary.removed", title))
			if f.inUse != nil {
				if users := f.inUse(p, s, change, id); len(users) > 0 {
					return nil, reason{"owner.reason.inuse", []any{strings.Join(users, ", ")}}
				}
			}
			return change, f.take(change, id)
		},
	})
}

// take removes an item.
func (f form) take(change *content.Change, id string) error {
	if f.remove != nil {
		return f.remove(change, id)
	}
	items, err := change.Items(f.file, f.list)
	if err != nil {
		return err
	}
	return change.Delete(f.file, content.Path{f.list, placeOf(items, id)})
}

// unreadable is the page of a file that has faults, or cannot be read.
func (f form) unreadable(s session, err error) error {
	if _, isFaulty := errors.AsType[content.Faults](err); !isFaulty && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &problem{status: http.StatusConflict, key: "file", arguments: []any{f.file, strings.Join(errorLines(s, err), "\n")}}
}
