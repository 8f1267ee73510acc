package owner

import (
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
	isWeek := false
	for _, value := range edits.Values {
		label, isHours := p.labelOf(s, value)
		if isHours {
			isWeek = true
			days, _ := content.DaysOf(value.Path[len(value.Path)-1])
			for _, day := range days {
				at := slices.Index(content.Weekdays, day)
				before[at], after[at] = before[at]+hoursText(value.Before), after[at]+hoursText(value.After)
			}
			continue
		}
		was, isShort := valueText(value.Before)
		is, isShortToo := valueText(value.After)
		switch {
		case label == "":
		case isShort && isShortToo:
			lines = append(lines, s.Text("owner.made.value", label, was, is))
		default:
			lines = append(lines, label)
		}
	}
	closed := s.Text("owner.made.closed")
	for i, day := range s.List("owner.weekdays") {
		if isWeek && before[i] != after[i] {
			lines = append(lines, s.Text("owner.made.value", day, orElse(before[i], closed), orElse(after[i], closed)))
		}
	}
	return lines
}

func orElse(text, other string) string {
	if text == "" || text == content.Closed {
		return other
	}
	return text
}

// labelOf returns the label of the field for value; empty if no form has one.
func (p *Pages) labelOf(s session, value content.Value) (label string, isHours bool) {
	for _, f := range forms() {
		path := value.Path
		if f.list != "" {
			if len(path) < 3 || path[0] != f.list || value.File != f.file {
				continue
			}
			path = path[2:]
		}
		joined := strings.Join(path, ".") + "."
		for _, part := range partsOf(f.fields, p.languages()) {
			rest, isBelow := strings.CutPrefix(joined, part.Path+".")
			if part.file != value.File || !isBelow {
				continue
			}
			isHours = part.Kind == content.KindHours && rest != ""
			if part.Language == "" || rest == "" || strings.HasPrefix(rest, part.Language+".") {
				return f.label(s, part), isHours
			}
		}
	}
	return "", false
}

func hoursText(value json.RawMessage) string {
	text, _ := valueText(value)
	if text == "–" {
		return ""
	}
	return text
}

// valueText returns a value as one line; ok is false if it is too long or has parts.
func valueText(raw json.RawMessage) (text string, ok bool) {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	switch value := value.(type) {
	case nil:
		return "–", true
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
