package records

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"frontdesk/internal/payload"
)

// exportVersion is the version of the format of an export.
const exportVersion = 2

// Types of the first and the last line.
const (
	typeExport = "export"
	typeEnd    = "end"
)

// exportHead begins every line of an export. Only the first has a version, and only the
// last one the number of records between them.
type exportHead struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Records int    `json:"records"`
}

// exported are the types of lines of an export in their order.
var exported = []interface {
	lineType() string
	export(ctx context.Context, db querier, w io.Writer) (written int, err error)
	importLine(tx transaction, members map[string]json.RawMessage) (added int64, err error)
}{inquiryTable, attemptTable, feedbackTable, questionTable, answeredTable, workspaceTable, notificationTable,
	dayTotalTable, changeTable}

// Export writes every record, one JSON object a line, and at the end how many there are. A
// record that was stored before the call and is not deleted during it is written once.
//
// Rows are read page by page and written between two transactions, so that a reader
// that pauses keeps nothing of the database open.
func (s *Store) Export(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, `{"type":%q,"version":%d}`+"\n", typeExport, exportVersion)
	all, written := 0, 0
	for _, table := range exported {
		if err == nil {
			written, err = table.export(ctx, s.reads, w)
			all += written
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(w, `{"type":%q,"records":%d}`+"\n", typeEnd, all)
	}
	return wrap(err, "export")
}

// exportPage is how many rows are read in one transaction.
const exportPage = 500

func (t table[T]) lineType() string { return t.kind }

// export writes the rows and returns how many there are.
func (t table[T]) export(ctx context.Context, db querier, w io.Writer) (written int, err error) {
	var last *T
	for {
		page, err := t.page(ctx, db, last)
		for i := range page {
			if err := t.writeLine(w, &page[i]); err != nil {
				return written, err
			}
			written++
		}
		if err != nil || len(page) < exportPage {
			return written, err
		}
		last = &page[len(page)-1]
	}
}

// page returns the rows of an export that follow a row, or the first ones, at most exportPage.
func (t table[T]) page(ctx context.Context, db querier, last *T) ([]T, error) {
	where, after := cmp.Or(t.exported, "true"), []any{}
	if last != nil {
		columns, values := strings.Split(t.columns, ", "), t.values(last)
		for column := range strings.SplitSeq(t.order, ", ") {
			after = append(after, values[slices.Index(columns, column)])
		}
		where += fmt.Sprintf(" AND (%s) > (%s)", t.order, strings.Join(parameters(after), ", "))
	}
	return t.find(ctx, db, fmt.Sprintf("WHERE %s ORDER BY %s LIMIT %d", where, t.order, exportPage), after...)
}

// members returns a pointer to the members of a line but the type.
func (t table[T]) members(row *T) any {
	if t.line == nil {
		return row
	}
	return t.line(row)
}

// writeLine writes the line of a row, with its type as the first member.
func (t table[T]) writeLine(w io.Writer, row *T) error {
	_, err := fmt.Fprintf(w, `{"type":%q,%s`, t.kind, payload.JSON(t.members(row))[1:]) // without its own {
	return err
}

// importLine adds the row of a line, unless it is there, and returns how many rows that added.
func (t table[T]) importLine(tx transaction, members map[string]json.RawMessage) (added int64,
	err error) {
	if id := string(members[t.id]); id == "" || id == `""` || id == "null" {
		return 0, errors.New("the record has no id")
	}
	text, _ := json.Marshal(members) // they were read from JSON
	row, decoder := new(T), json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // else a later format would lose what it added
	if err := decoder.Decode(t.members(row)); err != nil {
		return 0, err
	}
	added, err = t.add(tx, *row)
	if added > 0 && t.imported != nil {
		err = t.imported(tx, row)
	}
	return added, err
}

// Imported counts the lines of an import.
type Imported struct {
	Added   int // records that are new to the database
	Present int // records that were there already, and were left as they are
}

// Import reads what Export wrote and adds the records that are not there yet, all or
// none. Records are identified by their ids, and questions by their wording, so a second
// import adds nothing. A question whose number is taken gets the next one. The error names
// the line.
//
// The next service on the database sends the inquiries and notifications that are pending.
func (s *Store) Import(ctx context.Context, r io.Reader) (Imported, error) {
	ctx, cancel := context.WithTimeout(ctx, longTimeout)
	defer cancel()
	return result(ctx, s, "import", func(tx transaction) (Imported, error) {
		imported, err := importLines(tx, r)
		if err == nil {
			err = tx.execIfAny(s.dialect.renumber)
		}
		return imported, err
	})
}

func importLines(tx transaction, r io.Reader) (imported Imported, err error) {
	reader := bufio.NewReader(r)
	var begun, ended bool
	for number := 1; ; number++ {
		text, readErr := reader.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return imported, readErr
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			var head exportHead
			err := json.Unmarshal(text, &head)
			switch {
			case err != nil:
			case number == 1 && head.Type != typeExport:
				err = fmt.Errorf(`is not the first line of an export, {"type":%q,"version":%d}`, typeExport, exportVersion)
			case number == 1 && head.Version != exportVersion:
				err = fmt.Errorf("the export has version %d; this program reads version %d", head.Version, exportVersion)
			case number == 1:
				begun = true
			case ended:
				err = errors.New("follows the last line of the export")
			case head.Type != typeEnd:
				err = importLine(tx, head.Type, text, &imported)
			case head.Records != imported.Added+imported.Present:
				err = fmt.Errorf("the export had %d records, and the file has %d", head.Records,
					imported.Added+imported.Present)
			default:
				ended = true
			}
			if err != nil {
				return imported, fmt.Errorf("line %d: %w", number, err)
			}
		}
		if readErr != nil {
			switch {
			case !begun:
				return imported, errors.New("the file is empty")
			case !ended:
				return imported, fmt.Errorf(`the export is cut off after line %d: its last line, {"type":%q}, is missing`, number-1,
					typeEnd)
			}
			return imported, nil
		}
	}
}

// importLine adds the record of a line and counts it.
func importLine(tx transaction, kind string, text []byte, imported *Imported) error {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(text, &members) // importLines has read its head
	delete(members, "type")
	for _, table := range exported {
		if table.lineType() == kind {
			added, err := table.importLine(tx, members)
			imported.Added += int(added)
			imported.Present += 1 - int(added)
			return err
		}
	}
	return fmt.Errorf("%q is no type of record", kind)
}
