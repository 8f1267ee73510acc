package faults

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// wire is a network path to a server, which can be slow and can be cut.
type wire struct {
	addr  string
	delay atomic.Int64 // nanoseconds, each way

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	expect.OK(t, err)
	w := &wire{addr: listener.Addr().String(), conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		_ = listener.Close()
		w.cut()
	})
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go w.join(near, to)
		}
	}()
	return w
}

// join connects both ends, unless the wire is cut.
func (w *wire) join(near net.Conn, to string) {
	far, err := net.Dial("tcp", to)
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

func (w *wire) carry(to, from net.Conn) {
	defer w.drop(to)
	packet := make([]byte, 4096)
	for {
		n, err := from.Read(packet)
		if err != nil {
			return
		}
		<-time.After(time.Duration(w.delay.Load()))
		if _, err := to.Write(packet[:n]); err != nil {
			return
		}
	}
}

func (w *wire) drop(conn net.Conn) {
	_ = conn.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, conn)
}

// cut breaks all connections and refuses new ones.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	for conn := range w.conns {
		_ = conn.Close()
	}
}

func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}

// flap cuts and mends the wire at intervals until stop is closed, and leaves it mended.
func (w *wire) flap(every time.Duration, stop <-chan struct{}) {
	beat := time.NewTicker(every)
	defer beat.Stop()
	for down := true; ; down = !down {
		select {
		case <-stop:
			w.mend()
			return
		case <-beat.C:
		}
		if down {
			w.cut()
		} else {
			w.mend()
		}
	}
}
