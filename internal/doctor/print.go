package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes one line for each check, and a second one with the hint, if any.
func Print(w io.Writer, examined []Examined) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range examined {
		fmt.Fprintf(table, "%s\t%s\t%s\n", one.Result, one.Name, oneLine(one.What))
		if one.Hint != "" {
			fmt.Fprintf(table, "\t\thint: %s\n", oneLine(one.Hint))
		}
	}
	return table.Flush()
}

// PrintJSON writes one array with an object for each check.
func PrintJSON(w io.Writer, examined []Examined) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(examined)
}

// oneLine removes control characters, so that the answer of another program cannot forge
// a line or a colour.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }), " ")
}
