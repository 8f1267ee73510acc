package faults

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
)

func diskOf(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has tmpfs")
	}
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput()
	if err != nil {
		t.Skipf("a small disk needs root: %v: %s", err, out)
	}
	t.Cleanup(func() { execute(t, "umount", dir) })
	return dir
}

func fill(t *testing.T, dir string) (empty func()) {
	t.Helper()
	name := filepath.Join(dir, "filler")
	file := expect.Value(os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))(t)
	defer file.Close()
	for size := 64 << 10; size > 0; {
		if _, err := file.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return func() { expect.OK(t, os.Remove(name)) }
}

// freeze makes a database immutable, as on a disk that has become read-only. Only root can do that.
func freeze(t *testing.T, dir string) (thaw func()) {
	t.Helper()
	files := []string{filepath.Join(dir, "frontdesk.db"), filepath.Join(dir, "frontdesk.db-wal")}
	if out, err := exec.Command("chattr", append([]string{"+i"}, files...)...).CombinedOutput(); err != nil {
		t.Skipf("making a file immutable needs root and a file system that supports it: %v: %s", err, out)
	}
	thaw = sync.OnceFunc(func() { execute(t, "chattr", append([]string{"-i"}, files...)...) })
	t.Cleanup(thaw)
	return thaw
}

// A request that cannot be stored is 500 and not mailed; everything else is answered.
func TestDiskFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		dir   func(t *testing.T) string
		spoil func(t *testing.T, dir string) (mend func())
	}{
		{"full", func(t *testing.T) string { return diskOf(t, "4m") }, fill},
		{"read-only", func(t *testing.T) string { return t.TempDir() }, freeze},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := setup{dir: tt.dir(t), mail: listenMail(t), environ: []string{withAdmin}}
			p := s.start(t)
			c := newCaller(t, p.url)
			c.wantContact(t, 0)
			p.wantStore(t, 200) // counts for a second
			mend := tt.spoil(t, s.dir)
			eventually(t, "the check of the database to fail", func() bool {
				if tt.name == "full" { // again: the deletion of old records after the start frees space
					fill(t, s.dir)
				}
				return p.answers(t, "/readyz/store") == 503
			})
			for i := 1; i <= 5; i++ {
				wantCode(t, c.contact(mark(i), "key-"+mark(i)), 500, contract.InternalError)
				c.checkRest(t)
			}
			p.wantStore(t, 503)
			expect.Same(t, "mails were sent", 1, len(s.mail.Messages()))
			mend()
			p.wantStore(t, 200)
			for i := 1; i <= 6; i++ {
				c.wantContact(t, i)
			}
			p.stop()
			s.wantSent(t, 7)
		})
	}
}

func (c *caller) wantContact(t *testing.T, i int) {
	t.Helper()
	if got := c.contact(mark(i), "key-"+mark(i)); got.status != 200 {
		t.Errorf("request %d is answered %d (%v): %s", i, got.status, got.err, got.body)
	}
}

// Each of n stored inquiries is sent, and has one mail.
func (s setup) wantSent(t *testing.T, n int) {
	t.Helper()
	all := s.stored(t)
	expect.Same(t, "inquiries, their mails, mails", []int{n, n, n},
		[]int{len(all), len(arrived(t, s.mail)), len(s.mail.Messages())})
	for _, one := range all {
		if one.State != records.Sent {
			t.Errorf("request %d is %s (%s)", markOf(t, one.Message), one.State, one.Detail)
		}
	}
}

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

// SIGTERM still ends the process.
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
