package owner

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

// form describes a part of the content that the owner edits: the items of a list, or one object. All its pages follow
// from it. Its messages are "new" and "change", or "title" for an object, "about" for the note below the heading, and
// for each field PATH, PATH.hint, and PATH.part, the heading of the part of the form that begins with the field.
type form struct {
	path       string // of the pages
	home       string // the page that lists the items
	file, list string // where the items are; without a list the form is of the file as one object
	texts      string // begins the keys of its messages
	title      string // input of the text that names an item
	fields     []field
	// files is set if the items are files; nil if they are in a list.
	files fileItems
	// note returns a line about an item of a list.
	note func(v visit, of item) string
}

// fileItems are items of a form that are files.
type fileItems interface {
	items(p *Pages, change *content.Change) ([]item, error)
	// prepare prepares to change an item, or to make one.
	prepare(v visit, w written, sent values) (*content.Change, error)
	remove(p *Pages, change *content.Change, id string) error
}

// item is an item of a form, with its texts by the inputs of its fields.
type item struct {
	id, lang string // lang is the language of its texts; may be empty
	picture  string // the address of an item that is a picture
	values
}

func (w written) isNew() bool { return w.id == "" && !w.isObject() }

func (f form) isObject() bool { return f.list == "" && f.files == nil }

// pagePath is the page that an item is changed from.
func (f form) pagePath(id string) string {
	if id == "" || f.path != pathAnswers { // whose items have pages of their own beside their forms
		return f.home
	}
	return f.itemPath(id)
}

// itemPath returns the path under which the pages of an item are.
func (f form) itemPath(id string) string { return f.path + "/" + url.PathEscape(id) }

// editPath is the page on which an item, or a new one, is written.
func (f form) editPath(id string) string {
	switch {
	case f.isObject():
		return f.path
	case id == "":
		return f.path + "/new"
	}
	return f.itemPath(id) + "/edit"
}

// itemsOf returns the items of a form from the files, which may be newer than the live content. For an object it is one
// item without an id. For a file with faults, the error is the page that names them.
func (v visit) itemsOf(f form) ([]item, error) {
	items, err := v.readItems(f, v.Curator.NewChange(""))
	if _, isFaulty := errors.AsType[content.Diagnostics](err); isFaulty || errors.Is(err, fs.ErrNotExist) {
		err = refused(http.StatusConflict, "file", f.file, strings.Join(v.errorLines(err), "\n"))
	}
	return items, err
}

// readItems returns the items of a form as a change leaves them.
func (p *Pages) readItems(f form, change *content.Change) (items []item, err error) {
	if f.files != nil {
		return f.files.items(p, change)
	}
	if f.isObject() {
		object := values{}
		for _, part := range partsOf(f.fields, p.languages()) {
			found, err := change.Get(part.file, nil)
			if err != nil {
				return nil, err
			}
			object.set(part.Input, part.open(part.valueIn(found), ""))
		}
		return []item{{values: object}}, nil
	}
	found, err := change.Get(f.file, content.Path{f.list})
	list, _ := found.(content.List)
	currency := p.currency()
	for _, one := range list {
		group, _ := one.(content.Fields)
		lang := group.Text("lang")
		items = append(items, item{id: group.Text("id"), lang: lang,
			values: open(partsOf(f.fields, p.languagesOf(lang)), group, cmp.Or(group.Text("currency"), currency))})
	}
	return items, err
}

func (p *Pages) languages() []string { return p.live().Languages() }

// languagesOf are the languages of the site for the texts of an item: its own, if it has one, comes
// first, because its texts are in it.
func (p *Pages) languagesOf(own string) []string {
	all := p.languages()
	if !slices.Contains(all, own) {
		return all
	}
	return append([]string{own}, slices.DeleteFunc(slices.Clone(all), func(tag string) bool { return tag == own })...)
}

func placeOf(items []item, id string) int {
	return slices.IndexFunc(items, func(item item) bool { return item.id == id })
}

// written is an item while its form is open.
type written struct {
	form
	id        string // empty for a new one, and for the object of a form without a list
	items     []item
	now       item     // in the files
	languages []string // of its texts, the first first
	where     string   // the id of the item before it
	wasAt     string   // likewise, when the form was opened
	setting   string   // overrides what the form writes; empty for none
}

