package command

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"strings"
	"testing"

	"frontdesk/internal/client"
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

// A result that cannot be written is an error.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	closed := expect.Value(os.CreateTemp(t.TempDir(), ""))(t)
	expect.OK(t, closed.Close())
	for _, line := range []string{"init " + t.TempDir(), "check --encoder off", "eval --encoder off --explain cost",
		"notify --test --data " + t.TempDir()} {
		code := Run(t.Context(), strings.Fields(line), Streams{Out: closed, Err: io.Discard}, Own{})
		expect.Same(t, "exit code of "+line, client.ExitRefused, code)
	}
}

// A sign-in link is printed to a person, and never into a log or a pipe.
func TestTerminal(t *testing.T) {
	t.Parallel()
	var buffer bytes.Buffer
	read, write, err := os.Pipe()
	expect.OK(t, err)
	defer read.Close()  // nothing was written
	defer write.Close() // likewise
	file := expect.Value(os.CreateTemp(t.TempDir(), "log"))(t)
	defer file.Close() // likewise
	for name, std := range map[string]Streams{
		"buffers": {Out: &buffer, Err: &buffer},
		"a pipe":  {Out: write, Err: write},
		"a file":  {Out: file, Err: file},
	} {
		expect.Same(t, name+": a link is printed", false, terminal(std) != nil)
	}
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("skipped: no terminal can be opened here: %v", err)
	}
	defer person.Close() // likewise
	if out := terminal(Streams{Out: file, Err: person}); out != person {
		t.Error("a link is not printed on a terminal")
	}
}
