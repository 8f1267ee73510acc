package owner

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/content"
)

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

	// Set by in and parts.
	base      string   // the key in the file
	languages []string // of the site
	Language  string   // of the text, for one of several
}

type option struct{ Value, Text string }

// fieldKind is how a value is written, on the page and in the file.
type fieldKind string

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

// values are the texts of an item by the keys of its fields. Those of a list are one text, a line
// for each.
type values map[string]string

// linesOf are the lines of a text; none of an empty one.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// in is a field for an item whose texts are in the languages of the site, in this order.
func (f field) in(languages []string) field {
	f.base, f.languages = f.Key, languages
	return f
}

// parts are a field in each language. The first has the key of the field.
func (f field) parts() (parts []field) {
	if !f.Local {
		return []field{f}
	}
	for i, language := range f.languages {
		part := f
		part.Language = language
		if i > 0 {
			part.Key += "." + language
			part.Required = false // the first language replaces it, or loading the content reports it
		}
		parts = append(parts, part)
	}
	return parts
}

// texts returns the field's text in each language.
func (f field) texts(of values) (texts []string) {
	for _, part := range f.parts() {
		texts = append(texts, of[part.Key])
	}
	return texts
}

// valueIn returns the field's text in item.
func (f field) valueIn(item content.Item) string {
	texts := item[f.base]
	switch {
	case f.Kind == hoursField:
		texts = hoursOf(item, f.base)
	case f.Kind == timesField:
		texts = specialHoursOf(item, f.base)
	case f.Kind == rowsField:
		texts = f.rowsOf(item)
	case f.Kind == imageField && len(texts) > 0:
		return imagePath(content.ImageName(texts[0]))
	case f.Language != "" && len(item[f.base+"."+f.Language]) > 0:
		texts = item[f.base+"."+f.Language]
	case f.Partial && f.Key != f.base: // a text without a language is in the first
		return ""
	}
	return strings.Join(texts, "\n")
}

// read is the text that a form sends for a part of a field.
func (f field) read(sent url.Values) string {
	text := strings.TrimSpace(strings.ReplaceAll(sent.Get(f.Key), "\r\n", "\n"))
	var lines []string
	switch f.Kind {
	case hoursField:
		for _, day := range content.Weekdays {
			times := content.TidyTimes(strings.TrimSpace(sent.Get(f.Key + "." + day)))
			if times != "" && times != content.Closed {
				lines = append(lines, day+" "+times)
			}
		}
	case daysField, timesField:
		lines = readPeriods(sent, f.Key)
	case rowsField:
		lines = f.readRows(sent)
	case linesField:
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
	case amountField:
		from, why := content.ParseAmount(sent.Get("from"), sent.Get("currency"))
		if f.Key == "to" && text == "" && why == nil && from == "0" { // free, not from zero on
			return from
		}
		return tidyAmount(text, sent.Get("currency"))
	case plainField:
		return strings.Replace(text, ",", ".", 1)
	default:
		return text
	}
	return strings.Join(lines, "\n")
}

// tidyAmount writes an amount of a currency as catalog.yaml does. Other texts stay as they are.
func tidyAmount(typed, currency string) string {
	if written, why := content.ParseAmount(typed, currency); why == nil {
		return written
	}
	return typed
}

// set writes a field of the item at a path of a file; no texts remove it.
func (f field) set(change *content.Change, file string, item content.Path, after values) error {
	file = cmp.Or(f.file, file)
	path := slices.Clone(item)
	for key := range strings.SplitSeq(f.base, ".") {
		path = append(path, key)
	}
	now, err := change.Item(file, item)
	if err != nil {
		return err
	}
	texts := f.texts(after)
	switch {
	case strings.TrimSpace(strings.Join(texts, "")) == "": // or rows of empty cells
		return change.Delete(file, path)
	case f.Local && len(now[f.base+"."+f.languages[0]]) > 0:
		return change.Set(file, path, f.each(texts))
	}
	return change.Set(file, path, f.value(texts))
}

// isEmpty reports whether a field has no text in any language.
func isEmpty(texts []string) bool { return strings.Join(texts, "") == "" }

// isSame reports whether a field is written as one text: it is the same in all languages, or
// only in the first.
func (f field) isSame(texts []string) bool {
	same := texts[0]
	if f.Partial {
		same = ""
	}
	return !slices.ContainsFunc(texts[1:], func(text string) bool { return text != same })
}

// value is what is written for the texts of a field.
func (f field) value(texts []string) any {
	if f.isSame(texts) {
		return f.valueOf(texts[0])
	}
	return f.each(texts)
}

// each is what is written for a field with a text for each language.
func (f field) each(texts []string) (each content.Fields) {
	for i, language := range f.languages {
		if texts[i] != "" {
			each = append(each, content.Field{Key: language, Value: f.valueOf(texts[i])})
		}
	}
	return each
}

// valueOf is what is written for a text.
func (f field) valueOf(text string) any {
	switch f.Kind {
	case hoursField, timesField:
		return writtenHours(linesOf(text))
	case linesField, daysField, rowsField:
		list := content.List{}
		for _, line := range linesOf(text) {
			if f.Kind != rowsField {
				list = append(list, line)
			} else if !isEmptyRow(line) {
				list = append(list, f.rowValue(line))
			}
		}
		return list
	case dateField, amountField, flagField, plainField, radioField:
		return content.Plain(text)
	}
	return text
}

// validate rejects forged input: dates, amounts and truth values go into YAML unquoted.
func (f field) validate(p *Pages, s session, text string, all values) (none reason) {
	switch f.Kind {
	case dateField:
		if !isDay(text) {
			return reason{key: "owner.reason.date"}
		}
	case daysField, timesField:
		seen := map[string]bool{}
		for _, line := range linesOf(text) {
			days, times, hasTimes := strings.Cut(line, " ")
			first, last, isRange := strings.Cut(days, "..")
			if !isDay(first) || isRange && (!isDay(last) || last < first) || hasTimes && f.Kind == daysField {
				return reason{"owner.reason.days", []any{days}}
			}
			if _, why := content.ParseTimes(times); f.Kind == timesField && why != nil {
				return reason{"owner." + why.Code, append(why.Values, days)}
			}
			if seen[days] {
				return reason{"owner.reason.twice", []any{days}}
			}
			seen[days] = true
		}
	case hoursField:
		for _, line := range linesOf(text) {
			day, times, _ := strings.Cut(line, " ")
			if _, why := content.ParseTimes(times); why != nil {
				return reason{"owner." + why.Code, append(why.Values, weekdayName(s, day))}
			}
		}
	case amountField:
		_, noCurrency := content.ParseAmount("0", all["currency"]) // which the content reports
		if _, why := content.ParseAmount(text, all["currency"]); noCurrency == nil && why != nil {
			return reason{"owner." + why.Code, why.Values}
		}
	case plainField:
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return reason{"owner.reason.number", []any{text}}
		}
	case choiceField, flagField, imageField, radioField:
		if !slices.ContainsFunc(f.options(p, s), func(o option) bool { return o.Value == text }) {
			return reason{key: "owner.reason.choice"}
		}
	}
	return none
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

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

// emptyRows is how many rows for further days, or other items, a form has.
const emptyRows = 3
