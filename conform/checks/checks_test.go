package checks

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/golden"

	"frontdesk/conform"
)

// TestChecksAreListed compares the names and sections of all checks with a golden file:
// they are published, and users select checks by name.
func TestChecksAreListed(t *testing.T) {
	t.Parallel()
	var list bytes.Buffer
	for _, check := range slices.Concat(Contract(), Readiness()) {
		fmt.Fprintf(&list, "%-15s %s\n", check.Section, check.Name)
	}
	golden.Check(t, filepath.Join("testdata", "checks.golden"), list.Bytes())
}

// TestChecksAreComplete checks that every check has a unique name, a sentence, and a
// function that runs or observes.
func TestChecksAreComplete(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)
	for what, checks := range map[string][]conform.Check{"contract": Contract(), "readiness": Readiness()} {
		seen := map[string]bool{}
		for _, check := range checks {
			if seen[check.Name] || !name.MatchString(check.Name) {
				t.Errorf("%s: the name %q is malformed or used twice", what, check.Name)
			}
			seen[check.Name] = true
			if check.Sentence == "" || !strings.ContainsAny(check.Sentence[len(check.Sentence)-1:], ".;}0") {
				t.Errorf("the sentence of %s is %q", check.Name, check.Sentence)
			}
			if check.Run == nil && check.Always == nil {
				t.Errorf("%s runs nothing", check.Name)
			}
			if check.Asks > 5 && !check.LoopbackOnly {
				t.Errorf("%s exceeds a limit and is not marked LoopbackOnly", check.Name)
			}
		}
	}
}

// The sections of the contract that can be checked, and those that cannot be observed
// from outside.
var (
	checked = []string{"1", "2", "3", "4", "4.health", "4.catalog", "4.ask", "4.feedback", "4.contact", "4.mcp", "4.workspace",
		"5.1", "5.2", "5.3", "5.4", "5.5", "5.7", "5.8", "6", "7", "8", "8.1", "8.2", "8.3", "8.4", "9.1", "9.4", "9.5", "9.6"}
	unseen = map[string]string{
		"5.6": "accounts are provisioned by a person",
		"9.2": "whether a change breaks something is seen over time",
		"9.3": "no version is retired yet",
	}
)

func TestEverySectionIsChecked(t *testing.T) {
	t.Parallel()
	have := map[string]bool{}
	for _, check := range Contract() {
		if have[check.Section] = true; !strings.HasPrefix(check.Section, "D.") && !slices.Contains(checked, check.Section) {
			t.Errorf("%s names the section %s, which does not exist", check.Name, check.Section)
		}
	}
	for _, section := range checked {
		if !have[section] {
			t.Errorf("no check of section %s", section)
		}
	}
}

// TestSectionsAreOfTheContract compares the lists above with the text of the contract.
func TestSectionsAreOfTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "contract", "public-agent-api.md"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the contract's text is not beside this tree")
	}
	if err != nil {
		t.Fatal(err)
	}
	section, rule := regexp.MustCompile(`^## (\d)\. `), regexp.MustCompile(`^(\d)\. `)
	current := ""
	for line := range strings.Lines(string(text)) {
		if found := section.FindStringSubmatch(line); found != nil {
			current = found[1]
		} else if found := rule.FindStringSubmatch(line); found != nil {
			if number := current + "." + found[1]; !slices.Contains(checked, number) && unseen[number] == "" {
				t.Errorf("rule %s of the contract is in no list", number)
			}
		}
	}
	if current != "9" {
		t.Errorf("the last section of the text is %q, want 9", current)
	}
}
