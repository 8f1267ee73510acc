package report

import "strings"

// Table is a Markdown table.
type Table struct{ rows [][]string }

// NewTable begins a table with its heading.
func NewTable(heading ...string) *Table {
	t := &Table{}
	t.Add(heading...)
	rule := make([]string, len(heading))
	for i := range rule {
		rule[i] = "---"
	}
	t.Add(rule...)
	return t
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// String returns the table as Markdown.
func (t *Table) String() string {
	var b strings.Builder
	for _, row := range t.rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}
