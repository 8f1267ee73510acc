package owner

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/i18n"
)

// field is a key of the content in a form, or its part in one of the languages of the site.
type field struct {
	content.Key
	Path      string // the names that lead to the key, with points
	Input     string // the name of the field on the page
	file      string
	columns   []field  // the fields of a price, or of each row of a list
	languages []string // of the item's texts, its main language first
	Language  string   // of this part; empty if the field has no languages
}

// option is one of the values that a field offers.
type option struct{ Value, Text string }

func hasValue(value string) func(option) bool {
	return func(o option) bool { return o.Value == value }
}

// Kinds of fields beside those of the content.
const (
	kindPrecision content.Kind = "precision" // options that are all shown
	kindFile      content.Kind = "file"      // a picture to upload; the text is its digest
	kindAlt       content.Kind = "alt"       // the description of a new picture; it names the file
	kindPassword  content.Kind = "password"
)

// fieldsOf returns the fields for keys of file, or only for those with names, in their order. The keys of a group
// become fields of their own.
func fieldsOf(file string, keys []content.Key, names ...string) (fields []field) {
	if len(names) == 0 {
		return fieldsWithin(file, keys, "", true)
	}
	for _, name := range names {
		at := slices.IndexFunc(keys, func(key content.Key) bool { return key.Name == name })
		fields = append(fields, fieldsWithin(file, keys[at:at+1], "", true)...)
	}
	return fields
}

func fieldsWithin(file string, keys []content.Key, within string, isRequired bool) (fields []field) {
	for _, key := range keys {
		f := field{Key: key, Path: within + key.Name, file: file}
		f.Input, f.Required = f.Path, key.Required && isRequired && key.Instead == ""
		switch key.Kind {
		case content.KindID, content.KindSpecial:
			continue
		case content.KindGroup:
			fields = append(fields, fieldsWithin(file, key.Of.Keys, f.Path+".", f.Required)...)
			continue
		case content.KindItems, content.KindPrice:
			f.columns = fieldsWithin(file, key.Of.Keys, f.Path+".", key.Kind == content.KindItems)
			if key.Kind == content.KindPrice {
				f.columns = append(fieldsWithin(file, []content.Key{priceHow}, f.Path+".", true), f.columns...)
			}
		}
		fields = append(fields, f)
	}
	return fields
}

// values maps the Input of each part to its value: a string, []string, weekTimes, []period, or []values for the rows of
// a list. Empty values are left out.
type values map[string]any

func (v values) text(input string) string {
	text, _ := v[input].(string)
	return text
}

// weekTimes has the times of each day of the week.
type weekTimes [7]string

// period is a range of days with their opening times. Last is empty or First for a single day.
type period struct{ First, Last, Times string }

func (p period) days() string {
	if p.Last == "" || p.Last == p.First {
		return p.First
	}
	return p.First + ".." + p.Last
}

// set sets a value, or removes an empty one.
func (v values) set(input string, value any) {
	of := reflect.ValueOf(value)
	if value == nil || of.IsZero() || of.Kind() == reflect.Slice && of.Len() == 0 {
		delete(v, input)
	} else {
		v[input] = value
	}
}

// digestOf returns a digest of value, by which a form notices that someone else has changed it.
func digestOf(value any) string {
	text, _ := json.Marshal(value) // of texts, which never fails
	return digest(string(text))
}

// parts returns f once for each language, or only f if its texts have no languages. The first part keeps f's Input.
func (f field) parts(languages []string) (parts []field) {
	if f.languages == nil { // else the columns are parts already
		f.columns = partsOf(f.columns, languages)
	}
	f.languages = languages
	if !f.Local {
		return []field{f}
	}
	for i, language := range languages {
		part := f
		part.Language = language
		if i > 0 {
			part.Input += "." + language
			part.Required = f.Required && f.All // otherwise the first language's text is used
		}
		parts = append(parts, part)
	}
	return parts
}

// isFirst reports whether the part is in the first language, or the field has no languages.
func (f field) isFirst() bool { return f.Language == "" || f.Language == f.languages[0] }

func partsOf(fields []field, languages []string) (parts []field) {
	for _, f := range fields {
		parts = append(parts, f.parts(languages)...)
	}
	return parts
}

// open returns the values that a form shows for a group of a file, with amounts of a currency.
func open(parts []field, group any, currency string) values {
	opened := values{}
	for _, part := range parts {
		opened.set(part.Input, part.open(part.valueIn(group), currency))
	}
	return opened
}

