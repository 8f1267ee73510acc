package server

import (
	"cmp"
	"fmt"
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

// A trusted proxy has any number.
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
	open := func(from string) net.Conn {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		conn := expect.Value(dialer.Dial("tcp", listener.Addr().String()))(t)
		t.Cleanup(func() { _ = conn.Close() })
		if n, _ := conn.Read(make([]byte, 1)); n == 0 {
			return nil
		}
		return <-accepted
	}
	var first net.Conn
	for i := range perClient + 2 {
		conn := open("127.0.0.1")
		expect.Same(t, fmt.Sprint("connection ", i, " is served"), i < perClient, conn != nil)
		first = cmp.Or(first, conn)
		expect.Same(t, "a trusted proxy is served", true, open("127.0.0.9") != nil)
	}
	expect.Same(t, "another client is served", true, open("127.0.0.2") != nil)
	for range 2 { // the second changes nothing
		_ = first.Close()
	}
	for _, want := range []bool{true, false} {
		expect.Same(t, "served after another was closed", want, open("127.0.0.1") != nil)
	}
}

// opened has no socket.
func opened(t *testing.T, all *connections) *connection {
	t.Helper()
	conn := &connection{TCPConn: new(net.TCPConn), all: all}
	if !all.add(conn) {
		t.Fatal("there is no place")
	}
	return conn
}

// A third takes the place of the one that has kept the service waiting longest.
func TestEviction(t *testing.T) {
	t.Parallel()
	request := func(c *connection) { c.work(1) }
	idle := func(c *connection) { c.work(1); c.work(-1) }
	nothing := func(*connection) {}
	two := func(c *connection) { c.work(1); c.work(1); c.work(-1) } // one of two requests is answered
	for _, tt := range []struct {
		name          string
		first, second func(*connection) // what each of the places is used for, a moment after the other
		evicted       int               // 0 for none
	}{
		{"work is not interrupted", request, request, 0},
		{"no request came", request, nothing, 2},
		{"the first of two without a request", nothing, nothing, 1},
		{"an idle one", request, idle, 2},
		{"the one that waits longer", idle, nothing, 1},
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
			expect.Same(t, tt.name+": the third is served at once", false, all.add(third))
			time.Sleep(evictAfter)
			served := all.add(third)
			expect.Same(t, tt.name+": the third is served, the first and the second stay",
				[]any{tt.evicted > 0, tt.evicted != 1, tt.evicted != 2}, []any{served, all.open[first], all.open[second]})
		})
	}
}

// A connection waits for its client while a handler reads a body or, over HTTP/2, writes, and while it is written to.
// Once another has its place, it handles no request.
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
	handle := func(http.ResponseWriter, *http.Request) { t.Error("it is handled") }
	watchWork(http.HandlerFunc(handle)).ServeHTTP(httptest.NewRecorder(), request)
}

// A refusal does not wait for the body, for which it would wait forever: the server has no timeouts.
func TestRefusalBeforeContinue(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(watchWork(http.NotFoundHandler()))
	server.Listener = limitConnections(server.Listener, 1, 1, nil)
	server.Config.ConnContext = withConnection
	server.Start()
	defer server.Close()
	conn := expect.Value(net.Dial("tcp", server.Listener.Addr().String()))(t)
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\nHost: x\nContent-Length: 9\nExpect: 100-continue\n\n")
	_, err := conn.Read(make([]byte, 1))
	expect.OK(t, err)
}

type watchedFunc func()

func (w watchedFunc) Read([]byte) (int, error) { w(); return 0, io.EOF }

type watchedRecorder struct {
	*httptest.ResponseRecorder
	written func()
}

func (w watchedRecorder) Write(p []byte) (int, error) { w.written(); return len(p), nil }
