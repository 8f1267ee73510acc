package faults

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	url   string
	log   *lines
	ended chan error // receives the result of Wait once
}

type setup struct {
	dir      string // the data folder; one of the test's own when empty
	database string // the address of PostgreSQL
	mail     *mailtest.Server
	environ  []string
	command  []string // a command that runs the program given by its last arguments; none when empty
	machine  quota    // each process gets a cgroup of its own with this; none when empty
}

func (s setup) cmd(t *testing.T) *exec.Cmd {
	t.Helper()
	if s.dir == "" {
		s.dir = t.TempDir()
	}
	words := append(s.command, program(t), "serve")
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "FRONTDESK_ADDR=127.0.0.1:0", "FRONTDESK_DATA=" + s.dir, "FRONTDESK_LOG_FORMAT=json",
		"FRONTDESK_MAIL_TO=owner@desk.example", "FRONTDESK_MAIL_FROM=desk@desk.example",
		"FRONTDESK_TRUSTED_PROXIES=127.0.0.0/8",
		"FRONTDESK_DAILY_SENDS=1000000", // these tests send more than any day brings
		"FRONTDESK_ENCODER=off",         // these tests need no meaning, and many processes
	}
	if s.mail != nil {
		cmd.Env = append(cmd.Env, "FRONTDESK_SMTP_URL="+s.mail.URL())
	}
	if s.database != "" {
		cmd.Env = append(cmd.Env, "FRONTDESK_DATABASE_URL="+s.database, "FRONTDESK_SIGNING_KEY="+harness.PEMKey(t, 0))
	}
	cmd.Env = append(cmd.Env, s.environ...) // the last value of a name counts
	return cmd
}

func (s setup) start(t *testing.T) *process {
	t.Helper()
	p := s.launch(t)
	p.serves(t)
	if strings.Contains(p.log.String(), "starting without it") { // PostgreSQL on a busy machine
		p.log.Wait(t, "the database answers", 1)
	}
	return p
}

func (p *process) serves(t *testing.T) {
	t.Helper()
	eventually(t, "the process to serve", func() bool {
		select {
		case err := <-p.ended:
			t.Fatalf("the process ended (%v):\n%s", err, p.log)
		default:
		}
		p.url = "http://" + p.log.address(`frontdesk serves \S+ on `)
		return p.url != "http://"
	})
}

func (s setup) launch(t *testing.T) *process {
	t.Helper()
	if s.machine != (quota{}) {
		if s.command = ownCgroup(t, s.machine); s.command == nil {
			t.Skip("this machine allows no cgroup of the test's own, which limits memory and processor")
		}
	}
	p := &process{t: t, cmd: s.cmd(t), log: &lines{}, ended: make(chan error, 1)}
	p.cmd.Stderr = p.log
	p.run()
	return p
}

func (p *process) run() {
	p.t.Helper()
	expect.OK(p.t, p.cmd.Start())
	gone := make(chan struct{})
	go func() {
		p.ended <- p.cmd.Wait()
		close(gone)
	}()
	p.t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // most have ended
		<-gone
	})
}

func (p *process) kill() {
	p.t.Helper()
	expect.OK(p.t, p.cmd.Process.Kill())
	<-p.ended
}

func (p *process) terminate() {
	p.t.Helper()
	expect.OK(p.t, p.cmd.Process.Signal(syscall.SIGTERM))
}

func (p *process) wait() {
	p.t.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			p.t.Errorf("the process ended with %v:\n%s", err, p.log)
		}
	case <-time.After(patience):
		p.t.Fatalf("the process does not end:\n%s", p.log)
	}
}

func (p *process) stop() {
	p.t.Helper()
	p.terminate()
	p.wait()
}

// As Linux lists them; 0 elsewhere.
func (p *process) sockets() int {
	n := 0
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.cmd.Process.Pid))
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && strings.HasPrefix(target, "socket:") {
			n++
		}
	}
	return n
}

func (s setup) run(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := s.tried(t, args...)
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return []byte(out)
}

// tried is run for a command that may fail; its errors are at the end.
func (s setup) tried(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	words := append(slices.Clone(s.command), append([]string{program(t)}, args...)...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = s.cmd(t).Env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err = cmd.Run(); err != nil {
		stdout.Write(stderr.Bytes())
	}
	if ctx.Err() != nil {
		t.Fatalf("%v does not end (%v):\n%.2000s", args, err, stdout.String())
	}
	return stdout.String(), err
}

func listenMail(t *testing.T) *mailtest.Server {
	t.Helper()
	return mailtest.Listen(t, mailtest.Options{})
}

func execute(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	expect.Error(t, program+" "+string(out), err, nil)
}

func (s setup) stored(t *testing.T) []records.Inquiry {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	options := records.Options{Dir: s.dir}
	if s.database != "" {
		options = records.Options{URL: s.database}
	}
	store := expect.Value(records.Open(ctx, options))(t)
	defer store.Close()
	return expect.Value(store.Inquiries(ctx, records.InquiryQuery{}))(t)
}

func (s setup) waitStored(t *testing.T, what string, unfinished func(records.Inquiry) bool) {
	t.Helper()
	eventually(t, what, func() bool { return !slices.ContainsFunc(s.stored(t), unfinished) })
}

func pending(i records.Inquiry) bool { return i.State == records.Pending }

// While gate is locked, no one reads the log.
type lines struct {
	harness.Log
	gate sync.Mutex
}

func (l *lines) Write(p []byte) (int, error) {
	l.gate.Lock()
	defer l.gate.Unlock()
	return l.Log.Write(p)
}

func (l *lines) address(text string) string {
	found := regexp.MustCompile(text + `([0-9.:]+)`).FindStringSubmatch(l.String())
	if found == nil {
		return ""
	}
	return found[1]
}

type quota struct {
	memory int64 // bytes
	cpu    int   // percent of a processor; as many as there are when 0
}

// cgroup v1 has a tree of groups for each resource.
func (q quota) limits() (files []struct{ parent, name, value string }) {
	type file = struct{ parent, name, value string }
	const root = "/sys/fs/cgroup"
	memory, micros := strconv.FormatInt(q.memory, 10), strconv.Itoa(q.cpu*1000) // of each tenth of a second
	if _, err := os.Stat(root + "/cgroup.controllers"); err == nil {
		files = []file{{root, "memory.max", memory}, {root, "cpu.max", micros + " 100000"}}
	} else {
		files = []file{{root + "/memory", "memory.limit_in_bytes", memory}, {root + "/cpu", "cpu.cfs_quota_us", micros}}
	}
	if q.cpu == 0 {
		files = files[:1]
	}
	return files
}

// The command runs the program that its last arguments name in a cgroup of its own.
func ownCgroup(t *testing.T, q quota) (command []string) {
	t.Helper()
	folders, enter := map[string]string{}, ""
	for _, file := range q.limits() {
		folder := folders[file.parent]
		if folder == "" {
			var err error
			if folder, err = os.MkdirTemp(file.parent, "frontdesk-test-"); err != nil {
				return nil
			}
			t.Cleanup(func() { expect.OK(t, os.Remove(folder)) }) // after the process has ended
			folders[file.parent] = folder
			enter += fmt.Sprintf("echo $$ > '%s/cgroup.procs' && ", folder)
		}
		// The kernel has made the file.
		if err := os.WriteFile(filepath.Join(folder, file.name), []byte(file.value), 0o600); err != nil {
			return nil
		}
	}
	return []string{"sh", "-c", enter + `exec "$@"`, "sh"}
}
