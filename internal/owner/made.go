package owner

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/records"
)

// made is a change that was just made, as the next page shows it.
type made struct {
	records.Change
	Lines []string // what is different, in words
	Site  string   // the address of the site
}

// madeIn returns the change whose number is in the address of the page; nil if there is none.
func (v visit) madeIn() *made {
	number, _ := strconv.ParseInt(v.URL.Query().Get("made"), 10, 64)
	if !v.ok || number == 0 || v.Method != http.MethodGet {
		return nil
	}
	c, err := v.Store.Change(v.Context(), number)
	if err != nil {
		return nil
	}
	just := &made{Change: c, Site: v.Desk}
	for _, d := range v.differences(content.ReadEdits(c.Edits)) {
		if !d.isNew { // the summary names what is new
			just.Lines = append(just.Lines, d.Line)
		}
	}
	return just
}

// longestWord is how many characters a value may have to be shown in a line.
const longestWord = 80

// difference is a value before and after a change, in the words of the form that it is written with.
type difference struct {
	Label, Before, After string
	Line                 string // all of it, or only the label of a long text
	field                string // the label without the name of the item
	isNew                bool   // of an item that is new as a whole
}

// IsLong reports whether the texts need more room than a line.
func (d difference) IsLong() bool { return d.After != "" && (isLong(d.Before) || isLong(d.After)) }

func isLong(text string) bool { return len([]rune(text)) > longestWord || strings.Contains(text, "\n") }

// Was returns Before in three parts, of which the middle one is different in After.
func (d difference) Was() []string { return differing(d.Before, d.After) }

// Is returns After in three parts, of which the middle one is different in Before.
func (d difference) Is() []string { return differing(d.After, d.Before) }

func differing(text, other string) []string {
	words, others := strings.SplitAfter(text, " "), strings.SplitAfter(other, " ")
	first, last, shared := 0, 0, min(len(words), len(others))
	for first < shared && words[first] == others[first] {
		first++
	}
	for last < shared-first && words[len(words)-1-last] == others[len(others)-1-last] {
		last++
	}
	return []string{strings.Join(words[:first], ""), strings.Join(words[first:len(words)-last], ""),
		strings.Join(words[len(words)-last:], "")}
}

// changedItem is an item of a form with its values that a change changes.
type changedItem struct {
	form
	id            string
	before, after any
}

// differences returns what edits change, in words. A value that no form has is left out.
func (v visit) differences(edits content.Edits) (found []difference) {
	var items []*changedItem
	for _, value := range edits.Values {
		f, id, rest := v.formOf(value)
		before, after := value.Sides()
		switch {
		case value.IsOrder:
			found = append(found, difference{Line: v.Text("owner.made.order")})
			continue
		case f == nil:
			continue
		case len(rest) == 0 && after == nil:
			name := v.titleIn(f, before)
			found = append(found, difference{Line: v.Text("owner.summary.removed", cmp.Or(name, id))})
			continue
		case f.path == pathPictures:
			found = append(found, difference{Line: v.Text("owner.summary.new", v.Text(f.texts+"upload"), id), isNew: true})
			continue
		}
		at := slices.IndexFunc(items, func(one *changedItem) bool { return one.path == f.path && one.id == id })
		if at < 0 {
			items, at = append(items, &changedItem{form: *f, id: id}), len(items)
		}
		items[at].before = put(items[at].before, rest, before)
		items[at].after = put(items[at].after, rest, after)
	}
	languages := v.languagesIn(edits)
	for _, item := range items {
		isNew := item.before == nil && !item.isObject()
		for _, part := range partsOf(item.fields, languages) {
			if isNew && part.Kind == content.KindFlag { // a new draft is called one
				continue
			}
			for _, d := range item.differencesOf(v.shown(item.form, part)) {
				d.field, d.isNew = d.Label, isNew
				if item.files != nil || len(items) > 1 && !item.isObject() {
					name := cmp.Or(v.titleIn(&item.form, item.after), v.titleOf(item.form, item.id))
					d.Label = v.Text("owner.summary.changed", name, d.field)
				}
				switch d.Line = d.Label; {
				case d.After == "" && isLong(d.Before):
					lines := strings.FieldsFunc(d.Before, func(r rune) bool { return r == '\n' })
					d.Line = v.Text("owner.made.value", d.Label, shortened(strings.Join(lines, ", "), longestWord), "–")
				case d.IsLong():
				case d.isNew:
					d.Line += ": " + d.After
				default:
					d.Line = v.Text("owner.made.value", d.Label, cmp.Or(d.Before, "–"), cmp.Or(d.After, "–"))
				}
				found = append(found, d)
			}
		}
	}
	return found
}

