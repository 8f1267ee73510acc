package command_test

import (
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestFmt(t *testing.T) {
	t.Parallel()
	dir := sampleFolder(t)
	out, _ := run(t, 0, "fmt "+dir)
	expect.Same(t, "of the sample", "", out)
	file := filepath.Join(dir, "faq.yaml")
	before := read(t, file)
	loose := strings.ReplaceAll(before, "    question: ", "    question:   ")
	write(t, file, loose)
	catalog := filepath.Join(dir, "catalog.yaml")
	kept := read(t, catalog)
	write(t, catalog, "business: [\n")
	run(t, 1, "fmt "+dir, "catalog.yaml:2: ")
	expect.Same(t, "beside a file that cannot be read", loose, read(t, file))
	write(t, catalog, kept)
	run(t, 0, "fmt "+dir, file+"\n")
	expect.Same(t, "faq.yaml", before, read(t, file))
	run(t, 1, "fmt "+filepath.Join(dir, "nowhere"), "no such file")
}