// opened returns the item that a request names, as the files have it, or a new one. asked are the keys of the
// questions that a new answer takes off the list. If the item of a sent form is gone, opened returns a new one.
func (v visit) opened(f form) (one written, asked []string, err error) {
	id := v.PathValue("id")
	items, err := v.itemsOf(f)
	if err != nil {
		return one, nil, err
	}
	one, place := written{form: f, id: id, items: items, now: item{values: values{}}}, placeOf(items, id)
	isGone := id != "" && place < 0
	switch {
	case place >= 0:
		one.now = items[place]
	case isGone && v.Method != http.MethodPost:
		return one, nil, noItem
	case isGone:
		one.id = ""
	case f.path == pathAnswers:
		if one.now, asked, err = v.draftAnswer(); err != nil {
			return one, nil, err
		}
	}
	one.fields = slices.DeleteFunc(slices.Clone(f.fields), func(f field) bool {
		return f.Kind == kindAlt && place >= 0 || f.Kind == content.KindBand && v.bandOptions() == nil
	})
	if place < 0 {
		place = len(items)
	}
	one.where = after(items, place)
	one.wasAt = one.where
	if f.path == pathPrecision {
		one.setting = v.Precision
	}
	one.languages = v.languagesOf(one.now.lang)
	for _, name := range strings.Fields(v.PostForm.Get(languagesInput)) { // one that is added has fields at once
		if tag, err := language.Parse(name); err == nil && !slices.Contains(one.languages, tag.String()) {
			one.languages = append(slices.Clip(one.languages), tag.String())
		}
	}
	return one, asked, nil
}

// edit shows the form of an item, or of a new one without an id, and makes or proposes what was sent
// as a change.
func (v visit) edit(f form) error {
	one, asked, err := v.opened(f)
	if err != nil {
		return err
	}
	isPosted := v.Method == http.MethodPost
	if !isPosted || one.setting != "" {
		if isPosted {
			v.status = http.StatusConflict
		}
		fields, _ := v.shownFields(one, nil)
		return v.showForm(one, fields, "")
	}
	if where := v.PostFormValue("after"); where == "" || placeOf(one.items, where) >= 0 { // else removed meanwhile
		one.where = where
	}
	one.wasAt = v.PostFormValue("was.after")
	err = v.takeUploads()
	if f.list == servicesList {
		v.PostForm.Set("currency", v.currency())
	}
	fields, moved := v.shownFields(one, v.PostForm)
	sent := values{}
	for _, shown := range fields {
		sent.set(shown.Input, shown.Value)
		sent.set(shown.Input+uploadEnding, shown.Upload)
	}
	switch {
	case err != nil:
	case one.id != v.PathValue("id"):
		err = reason{key: "owner.form.gone"}
	case moved:
		err = reason{key: "owner.form.moved"}
	}
	if err != nil {
		v.status = http.StatusConflict
		return v.showForm(one, fields, v.reasonOf(err))
	}
	step := v.PostFormValue("step")
	if step == stepEdit {
		return v.showForm(one, fields, "")
	}
	faults := one.dropUnused(sent)
	one.chooseOne(sent)
	titled := one
	isTitle := func(s shownField) bool { return one.isNew() && s.Path == f.title && s.Value != nil }
	if at := slices.IndexFunc(fields, isTitle); at >= 0 {
		titled.title = fields[at].Input // in the first language that has one
	}
	change, err := v.prepareItem(titled, sent)
	if change != nil {
		change.Off = asked
	}
	if faults == nil && err == nil && !change.IsEmpty() {
		_, _, faults = v.Curator.Check(v.Context(), change)
	}
	if one.mark(v, fields, faults) {
		v.status = http.StatusUnprocessableEntity
		return v.showForm(one, fields, v.Text("owner.form.faults"))
	}
	pr := proposal{
		Back: f.pagePath(one.id), Action: v.URL.RequestURI(), Next: f.pagePath(one.id),
		Fields: sentAgain(v.PostForm), Editable: true, Outdated: v.outdated(one, sent),
		Direct: step != stepLook,
	}
	switch {
	case f.home == pathServices:
		pr.Page = strings.TrimPrefix(contract.PathPricing, "/")
	case f.path == pathPages && one.id != content.HomePage:
		pr.Page = one.id
	}
	for _, shown := range fields {
		if uploaded := cmp.Or(shown.Upload, sent.text(uploadField)); uploaded != "" {
			pr.Picture = pathPicture + uploaded
		}
	}
	if title := cmp.Or(sent.text(titled.title), one.now.text(f.title)); title != "" {
		pr.Intro = v.Text("owner.quoted", title)
	}
	if step == stepAnother || v.PostForm.Has(stepAnother) {
		pr.Next = f.editPath("")
		pr.Fields.Set(stepAnother, "") // kept on the page of the change
	}
	return v.propose(pr, change, err)
}

