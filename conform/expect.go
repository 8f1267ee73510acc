package conform

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Fail ends the check: the answer is not what the format describes. If a proxy in front
// gave the answer by itself, the check is skipped instead.
func (a *Answer) Fail(format string, args ...any) {
	if a.FromProxy() {
		name := cmp.Or(a.HeaderValue("Server"), a.HeaderValue("Via"), "a proxy")
		a.Probe.Skip("answered by the proxy in front, not by the service (%d, %s)", a.Status, printable(name))
	}
	a.Probe.Fail(fmt.Sprintf(format, args...), a.excerpt())
}

// JSON expects a JSON object and returns it.
func (a *Answer) JSON() map[string]any {
	object := a.Object()
	if object == nil {
		a.Fail("a body that is one JSON object")
	}
	return object
}

// Text expects a member that is a string and not empty, and returns it.
func (a *Answer) Text(path string) string {
	text, _ := Lookup(a.JSON(), path).(string)
	if text == "" {
		a.Fail("the member %s, a text that is not empty", path)
	}
	return text
}

// List expects a member that is an array and returns it.
func (a *Answer) List(path string) []any {
	list, ok := Lookup(a.JSON(), path).([]any)
	if !ok {
		a.Fail("the member %s, an array", path)
	}
	return list
}

// Lookup returns the value at a path of members and indexes, or nil.
func Lookup(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch inner := value.(type) {
		case map[string]any:
			value = inner[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(inner) {
				return nil
			}
			value = inner[i]
		default:
			return nil
		}
	}
	return value
}
