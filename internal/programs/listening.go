package programs

import (
	"os/exec"
	"testing"
)

// FreeAddr is a loopback address, with its port, that nothing listens on.
func FreeAddr(t testing.TB) (addr, port string) {
	t.Helper()
	return freeAddr(t)
}

// Listening starts a program that listens on an address, and returns when ready
// does not fail. command makes the command of each start.
func Listening(t testing.TB, addr string, command func() *exec.Cmd, ready func() error) *Server {
	t.Helper()
	server := &Server{Addr: addr, t: t, output: &safeBuffer{}, command: command, ready: ready}
	t.Cleanup(server.Kill)
	server.Start()
	return server
}
