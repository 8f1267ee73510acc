package server

import (
	"cmp"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

// One client has a few connections, another one its own, and a
// trusted proxy any number.
func TestConnectionsOfOneClient(t *testing.T) {
	t.Parallel()
	const perClient = 3
	listener := expect.Value(Listen(t.Context(), "ADDR", "127.0.0.1:0"))(t)
	all := limitConnections(listener, 100, perClient, []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")})
	defer all.Close()
	accepted := make(chan net.Conn, 100)
	go func() {
		for conn, err := all.Accept(); err == nil; conn, err = all.Accept() {
			_, _ = conn.Write([]byte{1})
			accepted <- conn
		}
	}()
	// open reports whether a connection from an address is served.
	open := func(from string) (net.Conn, bool) {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		conn := expect.Value(dialer.Dial("tcp", listener.Addr().String()))(t)
		t.Cleanup(func() { _ = conn.Close() })
		if n, _ := conn.Read(make([]byte, 1)); n == 0 {
			return nil, false
		}
		return <-accepted, true
	}
	var first net.Conn
	for i := range perClient + 2 {
		conn, ok := open("127.0.0.1")
		if ok != (i < perClient) {
			t.Errorf("connection %d is served: %v", i+1, ok)
		}
		first = cmp.Or(first, conn)
		if _, ok := open("127.0.0.9"); !ok {
			t.Error("a connection of a trusted proxy is closed")
		}
	}
	if _, ok := open("127.0.0.2"); !ok {
		t.Error("another client is not served")
	}
	for range 2 { // the second changes nothing
		_ = first.Close()
	}
	for i, want := range []bool{true, false} {
		if _, ok := open("127.0.0.1"); ok != want {
			t.Errorf("connection %d after one was closed is served: %v", i+1, ok)
		}
	}
}

// opened is a connection that has a place, but no socket.
func opened(t *testing.T, all *connections) *connection {
	t.Helper()
	conn := &connection{TCPConn: new(net.TCPConn), all: all}
	if !all.add(conn) {
		t.Fatal("there is no place")
	}
	return conn
}

// TestEviction fills both places and opens a third connection. It takes the place of the
// one that has kept the service waiting longest.
func TestEviction(t *testing.T) {
	t.Parallel()
	request := func(c *connection) { c.work(1) }
	idle := func(c *connection) { c.work(1); c.work(-1) }
	two := func(c *connection) { c.work(1); c.work(1); c.work(-1) } // one of two requests is answered
	for _, tt := range []struct {
		name          string
		first, second func(*connection) // what each of the places is used for, a moment after the other
		evicted       int               // 0 for none
	}{
		{"work is not interrupted", request, request, 0},
		{"no request came", request, func(*connection) {}, 2},
		{"the first of two without a request", func(*connection) {}, func(*connection) {}, 1},
		{"an idle one", request, idle, 2},
		{"the one that waits longer", idle, func(*connection) {}, 1},
		{"another request of the connection", two, two, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			all := limitConnections(nil, 2, 1, nil)
			first := opened(t, all)
			tt.first(first)
			time.Sleep(time.Millisecond)
			second := opened(t, all)
			tt.second(second)
			third := &connection{TCPConn: new(net.TCPConn), all: all}
			time.Sleep(evictAfter - 2*time.Millisecond)
			if all.add(third) {
				t.Errorf("%s: a connection is evicted in less than %v", tt.name, evictAfter)
			}
			time.Sleep(evictAfter)
			expect.Same(t, tt.name+": the third is served", tt.evicted > 0, all.add(third))
			expect.Same(t, tt.name+": the first stays", tt.evicted != 1, all.open[first])
			expect.Same(t, tt.name+": the second stays", tt.evicted != 2, all.open[second])
		})
	}
}

// A connection waits for its client while a handler reads a body or, over
// HTTP/2, writes an answer, and while it is written to. Once another has its place, no request of it is handled.
func TestWatchWork(t *testing.T) {
	t.Parallel()
	conn := opened(t, limitConnections(nil, 1, 1, nil))
	waits := func(while string, want bool) {
		expect.Same(t, while+": waits for its client", want, conn.busy <= 0)
	}
	body := watchedFunc(func() { waits("reading", true) })
	request := httptest.NewRequestWithContext(withConnection(t.Context(), conn), "POST", "/", body)
	request.ProtoMajor = 2
	watchWork(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		waits("before", false)
		_, _ = io.ReadAll(r.Body)
		waits("between", false)
		_, _ = w.Write(nil)
		_, _ = conn.wait(func([]byte) (int, error) { waits("on the socket", true); return 0, nil }, nil)
		waits("after", false)
	})).ServeHTTP(watchedRecorder{httptest.NewRecorder(), func() { waits("writing", true) }}, request)
	waits("answered", true)

	_ = conn.Close()
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("a request of a connection without a place is not aborted")
		}
	}()
	watchWork(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it is handled") })).ServeHTTP(httptest.NewRecorder(), request)
}

type watchedFunc func()

func (w watchedFunc) Read([]byte) (int, error) { w(); return 0, io.EOF }

type watchedRecorder struct {
	*httptest.ResponseRecorder
	written func()
}

func (w watchedRecorder) Write(p []byte) (int, error) { w.written(); return len(p), nil }
