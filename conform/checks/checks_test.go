package checks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/conform"
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

// The names and sections are published, and users select checks by name.
func TestChecksAreListed(t *testing.T) {
	t.Parallel()
	var list bytes.Buffer
	for _, check := range Contract() {
		fmt.Fprintf(&list, "%-15s %s\n", check.Section, check.Name)
	}
	golden.Check(t, filepath.Join("testdata", "checks.golden"), list.Bytes())
}

func TestChecksAreComplete(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)
	ask, contact, trial := contract.AskPolicy, contract.ContactPolicy, contract.TrialPolicy
	ask.Quota, contact.Quota, trial.Quota = LeastQuota, LeastQuota, LeastQuota
	for what, checks := range map[string][]conform.Check{"contract": Contract(), "a fork": Contract(ask, contact, trial)} {
		seen := map[string]bool{}
		for _, check := range checks {
			if seen[check.Name] || !name.MatchString(check.Name) {
				t.Errorf("%s: the name %q is malformed or used twice", what, check.Name)
			}
			seen[check.Name] = true
			if check.Sentence == "" || !strings.ContainsAny(check.Sentence[len(check.Sentence)-1:], ".;}0") {
				t.Errorf("the sentence of %s is %q", check.Name, check.Sentence)
			}
			if check.Run == nil {
				t.Errorf("%s runs nothing", check.Name)
			}
			for policy, n := range check.Slots {
				if n > policy.Quota && !check.LoopbackOnly {
					t.Errorf("%s exceeds a limit and is not marked LoopbackOnly", check.Name)
				}
			}
		}
	}
}

// Not seen from outside: accounts by a person (5.6), changes over time (9.2), retired versions (9.3).
func TestEverySectionIsChecked(t *testing.T) {
	t.Parallel()
	var have []string
	for _, check := range Contract() {
		if !strings.HasPrefix(check.Section, "D.") {
			have = append(have, check.Section)
		}
	}
	slices.Sort(have)
	want := strings.Fields("1 2 3 4 4.ask 4.catalog 4.contact 4.feedback 4.health 4.mcp 4.workspace 5.1 5.2 5.3 5.4 5.5 " +
		"5.7 5.8 6 7 8 8.1 8.2 8.3 8.4 9.1 9.4 9.5 9.6")
	expect.Same(t, "sections", want, slices.Compact(have))
}
