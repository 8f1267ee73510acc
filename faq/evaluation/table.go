package evaluation

import (
	"fmt"
	"io"
	"reflect"
	"text/tabwriter"
)

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d questions: %d that an entry answers, %d that none does\n\n", r.Questions, r.InScope, r.OutOfScope)
	if r.InScope > 0 {
		fmt.Fprintf(w, "%s.\n\n", r.Summary())
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	report := reflect.ValueOf(*r)
	for field, share := range report.Fields() {
		if what, ok := field.Tag.Lookup("is"); ok {
			fmt.Fprintf(table, "%s\t%s\t%s\n", field.Tag.Get("json"), percent(share.Interface().(*float64)), what)
		}
	}
	fmt.Fprintf(table, "load_seconds\t%.3f\t\n", r.LoadSeconds)
	fmt.Fprintf(table, "microseconds_per_question\t%.0f\t\n", r.MicrosecondsPerQuestion)
	if err := table.Flush(); err != nil {
		return err
	}
	return r.printConfusions(w)
}

// Summary says in a sentence what becomes of the questions that an entry answers. There must be some.
func (r *Report) Summary() string {
	return fmt.Sprintf("%.0f of 100 questions get their answer, %.0f of them as the answer and the others among the "+
		"candidates; %.0f get a wrong one",
		100*(*r.InScopeAcc+*r.AmongCandidates), 100**r.InScopeAcc, 100**r.AnsweredWrong)
}

func percent(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100**share)
}

// listed is how many confusions people are shown.
const listed = 10

func (r *Report) printConfusions(w io.Writer) error {
	if len(r.Confusions) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nWorst confusions: entries that came first in place of another")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "COUNT\tSERVED\tWANTED\tCAME FIRST\tSUCH AS")
	for _, c := range r.Confusions[:min(len(r.Confusions), listed)] {
		wanted := "(none)"
		if c.Want != nil {
			wanted = *c.Want
		}
		fmt.Fprintf(table, "%d\t%d\t%s\t%s\t%s\n", c.Count, c.Served, wanted, c.Got, c.Example)
	}
	return table.Flush()
}
