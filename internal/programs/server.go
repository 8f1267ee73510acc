package programs

import (
	"bytes"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// startTimeout is how long a server may take until it accepts connections.
const startTimeout = 2 * time.Minute

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
	s.goOn() // a frozen one would not get the signal
	_ = s.process.Process.Signal(signal)
	_ = s.process.Wait()
	s.process = nil
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
