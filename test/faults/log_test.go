package faults

import (
	"os"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

func (s setup) startLoggingTo(t *testing.T, log *os.File) (*process, *caller) {
	t.Helper()
	addr, _ := programs.FreeAddr(t)
	s.environ = append(s.environ, "FRONTDESK_ADDR="+addr)
	p := &process{t: t, cmd: s.cmd(t), url: "http://" + addr, log: &lines{}, ended: make(chan error, 1)}
	p.cmd.Stderr = log
	p.run()
	c := newCaller(t, p.url)
	eventually(t, "the service", func() bool { return c.send("GET", contract.PathHealth, "").status == 200 })
	return p, c
}

// Every request is answered although the log cannot be written, and SIGTERM ends the process.
func TestLogFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		open func(t *testing.T) *os.File
	}{
		{"disk full", func(t *testing.T) *os.File {
			file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skipf("this system has no file that is always full: %v", err)
			}
			return file
		}},
		{"its reader has ended", func(t *testing.T) *os.File {
			reader, writer, err := os.Pipe()
			expect.OK(t, err, reader.Close()) // never read
			return writer
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			log := tt.open(t)
			defer log.Close()
			s := setup{dir: t.TempDir(), mail: listenMail(t)}
			p, c := s.startLoggingTo(t, log)
			for i := range 20 {
				c.wantContact(t, i)
				c.checkRest(t)
			}
			p.stop()
			s.wantSent(t, 20)
		})
	}
}
