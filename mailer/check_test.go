package mailer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/mailer/mailtest"
)

const checkedFrom = "desk@desk.example"

func TestCheckLogsInAndSendsNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options mailtest.Options
		query   string
	}{
		{"plain", mailtest.Options{}, ""},
		{"login", mailtest.Options{User: "desk", Password: "secret"}, ""},
		{"STARTTLS", mailtest.Options{Security: mailtest.StartTLS, User: "desk", Password: "secret"}, "?tls=required"},
		{"implicit TLS", mailtest.Options{Security: mailtest.Implicit, User: "desk", Password: "secret"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Listen(t, tt.options)
			if err := connect(t, server, tt.query).Check(t.Context(), checkedFrom); err != nil {
				t.Fatal(err)
			}
			server.WaitIdle()
			if sent := strings.Join(server.Commands(), "\n"); strings.Contains(sent, "MAIL") || len(server.Messages()) != 0 {
				t.Errorf("a mail was begun:\n%s", sent)
			}
		})
	}
}

// TestCheckNamesTheStage breaks each stage before a mail. Faults of later stages do not
// affect a check.
func TestCheckNamesTheStage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options mailtest.Options
		change  func(*SMTP)
		stage   string
	}{
		{"no server", mailtest.Options{}, func(s *SMTP) { s.port = 1 }, stageConnect},
		{"STARTTLS missing", mailtest.Options{}, func(s *SMTP) { s.security = required }, stageStartTLS},
		{"untrusted certificate under STARTTLS", mailtest.Options{Security: mailtest.StartTLS}, func(s *SMTP) { s.roots = nil }, stageStartTLS},
		{"untrusted certificate", mailtest.Options{Security: mailtest.Implicit}, func(s *SMTP) { s.roots = nil }, stageTLS},
		{"wrong password", mailtest.Options{User: "u", Password: "p"}, func(s *SMTP) { s.password = "q" }, stageAuth},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Listen(t, tt.options)
			transport := connect(t, server, "")
			tt.change(transport)
			checkFailure(t, transport.Check(t.Context(), checkedFrom), tt.stage)
			server.WaitIdle()
		})
	}
}

func TestCheckEndsWhenTheServerHangs(t *testing.T) {
	t.Parallel()
	for _, test := range stages[:4] { // those before MAIL
		t.Run(string(test.at), func(t *testing.T) {
			t.Parallel()
			ctx, server, transport := hanging(t, test.at)
			err := transport.Check(ctx, checkedFrom)
			checkFailure(t, err, test.stage)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error = %v, want the deadline as its cause", err)
			}
			server.WaitIdle()
		})
	}
}

// TestCheckIgnoresQuit: a server that closes the connection at QUIT would have accepted
// a mail.
func TestCheckIgnoresQuit(t *testing.T) {
	t.Parallel()
	_, transport := breaking(t, mailtest.Fault{Stage: mailtest.Quit, Action: mailtest.Hang})
	if err := transport.Check(t.Context(), checkedFrom); err != nil {
		t.Error(err)
	}
}

func TestCheckOfABadSender(t *testing.T) {
	t.Parallel()
	server := mailtest.Listen(t, mailtest.Options{})
	err := connect(t, server, "").Check(t.Context(), "no-address")
	if failure, ok := errors.AsType[*Error](err); !ok || failure.Stage != stageMessage {
		t.Errorf("error = %v, want one at %s", err, stageMessage)
	}
}

func TestCheckOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	for _, good := range []string{dir, missing} {
		if err := (&Folder{dir: good}).Check(t.Context(), checkedFrom); err != nil {
			t.Error(err)
		}
	}
	checkFailure(t, (&Folder{dir: file}).Check(t.Context(), checkedFrom), stageFile)
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("a check leaves %v behind", left)
	}
}

// checkFailure fails unless the error names the stage and has a hint for the owner.
func checkFailure(t *testing.T, err error, stage string) {
	t.Helper()
	failure, ok := errors.AsType[*Error](err)
	if !ok || failure.Stage != stage || failure.Hint() == "" {
		t.Errorf("error = %v, want one at %s with a hint", err, stage)
	}
}
