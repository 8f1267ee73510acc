package programs

import (
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
)

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
	server := &Server{Addr: addr, t: t, output: &safeBuffer{}, command: command, ready: ready}
	t.Cleanup(server.Kill)
	server.Start()
	return server
}
