package owner

import (
	"cmp"
	"encoding/json"
	"net/http"
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
	return &made{c, p.differences(s, content.ReadEdits(c.Edits)), p.Desk}
}

// longestWord is how many characters a value may have to be shown in a line.
const longestWord = 80

// differences returns a line for each changed value that has a field in a form.
func (p *Pages) differences(s session, edits content.Edits) (lines []string) {
	var before, after weekTimes
	for _, value := range edits.Values {
		was, isShort := valueText(value.Before)
		is, isShortToo := valueText(value.After)
		f, part := p.fieldOf(value)
		var days []string
		if part.Kind == content.KindHours {
			days, _ = content.DaysOf(value.Path[len(value.Path)-1])
		}
		for _, day := range days {
			at := slices.Index(content.Weekdays, day)
			before[at], after[at] = before[at]+was, after[at]+is
		}
		switch {
		case f == nil, days != nil:
		case isShort && isShortToo:
			lines = append(lines, s.Text("owner.made.value", f.label(s, part), cmp.Or(was, "–"), cmp.Or(is, "–")))
		default:
			lines = append(lines, f.label(s, part))
		}
	}
	timesOf := func(times string) string {
		return cmp.Or(strings.TrimPrefix(times, content.Closed), s.Text("owner.made.closed"))
	}
	for i, day := range s.List("owner.weekdays") {
		if before[i] != after[i] {
			lines = append(lines, s.Text("owner.made.value", day, timesOf(before[i]), timesOf(after[i])))
		}
	}
	return lines
}

// fieldOf returns the form that a value is written with, and its field; nil if there is none.
func (p *Pages) fieldOf(value content.Value) (*form, field) {
	for _, f := range forms() {
		parts := partsOf(f.fields, p.languages())
		if _, path, isItem := f.within(value.Path); isItem {
			if at := fieldAt(parts, value.File, path); at >= 0 {
				return &f, parts[at]
			}
		}
	}
	return nil, field{}
}

// valueText returns a value as one line, empty for none; ok is false if it is too long or has parts.
func valueText(raw json.RawMessage) (text string, ok bool) {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	switch value := value.(type) {
	case nil:
	case string:
		text = value
	case []any:
		var items []string
		for _, item := range value {
			one, isText := item.(string)
			if !isText {
				return "", false
			}
			items = append(items, one)
		}
		text = strings.Join(items, ", ")
	case map[string]any:
		return "", false
	default:
		text = string(raw)
	}
	return text, len([]rune(text)) <= longestWord && !strings.Contains(text, "\n")
}
