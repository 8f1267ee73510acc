package app

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

// TestConnectionsOfOneClient: one client has a few connections, another one its own, and a
// trusted proxy any number.
func TestConnectionsOfOneClient(t *testing.T) {
	t.Parallel()
	const perClient = 3
	all := limitConnections(nil, 100, perClient, []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")})
	open := func(from string) (*connection, bool) {
		conn := &connection{socket: pipe{from: from}, all: all}
		return conn, !all.refuses(conn) && all.add(conn)
	}
	var first *connection
	for i := range perClient + 2 {
		conn, ok := open("127.0.0.1")
		if ok != (i < perClient) {
			t.Errorf("connection %d is served: %v", i+1, ok)
		}
		first = cmp.Or(first, conn)
		if _, ok := open("::ffff:127.0.0.9"); !ok {
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

// pipe is a connection in memory.
type pipe struct {
	net.Conn
	from string // address of the client
}

func (pipe) CloseWrite() error        { return nil }
func (pipe) SetWriteBuffer(int) error { return nil }

func (p pipe) RemoteAddr() net.Addr {
	if p.from == "" {
		return p.Conn.RemoteAddr()
	}
	return &net.TCPAddr{IP: net.ParseIP(p.from)}
}

func (p pipe) Close() error {
	if p.Conn == nil {
		return nil
	}
	return p.Conn.Close()
}

// dialer is a listener for connections in memory.
type dialer struct{ conns chan net.Conn }

func (d dialer) Accept() (net.Conn, error) { return pipe{Conn: <-d.conns}, nil }
func (d dialer) Close() error              { return nil }
func (d dialer) Addr() net.Addr            { return nil }

// stuck is an answer whose client never opens a window.
type stuck struct {
	http.ResponseWriter
	conn net.Conn
}

func (s stuck) Write([]byte) (int, error) { return s.conn.Read(make([]byte, 1)) } // until the end of the connection

// TestEviction fills all places and opens one more connection. It takes the place of the
// connection whose client has kept the service waiting the longest.
func TestEviction(t *testing.T) {
	t.Parallel()
	work := func(c *connection) { c.work() }
	keep := func(c *connection) { c.work(); c.wait(true) }
	write := func(c *connection) { keep(c); go func() { _, _ = c.Write([]byte("never read")) }() }
	read := func(c *connection) {
		c.work()
		go func() { _, _ = (&watchedBody{io.NopCloser(c), c}).Read(make([]byte, 1)) }()
	}
	two := func(c *connection) { c.work(); c.work(); c.wait(true) } // one of two requests is answered
	answer := func(c *connection) {
		c.work()
		go func() { _, _ = (&watchedAnswer{stuck{conn: c}, c}).Write(nil) }()
	}
	for _, tt := range []struct {
		name  string
		first func(*connection) // what each of the places is used for, one after the other
		then  func(*connection)
		want  string // the ones that stay
	}{
		{"work is not interrupted", work, work, "first then"},
		{"no request came", work, func(*connection) {}, "first"},
		{"the first of two without a request", func(*connection) {}, func(*connection) {}, "then"},
		{"an idle one", work, keep, "first"},
		{"idle ones are spared", keep, func(*connection) {}, "first"},
		{"an answer is not read", keep, write, "first"},
		{"a body does not come", work, read, "first"},
		{"another request of the connection", two, two, "first then"},
		{"a window of HTTP/2 does not open", work, answer, "first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				clients := dialer{make(chan net.Conn)}
				all := limitConnections(clients, 2, 1, nil)
				open := func() net.Conn {
					near, far := net.Pipe()
					clients.conns <- near
					return far
				}
				accepted := make(chan *connection, 3)
				go func() {
					for range 3 {
						conn, err := all.Accept()
						if err != nil {
							return
						}
						accepted <- conn.(*connection)
					}
				}()
				var near, far []net.Conn
				for _, use := range []func(*connection){tt.first, tt.then} {
					far = append(far, open())
					conn := <-accepted
					near = append(near, conn)
					use(conn)
					time.Sleep(time.Millisecond)
				}
				third := open()
				time.Sleep(evictAfter - 2*time.Millisecond)
				synctest.Wait()
				if len(accepted) > 0 {
					t.Errorf("a connection is evicted in less than %v", evictAfter)
				}
				time.Sleep(evictAfter)
				synctest.Wait()
				var stay []string
				for i, name := range []string{"first", "then"} {
					_ = far[i].SetReadDeadline(time.Now().Add(time.Millisecond))
					if _, err := io.ReadAll(far[i]); errors.Is(err, os.ErrDeadlineExceeded) {
						stay = append(stay, name)
					}
				}
				expect.Same(t, "open", tt.want, strings.Join(stay, " "))
				if served := len(accepted) == 1; served != (len(stay) < 2) {
					t.Errorf("the third connection is served: %v", served)
				}
				_ = near[0].Close() // where it still was there, it leaves its place
				synctest.Wait()
				if len(accepted) != 1 {
					t.Error("the third connection is not served when there is a place")
				}
				_ = all.Close()
				for _, conn := range append(append(near, far...), third) {
					_ = conn.Close()
				}
			})
		})
	}
}

// opened is a connection that has a place, and its other end.
func opened(t *testing.T) (*connection, net.Conn) {
	t.Helper()
	near, far := net.Pipe()
	all := limitConnections(nil, 1, 1, nil)
	conn := &connection{socket: pipe{Conn: near}, all: all}
	if !all.add(conn) {
		t.Fatal("there is no place")
	}
	t.Cleanup(func() { _ = conn.Close(); _ = far.Close() })
	return conn, far
}

// TestWatchWork: a connection waits for its client while a handler reads a body or, over
// HTTP/2, writes an answer. Once another has its place, no request of it is handled.
func TestWatchWork(t *testing.T) {
	t.Parallel()
	conn, _ := opened(t)
	waits := func(while string, want bool) {
		if _, isWaiting := conn.waiting(); isWaiting != want {
			t.Errorf("%s: waits for its client: %v, want %v", while, isWaiting, want)
		}
	}
	body := watched(func() { waits("reading", true) })
	request := httptest.NewRequestWithContext(withConnection(t.Context(), conn), http.MethodPost, "/", body)
	request.ProtoMajor = 2
	watchWork(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		waits("before", false)
		_, _ = io.ReadAll(r.Body)
		waits("between", false)
		_, _ = w.Write(nil)
	})).ServeHTTP(watchedRecorder{httptest.NewRecorder(), func() { waits("writing", true) }}, request)
	waits("answered", true)

	conn.all.mu.Lock()
	conn.all.remove(conn)
	conn.all.mu.Unlock()
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("a request of a connection without a place is not aborted")
		}
	}()
	watchWork(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it is handled") })).ServeHTTP(httptest.NewRecorder(), request)
}