// chooseOne removes the old value of two that exclude each other, such as the price and the shared price of a service,
// when the form was sent with a new one.
func (w written) chooseOne(sent values) {
	for _, f := range w.fields {
		other := f.Instead
		switch {
		case sent[f.Input] == nil || sent[other] == nil:
		case reflect.DeepEqual(w.now.values[other], sent[other]):
			delete(sent, other)
		case reflect.DeepEqual(w.now.values[f.Input], sent[f.Input]):
			delete(sent, f.Input)
		}
	}
}

// sentAgain returns the values of a form that a page sends once more, without secrets and what each page adds itself.
func sentAgain(form url.Values) url.Values {
	form = maps.Clone(form)
	for _, name := range []string{"digest", "step", "file", "password", goldenField} {
		form.Del(name)
	}
	return form
}

// mark puts the faults of the changed content beside the fields that they concern. It reports whether there are faults
// and each belongs to a field of this form.
func (w written) mark(v visit, fields []shownField, err error) bool {
	faults, _ := errors.AsType[content.Diagnostics](err)
	for _, fault := range faults {
		id, path, isItem := w.within(fault.Path)
		at := fieldAt(partsOf(w.fields, w.languages), fault.File, path)
		isElsewhere := !isItem || at < 0 || id != w.id && placeOf(w.items, id) >= 0
		switch {
		case isElsewhere && fault.Code == "content.language": // one that the form removes
			at = slices.IndexFunc(fields, func(shown shownField) bool { return shown.Kind == content.KindTags })
			isElsewhere = at < 0
			fault.Code, fault.Values = "content.language.used", append(fault.Values, v.placeOfFault(fault))
		case fault.Code == "content.missing" && !isElsewhere:
			fault.Values = []any{fields[at].labelOf(fault.Path[len(fault.Path)-1])}
		}
		if isElsewhere {
			return false
		}
		if text := v.faultText(fault); !slices.Contains(fields[at].Faults, text) { // the same in another language
			fields[at].Faults = append(fields[at].Faults, text)
		}
	}
	return len(faults) > 0
}

// placeOfFault names the item with a faulty value, or its field or file.
func (v visit) placeOfFault(fault content.Diagnostic) string {
	f, id, rest := v.formOf(content.Value{File: fault.File, Path: fault.Path})
	switch {
	case f == nil || len(fault.Path) == 0:
	case !f.isObject():
		return v.titleOf(*f, id)
	default:
		parts := partsOf(f.fields, v.languages())
		if at := fieldAt(parts, fault.File, rest); at >= 0 {
			return v.Text(f.texts + parts[at].Path)
		}
	}
	return fault.File
}

// within splits a path in a file into the id of the item of the form and the path within the item. ok is false for a
// path that leads elsewhere.
func (f form) within(path []string) (id string, rest []string, ok bool) {
	if f.list == "" {
		return "", path, true
	}
	if len(path) < 2 || path[0] != f.list {
		return "", nil, false
	}
	return path[1], path[2:], true
}

// fieldAt returns the index of the field that contains a path, or -1.
func fieldAt(parts []field, file string, path []string) int {
	found := -1
	for i, part := range parts {
		rest, isBelow := strings.CutPrefix(strings.Join(path, ".")+".", part.Path+".")
		if part.file == file && isBelow && (found < 0 || strings.HasPrefix(rest, part.Language+".")) {
			found = i
		}
	}
	return found
}

