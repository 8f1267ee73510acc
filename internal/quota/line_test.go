package quota

import (
	"crypto/tls"
	"net"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

// line is a network path to a server. It delays every packet.
type line struct {
	url      string
	delay    atomic.Int64 // nanoseconds, each way
	accepted atomic.Int64 // connections
}

func startLine(t testing.TB, server *programs.Server) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	expect.OK(t, err)
	l := &line{url: "redis://" + listener.Addr().String()}
	l.listen(t, listener, server)
	return l
}

// startTLSLine is a path with TLS, whose certificate no known authority signed.
func startTLSLine(t testing.TB, server *programs.Server) *line {
	t.Helper()
	web := httptest.NewTLSServer(nil) // which has a certificate
	t.Cleanup(web.Close)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: web.TLS.Certificates})
	expect.OK(t, err)
	l := &line{url: "rediss://" + listener.Addr().String()}
	l.listen(t, listener, server)
	return l
}

func (l *line) listen(t testing.TB, listener net.Listener, server *programs.Server) {
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			l.accepted.Add(1)
			far, err := net.Dial("tcp", server.Addr)
			if err != nil {
				_ = near.Close()
				continue
			}
			go l.carry(near, far)
			go l.carry(far, near)
		}
	}()
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
