package app

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// echoes accepts connections and sends one byte on each.
func echoes(t *testing.T, perClient int, exempt ...netip.Prefix) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limited := limitConnections(listener, 10, perClient, exempt)
	t.Cleanup(func() { _ = limited.Close() })
	go func() {
		for {
			conn, err := limited.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = conn.Write([]byte{1})
				_, _ = io.Copy(io.Discard, conn) // until the client closes it
				_ = conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

// served dials from an address and reports whether the service keeps the connection.
func served(t *testing.T, from, addr string) (net.Conn, bool) {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	n, _ := conn.Read(make([]byte, 1))
	return conn, n == 1
}

func TestConnectionsOfOneClient(t *testing.T) {
	t.Parallel()
	const perClient = 3
	addr := echoes(t, perClient)
	var first net.Conn
	for i := range perClient + 2 {
		conn, ok := served(t, "127.0.0.1", addr)
		if ok != (i < perClient) {
			t.Errorf("connection %d is served: %v", i+1, ok)
		}
		if first == nil {
			first = conn
		}
	}
	if _, ok := served(t, "127.0.0.2", addr); !ok {
		t.Error("another client is not served")
	}
	_ = first.Close()
	for deadline := time.Now().Add(10 * time.Second); ; { // until the service has noticed
		if _, ok := served(t, "127.0.0.1", addr); ok {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the client is not served after it closed a connection")
		}
	}
}

func TestProxiesOpenAnyNumber(t *testing.T) {
	t.Parallel()
	addr := echoes(t, 1, netip.MustParsePrefix("127.0.0.0/8"))
	for range 5 {
		if _, ok := served(t, "127.0.0.1", addr); !ok {
			t.Error("a connection of a trusted proxy is closed")
		}
	}
}

// TestConnectionsOfAll lets a connection wait until another one ends.
func TestConnectionsOfAll(t *testing.T) {
	t.Parallel()
	addr := echoes(t, 100)
	var open []net.Conn
	for range 10 {
		conn, ok := served(t, "127.0.0.1", addr)
		if !ok {
			t.Fatal("a connection within the limit is not served")
		}
		open = append(open, conn)
	}
	waiting, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	_ = waiting.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := waiting.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a connection past the limit: %d bytes, %v; want it to wait", n, err)
	}
	_ = open[0].Close()
	_ = waiting.SetReadDeadline(time.Now().Add(10 * time.Second))
	if n, err := waiting.Read(make([]byte, 1)); n != 1 {
		t.Errorf("after another one has ended: %v", err)
	}
}

// TestStopEndsWrites stops while a client reads nothing.
func TestStopEndsWrites(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		all := limitConnections(nil, 1, 1, nil)
		all.slots <- struct{}{} // as Accept does
		conn := all.add(near)
		defer conn.Close()
		failed := make(chan error)
		go func() {
			_, err := conn.Write([]byte("never read"))
			failed <- err
			_, err = conn.Write([]byte("after the stop"))
			failed <- err
		}()
		synctest.Wait()
		began := time.Now()
		all.stop()
		for n := range 2 {
			if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("write %d: %v", n+1, err)
			}
			if took, want := time.Since(began), time.Duration(n+1)*stopWriteTimeout; took != want {
				t.Errorf("write %d ended after %v, want %v", n+1, took, want)
			}
		}
	})
}
