package contract_test

import (
	"fmt"
	"frontdesk/test/harness"
	"maps"
	"slices"
	"strings"
	"testing"
)

// shrink drops steps, the last first, while the rest still fails, then simplifies the others.
func shrink(t *testing.T, b harness.Changes, steps []step) ([]step, *played) {
	t.Helper()
	wrong := play(t, b, steps)
	try := func(left []step) {
		if now := play(t, b, left); now != nil {
			steps, wrong = left[:now.step+1], now
		}
	}
	for at := len(steps) - 1; at >= 0; at-- {
		if at < len(steps) && len(steps) > 1 {
			try(slices.Delete(slices.Clone(steps), at, at+1))
		}
	}
	for at := 0; at < len(steps); at++ {
		for _, plainer := range []func(*step){
			func(s *step) { s.after, s.patient = 0, false },
			func(s *step) { s.mail = mailStays },
			func(s *step) { s.times = 1 },
		} {
			if left := slices.Clone(steps); at < len(left) {
				plainer(&left[at])
				try(left)
			}
		}
	}
	return steps, wrong
}

func curlLines(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		if s.after > 0 {
			fmt.Fprintf(&b, "sleep %g\n", s.after.Seconds())
		}
		if s.mail != mailStays {
			fmt.Fprintf(&b, "# the mail server %s\n", map[mailState]string{mailFails: "refuses every mail", mailWorks: "takes mail"}[s.mail])
		}
		if s.times > 1 {
			fmt.Fprintf(&b, "# %d of these at once\n", s.times)
		}
		fmt.Fprintf(&b, "curl -si --interface %s -X %s %s", addressOf(s.client), s.method, inQuotes(harness.Base+s.path))
		for _, name := range slices.Sorted(maps.Keys(s.header)) {
			fmt.Fprintf(&b, " -H %s", inQuotes(name+": "+s.header[name][0]))
		}
		if s.method != "GET" {
			fmt.Fprintf(&b, " --data-binary %s", inQuotes(s.body))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func inQuotes(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
