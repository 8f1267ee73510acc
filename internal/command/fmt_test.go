package command_test

import (
	"os"
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
	before := expect.Value(os.ReadFile(file))(t)
	loose := strings.ReplaceAll(string(before), "    question: ", "    question:   ")
	expect.OK(t, os.WriteFile(file, []byte(loose), 0o600))
	catalog := filepath.Join(dir, "catalog.yaml")
	kept := expect.Value(os.ReadFile(catalog))(t)
	expect.OK(t, os.WriteFile(catalog, []byte("business: [\n"), 0o600))
	run(t, 1, "fmt "+dir, "catalog.yaml:2: ")
	expect.Same(t, "beside a file that cannot be read", loose, string(expect.Value(os.ReadFile(file))(t)))
	expect.OK(t, os.WriteFile(catalog, kept, 0o600))
	run(t, 0, "fmt "+dir, file+"\n")
	expect.Same(t, "faq.yaml", string(before), string(expect.Value(os.ReadFile(file))(t)))
	run(t, 1, "fmt "+filepath.Join(dir, "nowhere"), "no such file")
}
