package middleware

import (
	"path/filepath"
	"regexp"
	"testing"

	"frontdesk/internal/expect"
)

// TestEveryLayerIsExplained checks the steps of CONTRIBUTING, "A middleware".
func TestEveryLayerIsExplained(t *testing.T) {
	t.Parallel()
	layer := regexp.MustCompile(`(?m)^func ([A-Z]\w+)\(.*(http\.Handler\) http\.Handler|\) Layer|http\.HandlerFunc) \{$`)
	read := func(name string) string {
		return expect.File(t, name)
	}
	files := expect.Value(filepath.Glob("*.go"))(t)
	order, stack, layers := read("doc.go"), read("../routes/stack.go"), 0
	for _, file := range files {
		for _, found := range layer.FindAllStringSubmatch(read(file), -1) {
			layers++
			expect.Holds(t, "middleware/doc.go, which gives places and reasons,", order, found[1]+" ("+file)
			expect.Holds(t, "routes/stack.go", stack, "middleware."+found[1])
		}
	}
	expect.AtLeast(t, "layers", 10, layers)
}