// valueIn returns the value of the field in a group of the file; nil if there is none.
func (f field) valueIn(group any) any {
	for name := range strings.SplitSeq(f.Path, ".") {
		fields, _ := group.(content.Fields)
		group = fields.Get(name)
	}
	return group
}

// own returns value in the language of the part; nil if it has none.
func (f field) own(value any) any {
	if !f.Local {
		return value
	}
	fields, _ := value.(content.Fields)
	if slices.ContainsFunc(fields, func(text content.Field) bool { return slices.Contains(f.languages, text.Key) }) {
		return fields.Get(f.Language)
	}
	list, isList := listOf(value)
	switch {
	case !isList && f.isFirst():
		return value
	case !isList:
		return nil
	}
	var own content.List
	isMixed := slices.ContainsFunc(list, func(item any) bool { _, is := item.(content.Fields); return is })
	for _, item := range list {
		if of, is := item.(content.Fields); is {
			item = of.Get(f.Language)
		} else if !f.isFirst() && !isMixed {
			continue
		}
		if item != nil {
			own = append(own, item)
		}
	}
	return own
}

// listOf returns the items of a list. In a change the list is content.Fields: only the items that differ, by name.
func listOf(value any) (list content.List, isList bool) {
	list, isList = value.(content.List)
	if named, isNamed := value.(content.Fields); isNamed {
		for _, item := range named {
			list = append(list, item.Value)
		}
		isList = true
	}
	return list, isList
}

// open converts a value of the file to one of the form.
func (f field) open(value any, currency string) any {
	value = f.own(value)
	text, _ := value.(string)
	list, _ := listOf(value)
	group, _ := value.(content.Fields)
	switch f.Kind {
	case content.KindLines, content.KindTags:
		return textsOf(list)
	case content.KindWords:
		var lines []string
		for _, item := range list {
			words, _ := item.(content.List)
			lines = append(lines, lineOf(textsOf(words)))
		}
		return lines
	case content.KindDates:
		var periods []period
		for _, days := range textsOf(list) {
			periods = append(periods, periodOf(days, ""))
		}
		return periods
	case content.KindTimes:
		var periods []period
		for _, line := range group {
			periods = append(periods, periodOf(line.Key, timesOf(line.Value)))
		}
		return periods
	case content.KindHours:
		var hours weekTimes
		for _, line := range group {
			days, _ := content.DaysOf(line.Key) // other texts are faults of the file
			for _, day := range days {
				hours[slices.Index(content.Weekdays, day)] = strings.TrimPrefix(timesOf(line.Value), content.Closed)
			}
		}
		return hours
	case content.KindPrice:
		return f.openPrice(value, currency)
	case content.KindItems:
		var rows []values
		for _, item := range list {
			rows = append(rows, f.openRow(item, currency))
		}
		return rows
	case content.KindPicture:
		if text != "" {
			text = imagePath(content.ImageName(text))
		}
	case content.KindAmount: // 4.8 is the 4.80 that the form sends back
		if written, why := content.ParseAmount(text, currency); why == nil {
			return written
		}
	}
	return strings.TrimSpace(text)
}

// openRow returns the values of an item of a list.
func (f field) openRow(group any, currency string) values {
	return open(f.columns, put(nil, strings.Split(f.Path, "."), group), currency)
}

func textsOf(list content.List) (texts []string) {
	for _, item := range list {
		if text, isText := item.(string); isText {
			texts = append(texts, text)
		}
	}
	return texts
}

// timesOf returns the opening times of a day in the form's spelling. The file may have them as a text or as a list.
func timesOf(value any) string {
	text, _ := value.(string)
	if list, isList := listOf(value); isList {
		text = strings.Join(textsOf(list), ", ")
	}
	return content.TidyTimes(text)
}

func periodOf(days, times string) period {
	first, last, _ := strings.Cut(days, "..")
	return period{first, last, times}
}

// read returns the values of the parts in a form that was sent.
func read(parts []field, sent url.Values) values {
	of := values{}
	for _, part := range parts {
		of.set(part.Input, part.read(sent))
	}
	return of
}

