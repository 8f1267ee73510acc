package programs

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
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
	output  bytes.Buffer // of the process, over all starts
}

// Start starts a server that was stopped, and returns when it answers.
func (s *Server) Start() {
	s.t.Helper()
	s.process = s.command()
	s.process.Stdout, s.process.Stderr = &s.output, &s.output
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
	path := s.process.Path
	s.Kill() // it prints nothing more
	s.t.Fatalf("%s does not answer: %v\n%s", path, err, &s.output)
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

// The ports that FreeAddr gives out lie below those that the system gives to connections and to listeners on port 0
// (from 32768 on Linux), so that none of these takes one before the program listens. Each test process has a block.
const (
	firstPort  = 20000
	portBlocks = 127
	blockPorts = 100
)

var portsGiven atomic.Int32

// FreeAddr is a loopback address, with its port, that nothing listens on.
func FreeAddr(t testing.TB) (addr, port string) {
	t.Helper()
	for range blockPorts {
		at := int(portsGiven.Add(1)) % blockPorts
		port = strconv.Itoa(firstPort + os.Getpid()%portBlocks*blockPorts + at)
		addr = net.JoinHostPort("127.0.0.1", port)
		if listener, err := net.Listen("tcp", addr); err == nil {
			listener.Close()
			return addr, port
		}
	}
	t.Fatalf("no port is free from %d on", firstPort)
	return "", ""
}

// Listening starts a program that listens on an address, and returns when ready
// does not fail. command makes the command of each start.
func Listening(t testing.TB, addr string, command func() *exec.Cmd, ready func() error) *Server {
	t.Helper()
	server := &Server{Addr: addr, t: t, command: command, ready: ready}
	t.Cleanup(server.Kill)
	server.Start()
	return server
}

// Shared is a server that all tests of a binary use, each with a database of its
// own in it. The first test that needs it starts it; TestMain closes it.
type Shared struct {
	once     sync.Once
	server   *Server
	cleanups []func()
}

// Get returns the server, which start starts the first time. If that skips the test or
// fails it, every later Get does the same.
func (s *Shared) Get(t testing.TB, start func(testing.TB) *Server) *Server {
	t.Helper()
	s.once.Do(func() { s.server = start(lasting{t, s}) })
	if s.server == nil {
		start(t)
	}
	return s.server
}

// Close ends the server, if there is one.
func (s *Shared) Close() {
	for _, cleanup := range slices.Backward(s.cleanups) {
		cleanup()
	}
}

// lasting is a test that outlives its own end.
type lasting struct {
	testing.TB
	shared *Shared
}

// Cleanup waits for Close.
func (l lasting) Cleanup(f func()) { l.shared.cleanups = append(l.shared.cleanups, f) }