// after returns the id of the item before a place; empty for the first place.
func after(items []item, place int) string {
	if place <= 0 {
		return ""
	}
	return items[place-1].id
}

// shownFields returns the fields of an item, a three-way merge of the submitted form with the current
// file. moved reports that both have changed a text.
func (v visit) shownFields(w written, sent url.Values) (fields []shownField, moved bool) {
	for _, part := range partsOf(w.fields, w.languages) {
		now := w.now.values[part.Input]
		shown := v.shown(w.form, part)
		if w.isNew() && part.Kind == content.KindCurrency {
			now = v.currency()
		}
		shown.Value, shown.Was = now, digestOf(now)
		if sent != nil {
			shown.Value, shown.Upload = read([]field{part}, sent)[part.Input], sent.Get(part.Input+uploadEnding)
			was := sent.Get("was." + part.Input)
			switch {
			case w.isNew(), was == "", was == shown.Was, reflect.DeepEqual(shown.Value, now):
			case digestOf(shown.Value) == was:
				shown.Value = now
			default:
				shown.Theirs, shown.Moved, moved = plain(now), true, true
			}
		}
		if part.Kind == kindFile && w.id == "" {
			shown.Required = true
		}
		isWritten := func(language string) bool { return w.now.values[part.Path+"."+language] != nil }
		if part.Input != part.Path && !slices.ContainsFunc(part.languages, isWritten) { // a plain text is that of each
			shown.Required = false
		}
		if w.setting != "" {
			shown.Value, shown.Fixed = w.setting, true
		}
		code := shown.Text()
		if part.Kind == content.KindCurrency && code != "" && !slices.ContainsFunc(shown.Options, hasValue(code)) {
			shown.Options = append(shown.Options, option{code, code}) // one that is no longer in use
		}
		shown.Note = v.noteBelow(shown)
		fields = append(fields, shown)
	}
	return fields, moved
}

// shown returns a field as the page shows it, still without its value.
func (v visit) shown(f form, part field) shownField {
	shown := shownField{field: part, Label: v.Text(f.texts + part.Path), words: v.Printer,
		Options: v.optionsOf(f, part)}
	if part.Language != "" && len(part.languages) > 1 {
		shown.Label += " (" + i18n.NameOf(part.Language) + ")"
	}
	for _, column := range part.columns {
		shown.columnsShown = append(shown.columnsShown, v.shown(f, column))
	}
	if part.isFirst() {
		shown.Hint, shown.Part = v.TextIf(f.texts+part.Path+".hint"), v.TextIf(f.texts+part.Path+".part")
	}
	return shown
}

// noteBelow returns the note about the value of a field; empty for most fields.
func (v visit) noteBelow(shown shownField) string {
	switch shown.Kind {
	case kindPrecision:
		return v.precisionNote()
	case content.KindColour:
		if got, least := content.AccentContrast(shown.Text()); got > 0 {
			return v.Text("owner.look.contrast", got, least)
		}
	}
	return ""
}

// optionsOf returns the choices of a field; nil for free text.
func (v visit) optionsOf(f form, part field) (options []option) {
	codes, name := part.Options, func(value string) string { return v.Text(f.texts + part.Path + "." + value) }
	switch part.Kind {
	case kindPrecision:
		return v.precisionOptions()
	case content.KindBand:
		return v.bandOptions()
	case content.KindPicture:
		return v.pictureOptions()
	case content.KindType:
		codes, name = content.Kinds(), func(value string) string { return value }
	case content.KindCurrency:
		country := ""
		if address := v.live().Address; address != nil {
			country = address.Country
		}
		codes, name = content.Currencies(country), v.Currency
	case content.KindLanguage:
		codes, name = v.languages(), i18n.NameOf
	case content.KindFlag:
		yesOrNo := map[string]string{"true": v.Text("owner.yes"), "false": v.Text("owner.no")}
		codes, name = []string{"true", "false"}, func(value string) string {
			return cmp.Or(v.TextIf(f.texts+part.Path+"."+value), yesOrNo[value])
		}
	}
	for _, code := range codes {
		options = append(options, option{code, name(code)})
	}
	return options
}

