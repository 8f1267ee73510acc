package command

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
)

func TestHarmless(t *testing.T) {
	t.Parallel()
	for _, formula := range []string{
		"=1+1", "+49 1", "-2", "@SUM(A1)", "|cmd", "%0", " =1", "\ufeff=1", "\u00a0=1", "＝1", "\tx", `=HYPERLINK("x`,
	} {
		expect.Same(t, "a formula", "'"+formula, harmless(formula))
	}
	for given, wanted := range map[string]string{
		"a;=1": "a;'=1", "a;;\u00a0+1;b": "a;;'\u00a0+1;b", `a;"=1"`: `a;"'=1"`, "a\t@SUM(A1)": "a\t'@SUM(A1)", "a\r\n=1": "a\r\n'=1",
		"\t=1": "'\t'=1", "\r\n =1": "'\r\n' =1",
	} {
		expect.Same(t, "a formula after a separator", wanted, harmless(given))
	}
	for _, text := range []string{"", "Ada", "a=1", "'=1", `"=1`, "a; b", "a,=1"} {
		expect.Same(t, "a text", text, harmless(text))
	}
}

// Whatever a stranger writes is one cell, and not a formula.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"=1", "a,b", "\"", "\r\n=1", "ü\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		expect.OK(t, printCSV(&out, []records.Inquiry{{ID: "inq_1", Name: text, Message: text}}))
		expect.Same(t, "the file begins with", byteOrderMark, string(out.Next(len(byteOrderMark))))
		rows := expect.Value(csv.NewReader(&out).ReadAll())(t)
		if len(rows) != 2 || len(rows[1]) != len(csvHead) {
			t.Fatalf("%q reads as %q", text, rows)
		}
		if cell := strings.TrimLeft(rows[1][3], " \t\r\n"); cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
			t.Fatalf("%q begins a formula", cell)
		}
	})
}
