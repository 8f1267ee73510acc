package harness

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/desk"
	"frontdesk/internal/command"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
)

// asMain makes the test binary behave as frontdesk, for tests that need a process.
const asMain = "FRONTDESK_TEST_AS_MAIN"

// Main is the TestMain of packages that use the harness. It runs their tests in the
// root of the module, so that the files of the tree have one name everywhere.
func Main(m *testing.M) {
	if os.Getenv(asMain) != "" {
		os.Unsetenv(asMain)
		desk.Main()
		return
	}
	if os.Getenv("FRONTDESK_ENCODER") == "" { // the encoder costs seconds, and few tests need it
		os.Setenv("FRONTDESK_ENCODER", "off")
	}
	records.CallTimeout = time.Minute // while packages are installed, a sync to the disk may take seconds
	if err := enterRoot(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// enterRoot changes to the folder with go.mod.
func enterRoot() error {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return os.Chdir(dir)
		}
		if dir == filepath.Dir(dir) {
			return errors.New("no go.mod above the folder of the test")
		}
		dir = filepath.Dir(dir)
	}
	return err
}

// Process returns a command that runs frontdesk as a separate process.
func Process(ctx context.Context, args ...string) *exec.Cmd {
	process := exec.CommandContext(ctx, os.Args[0], args...)
	process.Env = append(os.Environ(), asMain+"=1")
	return process
}

// Command runs a command line in this process.
func Command(t testing.TB, args ...string) (code int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = command.Run(t.Context(), args, command.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr},
		command.Own{})
	return code, stdout.String(), stderr.String()
}

// WithoutMail removes the mail server from the settings: mails become files.
func WithoutMail(s *config.Settings) { s.SMTPURL, s.MailTo, s.MailFrom = "", "", "" }

// listening matches the address in the log line that announces it.
var listening = regexp.MustCompile(`frontdesk serves \S+ on ([0-9.:]+)`)

// StartProcess runs frontdesk serve as a separate process on a free port, with additional
// environment variables. It also returns its log.
func StartProcess(t testing.TB, environ ...string) (process *exec.Cmd, url string, log *Log) {
	t.Helper()
	return StartProgram(t, os.Args[0], append(environ, asMain+"=1")...)
}

// StartProgram is StartProcess of another program that is frontdesk.
func StartProgram(t testing.TB, program string, environ ...string) (process *exec.Cmd, url string, log *Log) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	process = exec.CommandContext(ctx, program, "serve")
	// the last of repeated names counts
	process.Env = append(append(os.Environ(), "FRONTDESK_ADDR=127.0.0.1:0", "FRONTDESK_DATA="+DataFolder(t),
		"FRONTDESK_ENCODER=off"), environ...)
	stderr := expect.Value(process.StderrPipe())(t)
	expect.OK(t, process.Start())
	log = &Log{}
	lines := bufio.NewScanner(io.TeeReader(stderr, log))
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(log, stderr) }()
			return process, "http://" + found[1], log
		}
	}
	t.Fatalf("the process announces no address: %v", lines.Err())
	return nil, "", nil
}