// prepareItem prepares the change of an item, or of a new one, at a place among the others.
func (v visit) prepareItem(w written, sent values) (*content.Change, error) {
	if w.files != nil {
		return w.files.prepare(v, w, sent)
	}
	change := v.Curator.NewChange("")
	err := w.addPictures(v, change, sent)
	if err != nil {
		return nil, err
	}
	place, at := placeOf(w.items, w.where)+1, placeOf(w.items, w.id)
	title, path := v.TextIf(w.texts+"title"), content.Path(nil)
	if w.isNew() {
		taken := w.items
		if other, ok := map[string]form{pathServices: prices, pathPrices: services}[w.path]; ok { // no id is in both
			items, err := v.itemsOf(other)
			if err != nil {
				return nil, err
			}
			taken = slices.Concat(taken, items)
		}
		id := cmp.Or(w.now.id, v.newID(w.form, sent.text(w.title), taken))
		group := append(content.Fields{{Key: "id", Value: id}}, writtenGroup(w.fields, sent, w.languages)...)
		change.Summary = v.Text("owner.summary.new", v.Text(w.texts+"new"), sent.text(w.title))
		err = errors.Join(w.setCurrency(v, change, sent), change.Insert(w.file, content.Path{w.list}, place, group))
		if w.list == servicesList {
			err = errors.Join(err, change.WantPrice(id))
		}
		return change, err
	}
	if !w.isObject() {
		title, path = w.now.text(w.title), content.Path{w.list, w.id}
	}
	var changed []string
	for _, f := range w.fields {
		isChanged, failed := w.set(change, path, f, sent)
		err = errors.Join(err, failed)
		if isChanged {
			changed = append(changed, v.Text(w.texts+f.Path))
		}
	}
	if !w.isObject() && w.where != w.wasAt && w.where != after(w.items, at) && w.where != w.id {
		if place > at {
			place--
		}
		err = errors.Join(err, change.Move(w.file, content.Path{w.list}, at, place))
		changed = append(changed, v.Text("owner.summary.place"))
	}
	change.Summary = v.Text("owner.summary.changed", title, strings.Join(changed, ", "))
	return change, errors.Join(err, w.setCurrency(v, change, sent))
}

// setCurrency writes the currency when a service gets a price of its own and the file has no currency.
func (w written) setCurrency(v visit, change *content.Change, sent values) error {
	if w.list != servicesList || sent["price"] == nil {
		return nil
	}
	path := content.Path{"currency"}
	if now, err := change.Get(catalogFile, path); now != nil || err != nil {
		return err
	}
	return change.Set(catalogFile, path, v.currency())
}

// set writes a field of the item at a path if it differs from what is there.
func (w written) set(change *content.Change, item content.Path, f field, sent values) (isChanged bool, err error) {
	isSame := true
	for _, part := range f.parts(w.languages) {
		isSame = isSame && reflect.DeepEqual(w.now.values[part.Input], sent[part.Input])
	}
	path := slices.Concat(item, strings.Split(f.Path, "."))
	if isSame {
		return false, nil
	}
	now, err := change.Get(f.file, path)
	if err != nil {
		return false, err
	}
	value := f.written(sent, w.languages, now)
	if value == nil {
		return true, change.Delete(f.file, path)
	}
	if f.Local && w.now.lang != "" && f.file == faqFile {
		if _, isMap := value.(content.Fields); isMap {
			err = change.NameLanguage(item)
		} else if own, _ := change.Get(f.file, append(slices.Clip(item), "lang")); own == nil {
			value = content.Fields{{Key: w.now.lang, Value: value}}
		}
	}
	return true, errors.Join(err, change.Set(f.file, path, value))
}

// newID makes an id of a text that no item has. A text without Latin letters and digits gives the word for the items in
// the address of their pages. An answer replaces a fact with its id, so it gets another one.
func (v visit) newID(f form, text string, items []item) string {
	return content.NewID(text, strings.TrimSuffix(path.Base(f.path), "s"), func(id string) bool {
		return placeOf(items, id) >= 0 || f.path == pathAnswers && slices.Contains(v.live().FactIDs(), id)
	})
}

