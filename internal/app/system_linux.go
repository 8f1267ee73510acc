package app

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// ignoreNewConnections makes the kernel ignore segments that ask for a new connection,
// while handshakes that have begun are completed. The caller's kernel repeats its
// segment after a second.
func ignoreNewConnections(listener net.Listener) error {
	const (
		flags   = 13   // the offset of the flags in a TCP header (RFC 9293, 3.1)
		syn     = 0x02 // asks for a connection when ack is not set
		ack     = 0x10
		discard = 0 // bytes of the segment that are kept
		keep    = 0xffff
	)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: syn | ack},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: syn, Jt: 0, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: discard},
		{Code: unix.BPF_RET | unix.BPF_K, K: keep},
	}
	return onSocket(listener, func(fd int) error {
		return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]})
	})
}

// unaccepted is how many connections the kernel holds for a listener.
func unaccepted(listener net.Listener) (n int, err error) {
	err = onSocket(listener, func(fd int) error {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err == nil {
			n = int(info.Unacked) // of a listener, the length of its queue
		}
		return err
	})
	return n, err
}

func onSocket(listener net.Listener, do func(fd int) error) error {
	raw, err := listener.(*net.TCPListener).SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = do(int(fd)) })
	return errors.Join(err, failed)
}
