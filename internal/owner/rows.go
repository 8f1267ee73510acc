package owner

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"frontdesk/content"
)

// The texts of a rowsField are its rows, each a line with its cells between tabs. A row without
// a text is one that is removed.

// cells are the columns of a field in the languages of the site.
func (f field) cells() (cells []field) {
	for _, column := range f.columns {
		for _, cell := range column.in(f.languages) {
			cell.Key, cell.base = f.Key+"."+cell.Key, f.base+"."+cell.base
			cells = append(cells, cell)
		}
	}
	return cells
}

// rowsOf are the rows of an item of the file.
func (f field) rowsOf(item content.Item) (rows []string) {
	for {
		var texts []string
		for _, cell := range f.cells() {
			cell.base = f.base + "." + strconv.Itoa(len(rows)) + strings.TrimPrefix(cell.base, f.base)
			texts = append(texts, strings.Join(cell.of(item), " "))
		}
		row := strings.Join(texts, "\t")
		if isEmptyRow(row) {
			return rows
		}
		rows = append(rows, row)
	}
}

func isEmptyRow(row string) bool { return strings.Trim(row, "\t") == "" }

// readRows returns the rows that a form sends: a field for each cell, or all together.
func (f field) readRows(sent url.Values) (rows []string) {
	if sent.Has(f.Key) {
		rows = strings.Split(strings.ReplaceAll(sent.Get(f.Key), "\r\n", "\n"), "\n")
	}
	for column, cell := range f.cells() {
		for row, text := range sent[cell.Key] {
			if row == len(rows) {
				rows = append(rows, strings.Repeat("\t", len(f.cells())-1))
			}
			if text = strings.Join(strings.Fields(text), " "); cell.Kind == amountField {
				text = tidyAmount(text, sent.Get("currency"))
			}
			texts := strings.Split(rows[row], "\t")
			texts[column] = text
			rows[row] = strings.Join(texts, "\t")
		}
	}
	for len(rows) > 0 && isEmptyRow(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// row is a row as an item, by the keys of the columns. Cells that are missing are empty.
func (f field) row(line string) content.Item {
	texts, row := strings.Split(line, "\t"), content.Item{}
	for at, cell := range f.cells() {
		if at < len(texts) && texts[at] != "" {
			row[strings.TrimPrefix(cell.Key, f.Key+".")] = []string{texts[at]}
		}
	}
	return row
}

// rowValue is what is written for a row.
func (f field) rowValue(line string) (value content.Fields) {
	row := f.row(line)
	for _, column := range f.columns {
		if parts := column.in(f.languages); !column.isEmpty(parts, row) {
			value = append(value, content.Field{Key: column.Key, Value: column.valueOf(parts, row)})
		}
	}
	return value
}

// setRows writes the rows that differ from those that are there now.
func (f field) setRows(change *content.Change, file string, path content.Path, now, rows []string) error {
	kept := len(now)
	for at, line := range slices.Backward(now) {
		if at >= len(rows) || isEmptyRow(rows[at]) {
			if err := change.Delete(file, slices.Concat(path, content.Path{at})); err != nil {
				return err
			}
			kept--
			continue
		}
		before, after := f.row(line), f.row(rows[at])
		for _, column := range f.columns {
			if column.isUnchanged(f.languages, before, after) {
				continue
			}
			if err := column.set(change, file, slices.Concat(path, content.Path{at}), f.languages, before, after); err != nil {
				return err
			}
		}
	}
	for at := len(now); at < len(rows); at++ {
		if isEmptyRow(rows[at]) {
			continue
		}
		if err := change.Insert(file, path, kept, f.rowValue(rows[at])); err != nil {
			return err
		}
		kept++
	}
	return nil
}

// checkRows checks every cell of a field.
func (f field) checkRows(p *Pages, s session, of form, values content.Item) error {
	label := func(cell field) string {
		cell.base = f.base + "." + cell.base
		return of.label(s, cell)
	}
	for _, line := range values[f.Key] {
		for _, column := range f.columns {
			if isEmptyRow(line) {
				continue
			}
			if err := column.checkEach(p, s, label, column.in(f.languages), f.row(line), values); err != nil {
				return err
			}
		}
	}
	return nil
}

// Filled is how many rows a page shows at once; further ones are folded.
func (s shownField) Filled() int { return max(1, len(s.lines(s.Value))) }

// Rows are the rows of a field on the page, and empty ones for further items.
func (s shownField) Rows() (rows [][]shownField) {
	for _, line := range append(s.lines(s.Value), make([]string, emptyRows)...) {
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