// languagesIn returns the site's languages, and those that edits add or remove.
func (p *Pages) languagesIn(edits content.Edits) []string {
	all := p.languages()
	for _, value := range edits.Values {
		if !strings.HasPrefix(strings.Join(value.Path, ".")+".", languagesInput+".") {
			continue
		}
		before, after := value.Sides()
		for _, side := range []any{before, after} {
			list, isList := side.(content.List)
			if !isList {
				list = content.List{side}
			}
			for _, tag := range textsOf(list) {
				if !slices.Contains(all, tag) {
					all = append(slices.Clip(all), tag)
				}
			}
		}
	}
	return all
}

// titleIn returns the text that names an item of a form; empty if its values do not have it.
func (p *Pages) titleIn(f *form, values any) string {
	for _, part := range partsOf(f.fields, p.languages()) {
		if part.Path == f.title {
			return plain(part.open(part.valueIn(values), ""))
		}
	}
	return ""
}

// formOf returns the form that a value is written with, the id of its item, and its path within the item; f is nil if
// there is none.
func (p *Pages) formOf(value content.Value) (f *form, id string, rest []string) {
	for _, f := range forms() {
		switch id, rest, isItem := f.within(value.Path); {
		case f.path == pathPictures && value.IsPicture():
			return &f, path.Base(value.File), nil
		case f.path == pathPages && strings.HasPrefix(value.File, content.PagesFolder+"/"):
			folder := path.Dir(value.File)
			language := p.languages()[0]
			if folder != content.PagesFolder {
				language = path.Base(folder)
			}
			return &f, strings.TrimSuffix(path.Base(value.File), content.PageEnding), []string{"text", language}
		case f.files != nil || !isItem:
		case !f.isObject() && f.file == value.File, f.has(value.File, rest, p.languages()):
			return &f, id, rest
		}
	}
	return nil, "", nil
}

// has reports whether a path leads to a field, a part of one, or a group of fields.
func (f form) has(file string, path, languages []string) bool {
	parts := partsOf(f.fields, languages)
	return fieldAt(parts, file, path) >= 0 || slices.ContainsFunc(parts, func(part field) bool {
		return part.file == file && strings.HasPrefix(part.Path, strings.Join(path, ".")+".")
	})
}

// titleOf returns the text that names an item as the content is now, or its id.
func (v visit) titleOf(f form, id string) string {
	items, _ := v.itemsOf(f) // without the content the id is all there is
	at := placeOf(items, id)
	if at < 0 {
		return id
	}
	return cmp.Or(items[at].text(f.title), id)
}

// put returns group with a value added at a path; nil adds nothing.
func put(group any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if value == nil {
		return group
	}
	fields, _ := group.(content.Fields)
	at := slices.IndexFunc(fields, func(one content.Field) bool { return one.Key == path[0] })
	if at < 0 {
		fields, at = append(fields, content.Field{Key: path[0]}), len(fields)
	}
	fields[at].Value = put(fields[at].Value, path[1:], value)
	return fields
}

// differencesOf returns the differences of a field of an item: none, one, or one for each day or column.
func (item *changedItem) differencesOf(shown shownField) (found []difference) {
	before, after := shown.valueIn(item.before), shown.valueIn(item.after)
	add := func(label, was, is string) {
		if was != is {
			found = append(found, difference{Label: label, Before: was, After: is})
		}
	}
	if shown.Kind == content.KindPrice {
		_, wasGroup := before.(content.Fields)
		_, isGroup := after.(content.Fields)
		if wasGroup || isGroup {
			for _, column := range shown.columnsShown {
				found = append(found, item.differencesOf(column)...)
			}
			return found
		}
		shown.Kind = content.KindLine // a word or an amount
	}
	was, is := shown, shown
	was.Value, is.Value = shown.open(before, ""), shown.open(after, "")
	if shown.Kind != content.KindHours {
		add(shown.Label, was.inWords(), is.inWords())
		return found
	}
	closed := shown.words.Text("owner.made.closed")
	hours, now := was.Value.(weekTimes), is.Value.(weekTimes)
	for i, day := range shown.words.List("owner.weekdays") {
		add(day, cmp.Or(shownTimes(hours[i]), closed), cmp.Or(shownTimes(now[i]), closed))
	}
	return found
}
