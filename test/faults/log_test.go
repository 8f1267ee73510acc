package faults

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/mailer/mailtest"
)

// startLoggingTo starts a process whose log is not read by the test.
func (s setup) startLoggingTo(t *testing.T, log *os.File) (*process, *caller) {
	t.Helper()
	addr, _ := programs.FreeAddr(t)
	s.environ = append(s.environ, "FRONTDESK_ADDR="+addr)
	p := &process{t: t, cmd: s.cmd(t), url: "http://" + addr, log: &lines{}, ended: make(chan error, 1)}
	p.cmd.Stderr = log
	p.run()
	c := newCaller(t, p.url)
	eventually(t, "the service", func() bool { return c.send(http.MethodGet, contract.PathHealth, "").status == http.StatusOK })
	return p, c
}

// TestLogFails: every request is answered although the log cannot be written or is not
// read, and SIGTERM ends the process.
func TestLogFails(t *testing.T) {
	t.Parallel()
	pipe := func(t *testing.T) (reader, writer *os.File) {
		reader, writer, err := os.Pipe()
		expect.OK(t, err)
		return reader, writer
	}
	for _, tt := range []struct {
		name  string
		lines int // requests that leave lines of some 400 bytes
		open  func(t *testing.T) *os.File
	}{
		{"disk full", 0, func(t *testing.T) *os.File {
			file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skipf("this system has no file that is always full: %v", err)
			}
			return file
		}},
		{"its reader has ended", 0, func(t *testing.T) *os.File {
			reader, writer := pipe(t)
			_ = reader.Close() // never read
			return writer
		}},
		// More than the pipe (64 KiB) and the buffer of the service (1 MiB) hold together.
		{"its reader stalls", 4000, func(t *testing.T) *os.File {
			reader, writer := pipe(t)
			t.Cleanup(func() { _ = reader.Close() }) // open until the end
			return writer
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			log := tt.open(t)
			defer log.Close()
			server := mailtest.Listen(t, mailtest.Options{})
			s := setup{dir: t.TempDir(), mail: server, environ: []string{"FRONTDESK_LOG_LEVEL=debug"}}
			p, c := s.startLoggingTo(t, log)
			for i := range tt.lines {
				if got := c.send(http.MethodGet, contract.PathHealth+"/"+strings.Repeat("x", 300), ""); got.status != http.StatusNotFound {
					t.Fatalf("request %d: %d %v", i, got.status, got.err)
				}
			}
			for i := range 20 {
				c.wantContact(t, i)
				c.checkRest(t)
			}
			p.stop()
			wantSent(t, s.dir, server, 20)
		})
	}
}
