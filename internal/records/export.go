package records

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
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

// exported are the tables of an export in their order.
var exported = []interface {
	lineType() string
	export(ctx context.Context, db querier, w io.Writer, since time.Time) (written int, err error)
	importLine(ctx context.Context, tx *sql.Tx, members map[string]json.RawMessage) (added int64, err error)
}{inquiries, tries, feedback, questions, answered, workspaces, modelCalls, notifications, dayTotals, changes}

// Export writes every record since a point in time, one JSON object a line, and at the end
// how many there are; the zero time means everything. Of a question it counts when it was asked last. A record that
// was stored before the call, and is not deleted meanwhile, is in it once. One that
// changes meanwhile is in one of its states.
//
// Rows are read page by page and written between two transactions, so that a reader
// that pauses holds nothing of the database open, and an export of any size takes
// little memory.
func (s *Store) Export(ctx context.Context, w io.Writer, since time.Time) error {
	_, err := fmt.Fprintf(w, `{"type":%q,"version":%d}`+"\n", typeExport, exportVersion)
	all, written := 0, 0
	for _, table := range exported {
		if err == nil {
			written, err = table.export(ctx, s.reads, w, since)
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

// export writes the rows of a table, the oldest first, and returns how many.
func (t table[T]) export(ctx context.Context, db querier, w io.Writer, since time.Time) (written int, err error) {
	var last []any // what identifies the last row of the page before
	for {
		var chosen where
		chosen.and(t.since+` >= ?`, since.UnixMicro())
		if t.where != "" {
			chosen.and(t.where)
		}
		if last != nil {
			chosen.and(`(`+t.order+`) > `+placeholders(len(last)), last...)
		}
		page, err := t.list(ctx, db, chosen.String()+` ORDER BY `+t.order+` LIMIT `+fmt.Sprint(exportPage), chosen.args...)
		for i := range page {
			var line []byte
			if line, err = t.encode(&page[i]); err == nil {
				_, err = w.Write(line)
			}
			if err != nil {
				return written, err
			}
			written++
		}
		if err != nil || len(page) < exportPage {
			return written, err
		}
		last = t.place(&page[len(page)-1])
	}
}

// place are the values of the columns that identify a row in the order of an export.
func (t table[T]) place(row *T) (values []any) {
	all := t.values(row)
	for name := range strings.SplitSeq(t.order, ", ") {
		values = append(values, all[slices.Index(t.names, name)])
	}
	return values
}

// encode returns the line of a row, with its type as the first member.
func (t table[T]) encode(row *T) ([]byte, error) {
	var line bytes.Buffer
	fmt.Fprintf(&line, `{"type":%q,`, t.kind)
	begin := line.Len()
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(t.line(row))
	return slices.Delete(line.Bytes(), begin, begin+1), err // its own {
}

// decode reads the members of a line but its type.
func (t table[T]) decode(members map[string]json.RawMessage) (row T, err error) {
	text, err := json.Marshal(members)
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields() // else a later format would lose what it added
		err = decoder.Decode(t.line(&row))
	}
	return row, err
}

// importLine adds the row of a line, unless it is there, and returns how many rows that
// added.
func (t table[T]) importLine(ctx context.Context, tx *sql.Tx, members map[string]json.RawMessage) (added int64,
	err error) {
	row, err := t.decode(members)
	if err != nil {
		return 0, err
	}
	for _, c := range t.columns {
		if c.required && reflect.ValueOf(c.in(reflect.ValueOf(&row).Elem())).Elem().IsZero() {
			return 0, errors.New("the record has no id")
		}
	}
	return t.add(ctx, tx, row, t.conflict)
}

// Imported counts the lines of an import.
type Imported struct {
	Added   int // records that are new to the database
	Present int // records that were there already, and were left as they are
}

// Import reads what Export wrote and adds the records that are not there yet, all or
// none: after an error the database is as it was. Records are known by their ids, and
// questions by their wording, so that a second import adds nothing. A question whose
// number is taken gets the next one. The error names the line.
//
// The service that uses the database next sends the inquiries and notifications that are
// pending.
func (s *Store) Import(ctx context.Context, r io.Reader) (Imported, error) {
	ctx, cancel := context.WithTimeout(ctx, longTimeout)
	defer cancel()
	return result(ctx, s, "import", func(ctx context.Context, tx *sql.Tx) (Imported, error) {
		imported, err := importLines(ctx, tx, r)
		if err == nil && s.dialect.renumber != "" {
			_, err = tx.ExecContext(ctx, s.dialect.renumber)
		}
		return imported, err
	})
}

func importLines(ctx context.Context, tx *sql.Tx, r io.Reader) (imported Imported, err error) {
	reader := bufio.NewReader(r)
	var first, last exportHead
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
			case number == 1:
				first, err = head, head.check()
			case last.Type != "":
				err = errors.New("follows the last line of the export")
			case head.Type == typeEnd:
				last, err = head, head.checkEnd(imported)
			default:
				err = importLine(ctx, tx, head.Type, text, &imported)
			}
			if err != nil {
				return imported, fmt.Errorf("line %d: %w", number, err)
			}
		}
		if readErr != nil {
			switch {
			case first.Type == "":
				return imported, errors.New("the file is empty")
			case last.Type == "":
				return imported, fmt.Errorf(`the export is cut off after line %d: its last line, {"type":%q}, is missing`, number-1,
					typeEnd)
			}
			return imported, nil
		}
	}
}

// check checks the first line of an export.
func (h exportHead) check() error {
	switch {
	case h.Type != typeExport:
		return fmt.Errorf(`is not the first line of an export, {"type":%q,"version":%d}`, typeExport, exportVersion)
	case h.Version != exportVersion:
		return fmt.Errorf("the export has version %d; this program reads version %d", h.Version, exportVersion)
	}
	return nil
}

// checkEnd compares the last line of an export with the lines before.
func (h exportHead) checkEnd(imported Imported) error {
	if found := imported.Added + imported.Present; found != h.Records {
		return fmt.Errorf("the export had %d records, and the file has %d", h.Records, found)
	}
	return nil
}

// importLine adds the record of a line and counts it.
func importLine(ctx context.Context, tx *sql.Tx, kind string, text []byte, imported *Imported) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	delete(members, "type")
	for _, table := range exported {
		if table.lineType() != kind {
			continue
		}
		added, err := table.importLine(ctx, tx, members)
		if added > 0 {
			imported.Added++
		} else {
			imported.Present++
		}
		return err
	}
	return fmt.Errorf("%q is no type of record", kind)
}
