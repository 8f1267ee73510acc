//go:build unix

package programs

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Freeze makes the server hang: connections stay open, and nothing is answered.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw lets a frozen server go on.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

// goOn thaws the server if it is frozen; it may have ended by itself.
func (s *Server) goOn() { _ = s.reach(syscall.SIGCONT) }

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