func (v visit) showForm(item written, fields []shownField, reason string) error {
	var places []option // none for files
	for _, other := range item.items {
		if other.id != item.id && item.list != "" {
			places = append(places, option{other.id, other.text(item.title)})
		}
	}
	title, action, removePath, fixed := "new", item.editPath(item.id), "", ""
	switch {
	case item.isObject():
		title = "title"
	case item.id != "":
		title, removePath = "change", item.itemPath(item.id)+"/remove"
	case v.URL.Path == action:
		action = v.URL.RequestURI()
	}
	if item.setting != "" {
		fixed = v.Text(item.texts+"fixed", item.setting)
	}
	up := item.pagePath(item.id)
	if up == v.URL.Path {
		up = ""
	}
	title = v.Text(item.texts + title)
	focusFault(fields)
	toSee := []string{v.URL.Query().Get(askedField)}
	if item.path == pathBusiness {
		for _, part := range v.live().StillSample() {
			toSee = append(toSee, sampleFields[part.Kind])
		}
	}
	return v.show(title, "form", data{
		"Note": v.TextIf(item.texts + "about"), "Action": action, "Up": up, "Reason": reason, "Fixed": fixed,
		"Obstacle": v.Obstacle(), "IsList": item.isNew(),
		"After": item.where, "WasAfter": item.wasAt, "RemovePath": removePath, "Picture": item.now.picture,
		"Parts": partsOfForm(fields, toSee), "Places": places, "Tabs": siteTabs(item.home),
	})
}

// formPart is a part of a form. With a title it is folded, unless something in it needs attention: the field that a
// link led to, what is still the sample's, what was typed, and what must be corrected.
type formPart struct {
	Title, Glance string // Glance is what it holds, in a few words
	IsOpen        bool
	Fields        []shownField
}

// focusFault sets the focus on the first field with a fault.
func focusFault(fields []shownField) {
	if at := slices.IndexFunc(fields, func(shown shownField) bool { return len(shown.Faults) > 0 }); at >= 0 {
		fields[at].Focus = true
	}
}

// askedField is the query parameter of a form with the field that a link leads to.
const askedField = "field"

// at returns the address of an object's form, at a field.
func (f form) at(input string) string {
	return withQuery(f.path, askedField, input) + "#field-" + input
}

func partsOfForm(fields []shownField, toSee []string) (parts []formPart) {
	for _, shown := range fields {
		if len(parts) == 0 || shown.Part != "" {
			parts = append(parts, formPart{Title: shown.Part})
		}
		part := &parts[len(parts)-1]
		part.Fields = append(part.Fields, shown)
		isTyped := shown.Upload != "" || digestOf(shown.Value) != shown.Was
		part.IsOpen = part.IsOpen || isTyped || shown.Moved || len(shown.Faults) > 0 ||
			slices.Contains(toSee, shown.Input) || shown.Required && shown.Value == nil
		if glance := shown.glance(); glance != "" && shown.isFirst() {
			part.Glance = shortened(strings.TrimPrefix(part.Glance+" · "+glance, " · "), longestWord)
		}
	}
	return parts
}

func (v visit) remove(f form) error {
	one, _, err := v.opened(f)
	if err == nil && one.id == "" {
		err = noItem
	}
	if err != nil {
		return err
	}
	id, title := one.id, one.now.text(f.title)
	change := v.Curator.NewChange(v.Text("owner.summary.removed", title))
	if f.files != nil {
		err = f.files.remove(v.Pages, change, id)
	} else {
		err = change.RemoveItem(f.file, f.list, id)
	}
	if users := v.usersOf(f, change, id); len(users) > 0 {
		err = reason{"owner.reason.inuse", []any{strings.Join(users, ", ")}}
	}
	return v.propose(proposal{
		Back: f.pagePath(id), Next: f.home,
		Intro: v.Text("owner.form.removes", title), Named: v.named(id, title),
	}, change, err)
}

// usersOf returns what still needs an item, which then cannot be removed.
func (v visit) usersOf(f form, change *content.Change, id string) []string {
	switch f.path {
	case pathPrices:
		return v.usersOfPrice(change, id)
	case pathPictures:
		return v.usersOfPicture(id)
	}
	return nil
}