// watched is a body that is empty, and runs when it is read.
type watched func()

func (w watched) Read([]byte) (int, error) { w(); return 0, io.EOF }

type watchedRecorder struct {
	*httptest.ResponseRecorder
	written func()
}

func (w watchedRecorder) Write(p []byte) (int, error) { w.written(); return len(p), nil }

// TestClosePortServesTheQueue closes the port while completed connections wait to be
// accepted: all of them are served, and nothing listens afterwards.
func TestClosePortServesTheQueue(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can close a port without resetting the connections in its queue")
	}
	listener := expect.Value(listen(t.Context(), "ADDR", "127.0.0.1:0"))(t)
	all := limitConnections(listener, 100, 100, nil)
	var clients []net.Conn
	for range 20 {
		conn := expect.Value(net.Dial("tcp", listener.Addr().String()))(t)
		defer conn.Close()
		clients = append(clients, conn)
	}
	if n, err := unaccepted(listener); n != len(clients) || err != nil {
		t.Fatalf("%d connections in the queue, %v; want %d", n, err, len(clients))
	}
	var group sync.WaitGroup
	group.Go(func() { acceptAll(all) })
	all.closePort()
	group.Wait()
	for n, conn := range clients {
		if got, err := io.ReadAll(conn); len(got) != 1 || err != nil {
			t.Errorf("connection %d: %d bytes, %v; want it to be served", n+1, len(got), err)
		}
	}
	if conn, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		_ = conn.Close()
		t.Error("the port is still open")
	}
}

// acceptAll sends one byte on each connection and closes it, until the port is closed.
func acceptAll(all *connections) {
	for {
		conn, err := all.Accept()
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte{1})
		_ = conn.Close()
	}
}

// TestIgnoreNewConnections: the kernel ignores connections that are asked for later,
// rather than queueing them, which would reset them when the port is closed.
func TestIgnoreNewConnections(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := listen(t.Context(), "ADDR", addr)
		if err != nil {
			t.Skipf("cannot listen on %s: %v", addr, err)
		}
		defer listener.Close()
		if err := ignoreNewConnections(listener); errors.Is(err, errors.ErrUnsupported) {
			t.Skip("only on Linux")
		} else if err != nil {
			t.Fatal(err)
		}
		conn, err := net.DialTimeout("tcp", listener.Addr().String(), 50*time.Millisecond)
		if timeout, ok := errors.AsType[net.Error](err); !ok || !timeout.Timeout() {
			t.Errorf("%s: %v, %v; want a timeout", addr, conn, err)
		}
		if n, err := unaccepted(listener); n != 0 || err != nil {
			t.Errorf("%s: %d connections in the queue, %v; want none", addr, n, err)
		}
	}
}

// TestLinger waits for the first answer of each connection and, with idle, for the end
// of all.
func TestLinger(t *testing.T) {
	t.Parallel()
	const answer, end = 100 * time.Millisecond, 300 * time.Millisecond
	for _, tt := range []struct {
		name         string
		idle, silent bool
		most         time.Duration
	}{
		{"until the first answer", false, false, answer + handshakeTime},
		{"until the end", true, false, end + handshakeTime},
		{"for a client that sends nothing", false, true, lingerTime + handshakeTime},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				conn, _ := opened(t)
				if !tt.silent {
					conn.work()
					time.AfterFunc(answer, func() { conn.wait(true) })
					time.AfterFunc(end, func() { _ = conn.Close() })
				}
				began := time.Now()
				conn.all.linger(tt.idle)
				if took := time.Since(began); took > tt.most || took < tt.most-2*handshakeTime {
					t.Errorf("took %v, want %v", took, tt.most)
				}
			})
		})
	}
}
