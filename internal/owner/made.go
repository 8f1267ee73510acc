package owner

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
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
func (p *Pages) madeIn(r *http.Request, s session) *made {
	number, _ := strconv.ParseInt(r.URL.Query().Get("made"), 10, 64)
	if !s.ok || number == 0 || r.Method != http.MethodGet {
		return nil
	}
	c, err := p.Store.Change(r.Context(), number)
	if err != nil {
		return nil
	}
	just := &made{Change: c, Site: p.Desk}
	for _, d := range p.differences(s, content.ReadEdits(c.Edits)) {
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
func (p *Pages) differences(s session, edits content.Edits) (found []difference) {
	var items []*changedItem
	for _, value := range edits.Values {
		f, id, rest := p.formOf(value)
		switch {
		case value.IsOrder:
			found = append(found, difference{Line: s.Text("owner.made.order")})
			continue
		case f == nil:
			continue
		case len(rest) == 0 && string(value.After) == "null":
			name := p.titleIn(f, put(nil, nil, value.Before))
			found = append(found, difference{Line: s.Text("owner.summary.removed", cmp.Or(name, id))})
			continue
		case f.path == pathPictures:
			found = append(found, difference{Line: s.Text("owner.summary.new", s.Text(f.texts+"upload"), id)})
			continue
		}
		at := slices.IndexFunc(items, func(one *changedItem) bool { return one.path == f.path && one.id == id })
		if at < 0 {
			items, at = append(items, &changedItem{form: *f, id: id}), len(items)
		}
		items[at].before = put(items[at].before, rest, value.Before)
		items[at].after = put(items[at].after, rest, value.After)
	}
	for _, item := range items {
		isNew := item.before == nil && !item.isObject()
		for _, part := range partsOf(item.fields, p.languages()) {
			if isNew && part.Kind == content.KindFlag { // a new draft is called one
				continue
			}
			for _, d := range p.differencesOf(s, item, part) {
				d.field, d.isNew = d.Label, isNew
				if item.files != nil || len(items) > 1 && !item.isObject() {
					name := cmp.Or(p.titleIn(&item.form, item.after), p.titleOf(item.form, item.id))
					d.Label = s.Text("owner.summary.changed", name, d.field)
				}
				switch d.Line = d.Label; {
				case d.After == "" && isLong(d.Before):
					lines := strings.FieldsFunc(d.Before, func(r rune) bool { return r == '\n' })
					d.Line = s.Text("owner.made.value", d.Label, shortened(strings.Join(lines, ", "), longestWord), "–")
				case d.IsLong():
				case d.isNew:
					d.Line += ": " + d.After
				default:
					d.Line = s.Text("owner.made.value", d.Label, cmp.Or(d.Before, "–"), cmp.Or(d.After, "–"))
				}
				found = append(found, d)
			}
		}
	}
	return found
}

// titleIn returns the text that names an item of a form; empty if its values do not have it.
func (p *Pages) titleIn(f *form, values any) string {
	for _, part := range partsOf(f.fields, p.languages()) {
		if part.Path == f.title {
			return textOf(part.valueIn(values), "")
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
		case f.path == pathPages && strings.HasPrefix(value.File, pageFolder+"/"):
			folder := path.Dir(value.File)
			language := p.languages()[0]
			if folder != pageFolder {
				language = path.Base(folder)
			}
			return &f, strings.TrimSuffix(path.Base(value.File), pageEnding), []string{"text", language}
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
func (p *Pages) titleOf(f form, id string) string {
	items, _ := p.itemsOf(f) // without the content the id is all there is
	at := slices.IndexFunc(items, func(one item) bool { return one.id == id })
	if at < 0 {
		return id
	}
	return cmp.Or(items[at].text(f.title), id)
}

// put returns group with the JSON value raw added at path.
func put(group any, path []string, raw json.RawMessage) any {
	if len(path) == 0 {
		var value any
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()        // 4.80 keeps its digits
		_ = decoder.Decode(&value) // of a stored change
		return value
	}
	named, _ := group.(map[string]any)
	value := put(named[path[0]], path[1:], raw)
	if value == nil {
		return group
	}
	if named == nil {
		named = map[string]any{}
	}
	named[path[0]] = value
	return named
}

// differencesOf returns the differences of a field of an item: none, one, or one for each day or column.
func (p *Pages) differencesOf(s session, item *changedItem, part field) (found []difference) {
	before, after := part.valueIn(item.before), part.valueIn(item.after)
	add := func(label, was, is string) {
		if was != is {
			found = append(found, difference{Label: label, Before: was, After: is})
		}
	}
	_, wasGroup := before.(map[string]any)
	_, isGroup := after.(map[string]any)
	switch {
	case part.Kind == content.KindHours:
		was, is, closed := timesByDay(before), timesByDay(after), s.Text("owner.made.closed")
		for i, day := range s.List("owner.weekdays") {
			if was[i] != is[i] {
				add(day, cmp.Or(was[i], closed), cmp.Or(is[i], closed))
			}
		}
	case part.Kind == content.KindPrice && (wasGroup || isGroup):
		for _, column := range part.columns {
			found = append(found, p.differencesOf(s, item, column)...)
		}
	default:
		options := p.optionsOf(s, item.form, part)
		inWords := func(value any) string {
			if part.Kind == content.KindFlag && value == nil {
				value = part.Default
			}
			text := textOf(value, part.Kind)
			switch part.Kind {
			case content.KindDates, content.KindTimes:
				text = strings.ReplaceAll(text, "..", "–")
			case content.KindPicture:
				text = strings.TrimPrefix(text, imageFolder+"/")
			}
			if at := slices.IndexFunc(options, hasValue(text)); at >= 0 {
				return options[at].Text
			}
			return text
		}
		add(item.label(s, part), inWords(before), inWords(after))
	}
	return found
}

// valueIn returns the value of a field in those of an item; nil if there is none.
func (f field) valueIn(values any) any {
	for name := range strings.SplitSeq(f.Path, ".") {
		group, _ := values.(map[string]any)
		values = group[name]
	}
	if !f.Local {
		return values
	}
	return f.inLanguage(values)
}

// inLanguage returns the part of value in the field's language, or nil.
func (f field) inLanguage(value any) any {
	own := map[string]any{}
	switch value := value.(type) {
	case map[string]any:
		for key, part := range value {
			if slices.Contains(f.languages, key) {
				return value[f.Language]
			}
			if part = f.inLanguage(part); part != nil {
				own[key] = part
			}
		}
	case []any:
		var list []any
		for _, part := range value {
			if part = f.inLanguage(part); part != nil {
				list = append(list, part)
			}
		}
		return list
	default:
		if f.Language != f.languages[0] {
			return nil
		}
		return value
	}
	if len(own) == 0 {
		return nil
	}
	return own
}

// timesByDay returns the times of each day of the week in a part of the opening hours; empty for the others.
func timesByDay(hours any) (times weekTimes) {
	group, _ := hours.(map[string]any)
	for key, value := range group {
		days, _ := content.DaysOf(key)
		for _, day := range days {
			times[slices.Index(content.Weekdays, day)] = strings.TrimPrefix(textOf(value, ""), content.Closed)
		}
	}
	return times
}

// textOf returns a value of a change as people read it.
func textOf(value any, kind content.Kind) string {
	var items []string
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(value)
	case json.Number:
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	case []any:
		for _, item := range value {
			items = append(items, textOf(item, ""))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			text := textOf(value[key], "")
			group, isGroup := value[key].(map[string]any)
			if kind == content.KindTimes || kind == content.KindItems && isGroup && group["name"] == nil {
				text = key + " " + text
			}
			items = append(items, text)
		}
	}
	separator := ", "
	switch kind {
	case content.KindLines, content.KindTags, content.KindWords:
		separator = "\n"
	case content.KindItems:
		separator = "; "
	}
	return strings.Join(items, separator)
}
