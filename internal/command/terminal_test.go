package command

import (
	"bytes"
	"frontdesk/internal/expect"
	"os"
	"testing"
)

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
