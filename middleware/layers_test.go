package middleware

import (
	"frontdesk/internal/expect"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var layer = regexp.MustCompile(`(?m)^func ([A-Z]\w+)\(.*(?:func\(http\.Handler\) http\.Handler|next http\.Handler\) http\.Handler|http\.HandlerFunc) \{$`)

// TestEveryLayerIsExplained checks the steps of CONTRIBUTING, "A middleware".
func TestEveryLayerIsExplained(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text := expect.Value(os.ReadFile(name))(t)
		return string(text)
	}
	files := expect.Value(filepath.Glob("*.go"))(t)
	order, stack, layers := read("doc.go"), read("../routes/stack.go"), 0
	for _, file := range files {
		for _, found := range layer.FindAllStringSubmatch(read(file), -1) {
			layers++
			if !strings.Contains(order, found[1]+" ("+file) {
				t.Errorf("middleware/doc.go does not explain the place of the layer %s: add %q and the reason", found[1], found[1]+" ("+file+")")
			}
			expect.Holds(t, "no request passes the layer "+found[1]+": add it to routes/stack.go", stack, "middleware."+found[1])
		}
	}
	if layers < 9 {
		t.Errorf("only %d layers are found", layers)
	}
}
