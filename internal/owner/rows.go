package owner

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"frontdesk/content"
)

// The lines of a rowsField are its rows, with their cells between tabs. A row without a text is
// one that is removed.

// cells are the columns of a field in the languages of the site, by the names that they have on
// the page.
func (f field) cells() (cells []field) {
	for _, column := range f.columns {
		for _, cell := range column.in(f.languages).parts() {
			cell.Key, cell.base = f.Key+"."+cell.Key, f.base+"."+cell.base
			cells = append(cells, cell)
		}
	}
	return cells
}

func (f field) rowsOf(item content.Item) (rows []string) {
	for {
		var texts []string
		for _, cell := range f.cells() {
			cell.base = f.base + "." + strconv.Itoa(len(rows)) + strings.TrimPrefix(cell.base, f.base)
			texts = append(texts, strings.ReplaceAll(cell.valueIn(item), "\n", " "))
		}
		row := strings.Join(texts, "\t")
		if isEmptyRow(row) {
			return rows
		}
		rows = append(rows, row)
	}
}

func isEmptyRow(row string) bool { return strings.Trim(row, "\t") == "" }

// readRows returns the rows that a form sends: a field for each cell.
func (f field) readRows(sent url.Values) (rows []string) {
	cells := f.cells()
	for row := range len(sent[cells[0].Key]) {
		texts := make([]string, len(cells))
		for at, cell := range cells {
			if all := sent[cell.Key]; row < len(all) {
				texts[at] = strings.Join(strings.Fields(all[row]), " ")
			}
			if cell.Kind == amountField {
				texts[at] = tidyAmount(texts[at], sent.Get("currency"))
			}
		}
		rows = append(rows, strings.Join(texts, "\t"))
	}
	for len(rows) > 0 && isEmptyRow(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// row are the texts of a row by the keys of the columns. Cells that are missing are empty.
func (f field) row(line string) values {
	row, texts := values{}, strings.Split(line, "\t")
	for at, cell := range f.cells() {
		if at < len(texts) {
			row[strings.TrimPrefix(cell.Key, f.Key+".")] = texts[at]
		}
	}
	return row
}

// rowValue is what is written for a row.
func (f field) rowValue(line string) (value content.Fields) {
	return fieldsOf(f.columns, f.languages, f.row(line))
}

// fieldsOf is what is written for the fields of an item that have a text.
func fieldsOf(fields []field, languages []string, of values) (written content.Fields) {
	for _, f := range fields {
		f = f.in(languages)
		if texts := f.texts(of); !isEmpty(texts) {
			written = append(written, content.Field{Key: f.Key, Value: f.value(texts)})
		}
	}
	return written
}

// setFields writes the fields of the item at a path that differ, and returns them.
func setFields(change *content.Change, file string, item content.Path, fields []field, languages []string, before,
	after values) (changed []field, err error) {
	for _, f := range fields {
		f = f.in(languages)
		if slices.Equal(f.texts(before), f.texts(after)) {
			continue
		}
		if err := f.set(change, file, item, after); err != nil {
			return nil, err
		}
		changed = append(changed, f)
	}
	return changed, nil
}

// Filled is how many rows a page shows at once; further ones are folded.
func (s shownField) Filled() int { return max(1, len(linesOf(s.Value))) }

// Rows are the rows of a field on the page, and empty ones for further items.
func (s shownField) Rows() (rows [][]shownField) {
	for _, line := range append(linesOf(s.Value), make([]string, emptyRows)...) {
		texts := strings.Split(line, "\t")
		row := slices.Clone(s.columnsShown)
		for at := range row {
			if at < len(texts) {
				row[at].Value = texts[at]
			}
		}
		rows = append(rows, row)
	}
	return rows
}
