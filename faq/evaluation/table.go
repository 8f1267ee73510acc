package evaluation

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d questions: %d that an entry answers, %d that none does\n\n", r.Questions, r.InScope, r.OutOfScope)
	if r.InScope > 0 {
		fmt.Fprintf(w, "%s.\n\n", r.Summary())
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		share *float64
		what  string
	}{
		{"among_candidates", r.AmongCandidates, "not answered, but the right entry is among the candidates"},
		{"accuracy", r.Accuracy, "the right entry comes first, served or not"},
		{"recall_at_5", r.RecallAt5, "it is among the first five"},
		{"in_scope_accuracy", r.InScopeAcc, "as served: questions with an entry, answered with it"},
		{"oos_recall", r.OOSRecall, "as served: questions without an entry, not answered"},
		{"precision", r.Precision, "as served: answers that are right"},
		{"coverage", r.Coverage, "as served: questions with an entry that get an answer, right or wrong"},
		{"in_scope_accuracy_at_oos_recall_80", r.InScopeAccAtOOS80, "with the threshold that refuses 80 of 100 without an entry"},
		{"auroc", r.AUROC, "how well sureness separates questions with an entry from those without"},
	} {
		fmt.Fprintf(table, "%s\t%s\t%s\n", row.name, percent(row.share), row.what)
	}
	fmt.Fprintf(table, "load_seconds\t%.3f\t\n", r.LoadSeconds)
	fmt.Fprintf(table, "microseconds_per_question\t%.0f\t\n", r.MicrosecondsPerQuestion)
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s", r.plot())
	return r.printConfusions(w)
}

// Summary says in a sentence what becomes of the questions that an entry answers. There must be some.
func (r *Report) Summary() string {
	return fmt.Sprintf("%.0f of 100 questions get their answer, %.0f of them as the answer and the others among the candidates; %.0f get a wrong one",
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

// The size of the plot in the terminal.
const (
	plotWidth  = 60
	plotHeight = 12
)

// plot draws the risk over the coverage.
func (r *Report) plot() string {
	top := 0.05
	for _, p := range r.RiskCoverage {
		top = max(top, p.Risk)
	}
	var grid [plotHeight][plotWidth]byte
	for y := range grid {
		for x := range grid[y] {
			grid[y][x] = ' '
		}
	}
	for _, p := range r.RiskCoverage {
		x := min(plotWidth-1, int(p.Coverage*plotWidth))
		y := min(plotHeight-1, int(p.Risk/top*(plotHeight-1)+0.5))
		grid[plotHeight-1-y][x] = '*'
	}
	var b strings.Builder
	b.WriteString("Wrong answers among those given (up), by the share of all questions answered (right)\n")
	for y := range grid {
		share := top * float64(plotHeight-1-y) / (plotHeight - 1)
		fmt.Fprintf(&b, "%5.1f%% |%s\n", 100*share, strings.TrimRight(string(grid[y][:]), " "))
	}
	fmt.Fprintf(&b, "       +%s\n        0%%%*s\n", strings.Repeat("-", plotWidth), plotWidth-2, "100%")
	return b.String()
}