func (f field) read(sent url.Values) any {
	text := strings.TrimSpace(strings.ReplaceAll(sent.Get(f.Input), "\r\n", "\n"))
	switch f.Kind {
	case content.KindHours:
		var hours weekTimes
		for i, day := range content.Weekdays {
			hours[i] = strings.TrimPrefix(readClocks(f.Input+"."+day, 0, sent), content.Closed)
		}
		if sent.Has(f.Input + ".same") {
			for i := range 4 { // Tuesday to Friday
				hours[1+i] = hours[0]
			}
		}
		return hours
	case content.KindDates, content.KindTimes:
		var periods []period
		for i := range sent[f.Input+".from"] {
			p := period{cellOf(sent[f.Input+".from"], i), cellOf(sent[f.Input+".to"], i), readClocks(f.Input, i, sent)}
			if p != (period{}) {
				periods = append(periods, p)
			}
		}
		return periods
	case content.KindPrice:
		return f.filled(read(f.columns, sent))
	case content.KindItems:
		var rows []values
		for i := range sent[f.columns[0].Input] {
			one := url.Values{"currency": sent["currency"]}
			for _, cell := range f.columns {
				one.Set(cell.Input, strings.Join(strings.Fields(cellOf(sent[cell.Input], i)), " "))
			}
			if row := read(f.columns, one); len(row) > 0 {
				rows = append(rows, row)
			}
		}
		return rows
	case content.KindLines, content.KindTags, content.KindWords:
		return partsOfText(text, "\n")
	case content.KindAmount:
		if from, why := content.ParseAmount(sent.Get("from"), sent.Get("currency")); f.Path == "to" && text == "" &&
			why == nil && from == "0" { // free, not from zero on
			return from
		}
		if written, why := content.ParseAmount(text, sent.Get("currency")); why == nil {
			return written
		}
	case content.KindNumber, kindPrecision:
		return strings.Replace(text, ",", ".", 1)
	}
	return text
}

func cellOf(column []string, row int) string {
	if row < len(column) {
		return strings.TrimSpace(column[row])
	}
	return ""
}

// written returns the value that is written to the file for a field; nil removes the key. A text that is only in the
// first language, or the same in all of them, is written as one text, unless the file already has a map by language. In
// faq.yaml the same text in all languages becomes a map, because a plain text there answers only in its own language.
// If All is set and the file has no map, a language without its own text gets the first language's.
func (f field) written(of values, languages []string, now any) any {
	var each content.Fields
	_, isMap := now.(content.Fields)
	for _, part := range f.parts(languages) {
		value := of[part.Input]
		if value == nil && f.All && !isMap {
			value = of[f.Input]
		}
		if value != nil {
			each = append(each, content.Field{Key: part.Language, Value: part.writtenPart(value)})
		}
	}
	isSame := (f.All || f.file != faqFile) && len(each) == len(languages) && !slices.ContainsFunc(each,
		func(text content.Field) bool { return !reflect.DeepEqual(text.Value, each[0].Value) })
	switch {
	case len(each) == 0:
		return nil
	case isSame && !isMap, !f.Local, len(each) == 1 && each[0].Key == languages[0] && !isMap:
		return each[0].Value
	}
	return each
}

func (f field) writtenPart(value any) any {
	switch value := value.(type) {
	case []string:
		if f.Kind != content.KindWords {
			return value
		}
		list := content.List{}
		for _, line := range value {
			list = append(list, partsOfText(line, ","))
		}
		return list
	case weekTimes:
		return writtenHours(value)
	case []period:
		var days []string
		var times content.Fields
		for _, p := range value {
			days, times = append(days, p.days()), append(times, content.Field{Key: p.days(), Value: timesValue(p.Times)})
		}
		if f.Kind == content.KindTimes {
			return times
		}
		return days
	case []values:
		if f.Kind == content.KindPrice {
			return f.writtenPrice(value[0])
		}
		list := content.List{}
		for _, row := range value {
			list = append(list, writtenGroup(f.columns, row, f.languages))
		}
		return list
	}
	text := value.(string)
	switch f.Kind {
	case content.KindDate, content.KindAmount, content.KindFlag, content.KindNumber, kindPrecision:
		return content.Plain(text)
	}
	return text
}

// lineOf returns words as a line of a form.
func lineOf(words []string) string { return strings.Join(words, ", ") }

