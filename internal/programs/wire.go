package programs

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// Wire is a network path to a server, which can be slow and can be cut.
type Wire struct {
	Addr     string
	Delay    atomic.Int64 // of each packet, in nanoseconds
	Accepted atomic.Int64 // connections

	to    string
	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
}

// NewWire makes a path to an address, which ends with the test.
func NewWire(t testing.TB, to string) *Wire {
	t.Helper()
	listener := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	w := &Wire{Addr: listener.Addr().String(), to: to, conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		_ = listener.Close()
		w.Cut()
	})
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			w.Accepted.Add(1)
			go w.join(near)
		}
	}()
	return w
}

// join connects both ends, unless the wire is cut.
func (w *Wire) join(near net.Conn) {
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = near.Close()
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		_, _ = near.Close(), far.Close()
		return
	}
	w.conns[near], w.conns[far] = true, true
	go w.carry(near, far)
	go w.carry(far, near)
}

func (w *Wire) carry(to, from net.Conn) {
	defer w.drop(to)
	packet := make([]byte, 4096)
	for {
		n, err := from.Read(packet)
		if err != nil {
			return
		}
		<-time.After(time.Duration(w.Delay.Load()))
		if _, err := to.Write(packet[:n]); err != nil {
			return
		}
	}
}

func (w *Wire) drop(conn net.Conn) {
	_ = conn.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, conn)
}

// Cut breaks all connections and refuses new ones.
func (w *Wire) Cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	for conn := range w.conns {
		_ = conn.Close()
	}
}
