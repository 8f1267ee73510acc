package quota

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/programs"
)

// line is a network path to a server, on which every packet takes a time.
type line struct {
	url   string
	delay atomic.Int64 // nanoseconds, each way
}

func startLine(t testing.TB, server *programs.Server) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	l := &line{url: "redis://" + listener.Addr().String()}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server.Addr)
			if err != nil {
				_ = near.Close()
				continue
			}
			go l.carry(near, far)
			go l.carry(far, near)
		}
	}()
	return l
}

func (l *line) carry(to, from net.Conn) {
	defer to.Close()
	packet := make([]byte, 4096)
	for {
		n, err := from.Read(packet)
		if err != nil {
			return
		}
		<-time.After(time.Duration(l.delay.Load()))
		if _, err := to.Write(packet[:n]); err != nil {
			return
		}
	}
}
