package server

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"frontdesk/internal/limits"
)

const evictAfter = 500 * time.Millisecond // enough for a request to follow its connection on a slow network

// writeBuffer is how many bytes the kernel keeps for a client that does not read. Its default would be megabytes.
const writeBuffer = 64 << 10

// connections is a listener that bounds the open connections of the service and of each client. A further connection of
// a client is closed at once; trusted proxies are exempt, because they connect for many clients. At the total, a new
// connection replaces the one that has kept the service waiting longest, if it has done so for at least evictAfter. A
// connection keeps the service waiting until it sends a request or the rest of a body, or reads its answer.
type connections struct {
	net.Listener
	total, perClient int
	exempt           []netip.Prefix
	mu               sync.Mutex // guards the following, and the state of each connection
	open             map[*connection]bool
	ofClient         map[limits.Client]int
}

func limitConnections(listener net.Listener, total, perClient int, exempt []netip.Prefix) *connections {
	return &connections{Listener: listener, total: total, perClient: perClient, exempt: exempt,
		open: map[*connection]bool{}, ofClient: map[limits.Client]int{}}
}

func (c *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn := &connection{TCPConn: accepted.(*net.TCPConn), all: c}
		for !c.refuses(conn) {
			if c.add(conn) {
				_ = conn.SetWriteBuffer(writeBuffer)
				return conn, nil
			}
			time.Sleep(evictAfter / 50)
		}
		_ = accepted.Close()
	}
}

// refuses reports whether the client of conn has too many connections.
func (c *connections) refuses(conn *connection) bool {
	addr := conn.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap()
	conn.client = limits.ClientOf(addr)
	isExempt := slices.ContainsFunc(c.exempt, func(p netip.Prefix) bool { return p.Contains(addr) })
	c.mu.Lock()
	defer c.mu.Unlock()
	return !isExempt && c.ofClient[conn.client] >= c.perClient
}

// add reports whether conn got a place: a free one, or that of a connection which it closes.
func (c *connections) add(conn *connection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= c.total {
		var slowest *connection
		for open := range c.open {
			if open.busy <= 0 && (slowest == nil || open.since.Before(slowest.since)) {
				slowest = open
			}
		}
		if slowest == nil || time.Since(slowest.since) < evictAfter {
			return false
		}
		_ = slowest.free()
	}
	conn.since = time.Now()
	c.open[conn] = true
	c.ofClient[conn.client]++
	return true
}

// connection is an open connection. HTTP/2 has several requests on one.
type connection struct {
	*net.TCPConn
	all    *connections
	client limits.Client
	busy   int       // requests in progress, minus transfers that wait for the client
	since  time.Time // when busy became 0: the service waits for the client
}

func (c *connection) Close() error {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	return c.free()
}

// free closes c. Its place is free once. The caller holds c.all.mu.
func (c *connection) free() error {
	if c.all.open[c] {
		delete(c.all.open, c)
		if c.all.ofClient[c.client]--; c.all.ofClient[c.client] == 0 {
			delete(c.all.ofClient, c.client)
		}
	}
	return c.TCPConn.Close()
}

// work adds n to the requests that the service works on. It returns false if c was evicted.
func (c *connection) work(n int) bool {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.busy += n; c.busy == 0 {
		c.since = time.Now()
	}
	return c.all.open[c]
}

// wait calls transfer with p. Meanwhile the service waits for the client, so the request does not count as work.
func (c *connection) wait(transfer func(p []byte) (int, error), p []byte) (int, error) {
	c.work(-1)
	defer c.work(1)
	return transfer(p)
}

func (c *connection) Write(p []byte) (int, error) { return c.wait(c.TCPConn.Write, p) }

type connectionKey struct{} // of the context of a request

func withConnection(ctx context.Context, conn net.Conn) context.Context {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// watchWork notes when the service works on the requests of a connection. Other requests pass, such as the watchdog's.
func watchWork(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(connectionKey{}).(*connection); ok {
			defer conn.work(-1)
			if !conn.work(1) {
				panic(http.ErrAbortHandler) // the client could not receive the answer
			}
			watched := watched{w, r.Body, conn}
			if r.Body != http.NoBody {
				// net/http looks at the body of its own request, so that a refusal does not wait for a client that
				// waits for 100 Continue.
				r = r.WithContext(r.Context())
				r.Body = watched
			}
			if r.ProtoMajor == 2 { // a write waits for the window of its stream, not in connection.Write
				w = watched
			}
		}
		next.ServeHTTP(w, r)
	})
}

// watched is an answer and the body of its request.
type watched struct {
	http.ResponseWriter
	io.ReadCloser
	conn *connection
}

func (w watched) Read(p []byte) (int, error)  { return w.conn.wait(w.ReadCloser.Read, p) }
func (w watched) Write(p []byte) (int, error) { return w.conn.wait(w.ResponseWriter.Write, p) }
func (w watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }
