package command_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// TestReadingMakesNoDatabase runs every command that only reads where there is nothing.
func TestReadingMakesNoDatabase(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"inquiries"}, {"inquiries", "--csv"}, {"inquiries", "show", "inq_1"}, {"inquiries", "delete", "inq_1"}, {"inquiries", "--resend", "inq_1", "--smtp-url", "file:"},
		{"questions"}, {"questions", "--wrong"}, {"questions", "dismiss", "1"}, {"workspaces"}, {"export"}, {"erase", "ada@example.com"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		code, out, stderr := harness.Command(t, append(args, "--data", dir)...)
		if code != 1 || out != "" || !strings.Contains(stderr, "no database at "+dir) {
			t.Errorf("%v: exit %d: %s%s", args, code, out, stderr)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%v: the folder: %v, want none", args, err)
		}
	}
}

// inquiries is a data folder with two inquiries, the first of which failed.
func inquiries(t *testing.T) (dir string) {
	t.Helper()
	dir = ledger(t)
	store, err := records.Open(t.Context(), records.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for i, email := range []string{"ada@example.com", "Bob@example.com"} {
		inquiry := records.Inquiry{
			ID: []string{"inq_a", "inq_b"}[i], MessageID: []string{"a", "b"}[i] + "@example.org", Name: "=1+1", Business: "A, \"B\"\u202e", Email: email,
			Message: "Two\nlines", Phone: "+49 1", Subject: "Pilot", Text: "The mail\x1b[31m", From: "desk@example.org", To: "owner@example.org",
			State: records.Pending, CreatedAt: at.Add(time.Duration(i) * time.Hour), Lease: records.Lease{Owner: "x", Until: at},
		}
		if err := store.AddInquiry(t.Context(), inquiry); err != nil {
			t.Fatal(err)
		}
		inquiry.State, inquiry.Detail = records.Failed, "550 no such user"
		if err := store.SettleInquiry(t.Context(), inquiry); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestInquiryCommands shows, lists as CSV and deletes inquiries, and erases a person.
func TestInquiryCommands(t *testing.T) {
	t.Parallel()
	dir := inquiries(t)
	code, out, stderr := harness.Command(t, "inquiries", "show", "inq_a", "--data", dir)
	for _, want := range []string{"ada@example.com", "  Two\n  lines", "failed after ", ": 550 no such user", "<a@example.org>", "  The mail[31m"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d: %swant %q in\n%s", code, stderr, want, out)
		}
	}
	if code, out, stderr = harness.Command(t, "inquiries", "show", "inq_a", "--data", dir, "--json"); code != 0 || !strings.Contains(out, `"tries": [`) {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	code, out, stderr = harness.Command(t, "inquiries", "--csv", "--data", dir)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != 0 || err != nil || len(rows) != 3 || !strings.Contains(out, "\r\n") {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, stderr)
	}
	want := []string{"inq_b", "2026-11-21T10:00:00Z", "failed", "'=1+1", "A, \"B\"\u202e", "Bob@example.com", "'+49 1", "", "Two\nlines", "550 no such user"}
	if diff := cmp.Diff(want, rows[1]); diff != "" {
		t.Errorf("CSV (-want +got):\n%s", diff)
	}
	if code, out, stderr = harness.Command(t, "inquiries", "delete", "inq_a", "--data", dir); code != 0 || !strings.Contains(out, "inq_a of ada@example.com is deleted") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	if code, _, stderr = harness.Command(t, "inquiries", "delete", "inq_a", "--data", dir); code != 1 || !strings.Contains(stderr, "there is no inquiry inq_a") {
		t.Errorf("deleted twice: exit %d: %s", code, stderr)
	}
	if code, out, stderr = harness.Command(t, "erase", "bob@EXAMPLE.com", "--data", dir); code != 0 || !strings.Contains(out, "1  inquiries") || !strings.Contains(out, "backups") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	if _, out, _ = harness.Command(t, "inquiries", "--data", dir); out != "No inquiries yet.\n" {
		t.Errorf("left are\n%s", out)
	}
	for _, args := range [][]string{{"inquiries", "show"}, {"inquiries", "list", "inq_a"}, {"inquiries", "show", "inq_a", "--csv"}, {"inquiries", "burn"}, {"inquiries", "--csv", "--json"}} {
		if code, _, stderr := harness.Command(t, append(args, "--data", dir)...); code != 2 {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
}

// TestWrongAnswers lists an answer that did not help and follows the printed command.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	data := ledger(t)
	store, err := records.Open(t.Context(), records.Options{Dir: data})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"Can I pay in gold?", "Do you sell horses?"} {
		key := content.QuestionKey(q)
		_, err := store.AddBatch(t.Context(), records.Batch{
			Answers:  []records.Answer{{Key: key, Q: q, EntryID: "refunds", Match: contract.MatchSelector, Sureness: 0.97, Asked: 3, At: time.Now()}},
			Feedback: []records.Feedback{{Key: key, Client: "192.0.2.1", EntryID: "refunds", CreatedAt: time.Now()}},
		}, records.BatchLimits{DailyRows: 100, Answers: 100})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "content")
	if code, _, stderr := harness.Command(t, "init", dir); code != 0 {
		t.Fatal(stderr)
	}
	code, out, stderr := harness.Command(t, "questions", "--wrong", "--data", data)
	command := "frontdesk questions move 1 --to unanswered"
	if code != 0 || !strings.Contains(out, command) || !strings.Contains(out, "answered by refunds (selector, 97 % sure), asked 3 times, helpful 0, unhelpful 1") {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	args := append(strings.Fields(strings.TrimPrefix(command, "frontdesk ")), "--data", data, "--content", dir)
	code, out, stderr = harness.Command(t, append(args, "--dry-run")...)
	if code != 0 || !strings.Contains(out, "+  - Can I pay in gold?") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	if code, out, stderr = harness.Command(t, args...); code != 0 || !strings.Contains(out, "must stay unanswered") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	golden, err := os.ReadFile(filepath.Join(dir, "golden.yaml"))
	if err != nil || !strings.Contains(string(golden), "Can I pay in gold?") {
		t.Errorf("golden.yaml: %v\n%s", err, golden)
	}
	if code, out, stderr = harness.Command(t, "questions", "dismiss", "2", "--wrong", "--data", data); code != 0 || !strings.Contains(out, "dismissed") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	if _, out, _ := harness.Command(t, "questions", "--wrong", "--data", data); !strings.Contains(out, "FRONTDESK_KEEP_ANSWERED=true") {
		t.Errorf("an empty list reads\n%s", out)
	}
}

// TestAskOffline answers from a content folder, and says why.
func TestAskOffline(t *testing.T) {
	t.Setenv("FRONTDESK_ENCODER", "off")
	dir := filepath.Join(t.TempDir(), "content")
	if code, _, stderr := harness.Command(t, "init", dir); code != 0 {
		t.Fatal(stderr)
	}
	for name, tt := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"an approved question": {[]string{"ask", "--content", dir, "--explain", "Can I get my money back?"}, 0, []string{"refunds answers (", "approved wording", "1.000 sure", "ENTRY"}},
		"none":                 {[]string{"ask", "--content", dir, "--explain", "xyzzy"}, 0, []string{"No entry answers"}},
		"as JSON":              {[]string{"ask", "--content", dir, "--explain", "--json", "Can I get my money back?"}, 0, []string{`"explanation":{`, `"threshold":`}},
		"no folder":            {[]string{"ask", "--content", filepath.Join(dir, "no"), "x"}, 1, []string{"FRONTDESK_CONTENT"}},
		"why, of a service":    {[]string{"ask", "--explain", "x"}, 2, []string{"--explain needs --content"}},
		"golden questions":     {[]string{"eval", "--explain", "refunds", "--content", dir}, 0, []string{"refunds answers ("}},
		"no golden question":   {[]string{"eval", "--explain", "nothing", "--content", dir}, 1, []string{`"nothing"`}},
		"nothing to measure":   {[]string{"eval", "--content", dir}, 2, []string{"--explain"}},
	} {
		code, out, stderr := harness.Command(t, tt.args...)
		for _, want := range tt.want {
			if code != tt.code || !strings.Contains(out+stderr, want) {
				t.Errorf("%s: exit %d, want %d with %q in\n%s%s", name, code, tt.code, want, out, stderr)
			}
		}
	}
}
