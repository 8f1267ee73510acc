package server

import (
	"net"
	"syscall"
	"testing"

	"frontdesk/internal/expect"
)

// The kernel keeps little for a client that does not read its answers.
func TestWriteBuffer(t *testing.T) {
	t.Parallel()
	listener := expect.Value(Listen(t.Context(), "ADDR", "127.0.0.1:0"))(t)
	all := limitConnections(listener, 1, 1, nil)
	defer all.Close()
	client := expect.Value(net.Dial("tcp", listener.Addr().String()))(t)
	defer client.Close()
	socket := expect.Value(expect.Value(all.Accept())(t).(*connection).SyscallConn())(t)
	expect.OK(t, socket.Control(func(fd uintptr) {
		size := expect.Value(syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_SNDBUF))(t)
		expect.Same(t, "bytes, of which half are for its own use", 128<<10, size)
	}))
}