// partsOfText returns what is between separators, without spaces around it and without empty parts.
func partsOfText(text, separator string) (parts []string) {
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// writtenGroup returns the group that is written to the file for a row, or for a new item.
func writtenGroup(fields []field, of values, languages []string) (group content.Fields) {
	for _, f := range fields {
		if f.isFirst() { // its written covers all languages
			if value := f.written(of, languages, nil); value != nil {
				group = append(group, content.Field{Key: f.Name, Value: value})
			}
		}
	}
	return group
}

// writtenHours returns the opening hours as they are written: successive days with the same times share a line.
func writtenHours(hours weekTimes) (lines content.Fields) {
	first := ""
	for i, times := range hours {
		day := content.Weekdays[i]
		switch {
		case times == "":
		case i > 0 && hours[i-1] == times:
			lines[len(lines)-1].Key = first + "-" + day
		default:
			first = day
			lines = append(lines, content.Field{Key: day, Value: timesValue(times)})
		}
	}
	return lines
}

// timesValue returns the times of a day as they are written: without quotes if there is only one span.
func timesValue(times string) any {
	if strings.Contains(times, ",") {
		return times
	}
	return content.Plain(times)
}

// emptyRows is how many rows for further days, or other items, a form has.
const emptyRows = 3

// shownField is a field as the page shows it.
type shownField struct {
	field
	Value   any
	Was     string // digest of the value when the page was opened
	Theirs  string // what someone else has saved meanwhile
	Moved   bool   // whether someone else has saved something
	Fixed   bool   // a setting decides the value
	Upload  string // digest of a picture that was uploaded for it; empty for none
	Faults  []string
	Focus   bool // on the first field with a fault
	Options []option

	Label, Hint  string
	Part         string // the heading of the part of the form that begins with it; empty within a part
	Note         string // about the value
	words        *i18n.Printer
	columnsShown []shownField // of a row
}

// Described returns the ids of the hint and the errors; empty if there are none.
func (s shownField) Described() (ids string) {
	if s.Hint != "" {
		ids = "hint-" + s.Input
	}
	if s.Faults != nil {
		ids += " error-" + s.Input
	}
	return ids
}

// Text returns the value as text, with one line for each item of a list.
func (s shownField) Text() string { return plain(s.Value) }

// inWords returns the value as people read it.
func (s shownField) inWords() string {
	text := s.Text()
	switch s.Kind {
	case content.KindHours:
		return s.hoursInWords()
	case content.KindDates, content.KindTimes:
		return s.periodsInWords()
	case content.KindItems:
		return strings.ReplaceAll(text, "\n", "; ")
	case content.KindTags:
		names, _ := s.Value.([]string)
		names = slices.Clone(names)
		for i, tag := range names {
			names[i] = i18n.NameOf(tag)
		}
		return lineOf(names)
	case content.KindFlag:
		text = cmp.Or(text, strconv.FormatBool(s.Default))
	}
	if at := slices.IndexFunc(s.Options, hasValue(text)); at >= 0 {
		return s.Options[at].Text
	}
	return strings.TrimPrefix(text, content.AssetsFolder+"/")
}

// glance returns the value in a few words; empty for a value that means nothing without its label.
func (s shownField) glance() string {
	switch s.Kind {
	case content.KindFlag, content.KindNumber, content.KindZone, content.KindSignal:
		return ""
	}
	return strings.ReplaceAll(s.inWords(), "\n", ", ")
}

func (s shownField) periodsInWords() string {
	var lines []string
	periods, _ := s.Value.([]period)
	for _, p := range periods {
		days := s.words.Period(content.Day(p.First), content.Day(cmp.Or(p.Last, p.First)))
		lines = append(lines, strings.TrimSpace(days+" "+shownTimes(p.Times)))
	}
	return strings.Join(lines, ", ")
}

// shownTimes returns the opening times of a day with en dashes.
func shownTimes(times string) string { return strings.ReplaceAll(times, "-", "–") }

// hoursInWords returns the opening hours; days with the same times share an entry.
func (s shownField) hoursInWords() string {
	days, lines := map[string][]int{}, []string(nil)
	hours, _ := s.Value.(weekTimes)
	for i, times := range hours {
		days[times] = append(days[times], i)
	}
	for _, times := range hours {
		if times != "" && days[times] != nil {
			lines = append(lines, s.words.Days(days[times])+" "+shownTimes(times))
			days[times] = nil
		}
	}
	return strings.Join(lines, ", ")
}

// PicturePath returns the address of a picture that is the value, or of the one that was uploaded; empty for none.
func (s shownField) PicturePath() string {
	if s.Upload == "" && s.Text() == "" {
		return ""
	}
	return pathPicture + cmp.Or(s.Upload, path.Base(s.Text()))
}

// labelOf returns the label of the column with a name, or else that of the field.
func (s shownField) labelOf(name string) string {
	for _, column := range s.columnsShown {
		if column.Name == name {
			return column.Label
		}
	}
	return s.Label
}

// inputTypes are the types of inputs for other than plain text. Phones show a suitable keyboard for each.
var inputTypes = map[content.Kind]string{
	content.KindDate: "date", content.KindEmail: "email", content.KindPhone: "tel", content.KindWeb: "url",
	kindPassword: "password",
}

// Type returns the type of the input; empty for plain text.
func (s shownField) Type() string { return inputTypes[s.Kind] }

// IsLong reports whether the page has several lines for the value.
func (s shownField) IsLong() bool {
	return slices.Contains([]content.Kind{content.KindText, content.KindVerbatim, content.KindLines, content.KindTags,
		content.KindWords}, s.Kind)
}

// Units returns common units, in the language of the field, if the field is a unit. It returns nil for other fields,
// and in languages without messages.
func (s shownField) Units() []string {
	if s.Name != "unit" || !i18n.Speaks(s.Language) {
		return nil
	}
	return i18n.For(s.Language).List("owner.units")
}

func plain(value any) string {
	var lines []string
	switch value := value.(type) {
	case string:
		return value
	case []string:
		lines = value
	case weekTimes:
		for i, times := range value {
			if times != "" {
				lines = append(lines, content.Weekdays[i]+" "+times)
			}
		}
	case []period:
		for _, p := range value {
			lines = append(lines, strings.TrimSpace(p.days()+" "+p.Times))
		}
	case []values:
		for _, row := range value {
			var cells []string
			for _, input := range slices.Sorted(maps.Keys(row)) {
				cells = append(cells, plain(row[input]))
			}
			lines = append(lines, strings.Join(cells, ", "))
		}
	}
	return strings.Join(lines, "\n")
}

// clocks are the inputs for the times of a day: Opens and Closes of the first span, which phones show as clocks, and
// Also, which takes any other text, such as the span after a break, "24h" or "closed".
type clocks struct{ Input, ID, Opens, Closes, Also string }

// firstSpan matches the times of a day that begin with a span. One time of the span may be missing.
var firstSpan = regexp.MustCompile(`^(\d\d:\d\d)?-(\d\d:\d\d)?(?:, (.+))?$`)

func clocksOf(input, id, times string) clocks {
	found := firstSpan.FindStringSubmatch(times)
	if found == nil {
		return clocks{Input: input, ID: id, Also: times}
	}
	return clocks{input, id, found[1], strings.Replace(found[2], "24:", "00:", 1), found[3]} // a clock ends at 23:59
}

// readClocks returns the times of a day from its inputs. In a list of days, row selects the day; otherwise it is 0.
func readClocks(input string, row int, sent url.Values) string {
	times := cellOf(sent[input+".times"], row)
	if span := cellOf(sent[input+".opens"], row) + "-" + cellOf(sent[input+".closes"], row); span != "-" {
		times = strings.TrimSuffix(span+", "+times, ", ")
	}
	return content.TidyTimes(times)
}

// dayRow is a weekday and its opening times on the page.
type dayRow struct {
	Name string
	clocks
}

func (s shownField) Week() (rows []dayRow) {
	hours, _ := s.Value.(weekTimes)
	for i, day := range content.Weekdays {
		input := s.Input + "." + day
		rows = append(rows, dayRow{s.words.List("owner.weekdays")[i], clocksOf(input, input, hours[i])})
	}
	return rows
}

// periodRow is a day or a range of days with its times on the page.
type periodRow struct {
	period
	clocks
}

// Periods returns a row for each day or range of days, followed by empty rows.
func (s shownField) Periods() (rows []periodRow) {
	periods, _ := s.Value.([]period)
	for i, p := range append(slices.Clip(periods), make([]period, emptyRows)...) {
		rows = append(rows, periodRow{p, clocksOf(s.Input, s.Input+"-"+strconv.Itoa(i), p.Times)})
	}
	return rows
}

// Filled returns how many rows the page shows; the others are folded.
func (s shownField) Filled() int {
	rows, _ := s.Value.([]values)
	periods, _ := s.Value.([]period)
	return max(1, len(rows)+len(periods))
}

// Rows returns the rows of a list on the page, followed by empty rows. A price has exactly one.
func (s shownField) Rows() (rows [][]shownField) {
	filled, _ := s.Value.([]values)
	if s.Kind == content.KindPrice {
		if filled == nil {
			filled = []values{{s.Input + ".how": howOne}}
		}
	} else {
		filled = append(slices.Clip(filled), make([]values, emptyRows)...)
	}
	for _, of := range filled {
		row := slices.Clone(s.columnsShown)
		for at := range row {
			row[at].Value = of[row[at].Input]
		}
		rows = append(rows, row)
	}
	return rows
}
