package programs

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// startTimeout is how long a server may take until it accepts connections.
const startTimeout = 30 * time.Second

// Server is a real server on a free loopback port, with an empty folder of its own.
// It is stopped when the test ends.
type Server struct {
	Addr string // host:port; stays the same over stops and starts
	URL  string // with all that a client needs to log in

	t       testing.TB
	command func() *exec.Cmd
	ready   func() error
	process *exec.Cmd
	output  *safeBuffer
}

// Start starts a server that was stopped, and returns when it answers.
func (s *Server) Start() {
	s.t.Helper()
	s.process = s.command()
	s.process.Stdout, s.process.Stderr = s.output, s.output
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	var err error
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); {
		if err = s.ready(); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond) // another program's start has no event to wait for
	}
	s.t.Fatalf("%s does not answer: %v\n%s", s.process.Path, err, s.output)
}

// Stop ends the server as its operator would, and waits for its end.
func (s *Server) Stop() { s.end(syscall.SIGINT) }

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() { s.end(syscall.SIGKILL) }

func (s *Server) end(signal os.Signal) {
	if s.process == nil {
		return
	}
	_ = s.reach(syscall.SIGCONT) // frozen ones would not hear it
	_ = s.process.Process.Signal(signal)
	_ = s.process.Wait()
	s.process = nil
}

// Freeze makes the server hang: connections stay open, and nothing is answered.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw lets a frozen server go on.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(signal syscall.Signal) {
	s.t.Helper()
	if err := s.reach(signal); err != nil {
		s.t.Fatal(err)
	}
}

// reach signals the server and the processes of its connections: PostgreSQL has one
// for each, which would go on without it. They are found as Linux lists them.
func (s *Server) reach(signal syscall.Signal) error {
	pid := s.process.Process.Pid
	err := s.process.Process.Signal(signal)
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for child := range strings.FieldsSeq(string(children)) {
		if n, err := strconv.Atoi(child); err == nil {
			_ = syscall.Kill(n, signal) // it may have ended since
		}
	}
	return err
}

// freeAddr is a loopback address that nothing listens on.
func freeAddr(t testing.TB) (addr, port string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String(), strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// safeBuffer holds what a program prints.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
