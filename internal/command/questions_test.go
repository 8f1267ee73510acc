package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/gaps"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// ledger is a data folder with questions in it.
func ledger(t *testing.T, questions ...string) string {
	t.Helper()
	dir := t.TempDir()
	store, err := records.Open(t.Context(), records.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for i, q := range questions {
		asked := records.Asked{Key: q, Q: q, Unanswered: 1, At: time.Unix(int64(1_700_000_000+i), 0)}
		if _, err := store.AddBatch(t.Context(), records.Batch{Questions: []records.Asked{asked}}, records.BatchLimits{DailyRows: len(questions)}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestQuestions lists what was asked in vain, makes one an alternate and asks it.
func TestQuestions(t *testing.T) {
	t.Parallel()
	data := ledger(t, "Can I bring my parrot?", "Will you hand me my cash back?", "Will you hand me my cash bak?", "Do you know order [number]?", "\u202egnp.exe")
	dir := filepath.Join(t.TempDir(), "content")
	if code, _, stderr := harness.Command(t, "init", dir); code != 0 {
		t.Fatal(stderr)
	}
	code, out, stderr := harness.Command(t, "questions", "--data", data)
	if code != 0 || !strings.Contains(out, "Will you hand me my cash back? (and 1 like it)") || strings.Contains(out, "\u202e") {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	code, out, stderr = harness.Command(t, "questions", "--data", data, "--json")
	var groups []gaps.Group
	if err := json.Unmarshal([]byte(out), &groups); code != 0 || err != nil || len(groups) != 4 || groups[0].Number != 2 || groups[0].Count != 2 {
		t.Fatalf("exit %d, %v: %+v%s", code, err, groups, stderr)
	}

	before, err := os.ReadFile(filepath.Join(dir, "faq.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	code, out, stderr = harness.Command(t, "questions", "--data", data, "--content", dir, "accept", "2", "--entry", "refunds")
	if code != 0 || !strings.Contains(out, `"refunds"`) {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	after, err := os.ReadFile(filepath.Join(dir, "faq.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	const last = "      - My invoice from you is wrong. Is it corrected?\n"
	if want := strings.Replace(string(before), last, last+"      - Will you hand me my cash back?\n", 1); want != string(after) {
		t.Errorf("faq.yaml (-want +got):\n%s", cmp.Diff(want, string(after)))
	}
	if _, out, _ := harness.Command(t, "questions", "--data", data); strings.Contains(out, "cash") {
		t.Errorf("the accepted question is still listed:\n%s", out)
	}
}

// TestAcceptChangesNothingWhenItFails names the reason and leaves every byte.
func TestAcceptChangesNothingWhenItFails(t *testing.T) {
	t.Parallel()
	// Number 1 must not be answered, by golden.yaml; number 2 is a wording already.
	data := ledger(t, "Can I bring my parrot to you?", "can i get my money back", "Do you know order [number]?")
	dir := filepath.Join(t.TempDir(), "content")
	if code, _, stderr := harness.Command(t, "init", dir); code != 0 {
		t.Fatal(stderr)
	}
	golden := "unanswered:\n  - Can I bring my parrot to you?\n"
	if err := os.WriteFile(filepath.Join(dir, "golden.yaml"), []byte(golden), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, "faq.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"golden questions fail": {[]string{"--accept", "1", "--entry", "location", "--content", dir}, 1, "golden.yaml:2"},
		"a wording twice":       {[]string{"--accept", "2", "--entry", "refunds", "--content", dir}, 1, "appears twice"},
		"masked parts":          {[]string{"--accept", "3", "--entry", "refunds", "--content", dir}, 1, "masked"},
		"an unknown number":     {[]string{"--accept", "9", "--entry", "refunds", "--content", dir}, 1, "no such question: 9"},
		"an unknown entry":      {[]string{"--accept", "1", "--entry", "refund", "--content", dir}, 1, `"refunds"`},
		"no folder":             {[]string{"--accept", "1", "--entry", "refunds"}, 1, "FRONTDESK_CONTENT"},
		"no entry":              {[]string{"--accept", "1"}, 2, "--entry"},
	} {
		code, _, stderr := harness.Command(t, append([]string{"questions", "--data", data}, test.args...)...)
		if code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit %d, want %d with %q: %s", name, code, test.code, test.want, stderr)
		}
	}
	if after, err := os.ReadFile(filepath.Join(dir, "faq.yaml")); err != nil || string(after) != string(before) {
		t.Errorf("faq.yaml has changed (%v)", err)
	}
	if _, out, _ := harness.Command(t, "questions", "--data", data); !strings.Contains(out, "parrot") || !strings.Contains(out, "money") {
		t.Errorf("questions are lost:\n%s", out)
	}
	if _, out, _ := harness.Command(t, "questions", "--data", ledger(t)); out != "No unanswered questions yet.\n" {
		t.Errorf("an empty list reads %q", out)
	}
}
