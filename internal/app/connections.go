package app

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"frontdesk/internal/limits"
)

const (
	// socketBuffer bounds the memory, in bytes, that the kernel uses for what a client
	// does not read; by default that may be megabytes for each connection.
	socketBuffer = 64 << 10
	// stopWriteTimeout is how long a write may take while the service stops. Clients
	// that read nothing would otherwise hold the stop for as long as writeTimeout.
	stopWriteTimeout = 5 * time.Second
	// evictAfter is how long a connection that waits for its client is safe from
	// eviction: long enough for a request to follow its connection on a slow network.
	evictAfter = 500 * time.Millisecond
	// handshakeTime is how long a handshake that has begun may take when the port is
	// closed, and queueTimeout how long the queue of completed ones is emptied.
	handshakeTime = 5 * time.Millisecond
	queueTimeout  = time.Second
	// lingerTime is how long connections without a request are kept once the port is
	// closed.
	lingerTime = time.Second
)

// connections is a listener that bounds the open connections of the whole service and
// of one client. Further connections of one client are closed at once, so that it cannot
// use up the others' share. Trusted proxies may open any number, because they connect
// for many clients. When all connections are in use, a new one takes the place of the
// one whose client has kept the service waiting the longest; if there is none, it waits.
// So clients that hold connections, from however many addresses, do not lock others out.
//
// Without each piece, this would break:
//   - slots: a flood of connections uses up file descriptors and memory.
//   - perClient, open, of: one address takes the places of all others.
//   - exempt: a proxy's clients share the places of one client.
//   - socketBuffer: a client that reads nothing takes megabytes of the kernel's memory.
//   - waiting, evict: clients that send or read nothing lock others out until they time
//     out (5 to 60 seconds), also from many addresses. watchedBody and watchedAnswer are
//     for bodies that do not come, and for HTTP/2, where one request waits by itself.
//   - evicted: a request that comes in the moment of an eviction is carried out, a mail
//     sent, and its answer is lost.
//   - idle: such a flood closes the connections that browsers and proxies keep, and a
//     request on one of them is lost.
//   - stopping: a client that reads nothing holds a stop for 20 seconds, and then fails it.
//   - closePort and the kernel's filter: a connection that was made just before a stop is
//     reset; behind nginx, which repeats no POST, a rolling restart loses requests.
//   - linger: a request that arrives just as the service stops gets no answer.
//   - CloseWrite, which netutil.LimitListener hides: for a client that is still sending,
//     the refusal of its request ends with a reset.
type connections struct {
	net.Listener
	slots     chan struct{} // holds one for each open connection
	closed    chan struct{}
	close     func() error // once: http.Server.Shutdown would report the error of a second one
	perClient int
	exempt    []netip.Prefix
	stopping  atomic.Bool
	start     time.Time

	mu   sync.Mutex
	open map[*connection]limits.Client
	of   map[limits.Client]int
}

func limitConnections(listener net.Listener, total, perClient int, exempt []netip.Prefix) *connections {
	closed := make(chan struct{})
	return &connections{
		Listener: listener,
		slots:    make(chan struct{}, total),
		closed:   closed,
		close: sync.OnceValue(func() error {
			close(closed)
			return listener.Close()
		}),
		perClient: perClient,
		exempt:    exempt,
		start:     time.Now(),
		open:      map[*connection]limits.Client{},
		of:        map[limits.Client]int{},
	}
}

// Accept implements net.Listener.
func (c *connections) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client, limited := c.client(conn)
		if limited && c.count(client) >= c.perClient {
			_ = conn.Close() // the client has too many
			continue
		}
		if !c.acquire() {
			_ = conn.Close()
			return nil, net.ErrClosed
		}
		return c.add(conn, client), nil
	}
}

// acquire takes a slot. It returns false when the listener is closed.
func (c *connections) acquire() bool {
	select {
	case c.slots <- struct{}{}:
		return true
	default:
	}
	look := time.NewTicker(evictAfter / 10)
	defer look.Stop()
	for {
		c.evict()
		select {
		case c.slots <- struct{}{}:
			return true
		case <-look.C:
		case <-c.closed:
			return false
		}
	}
}

// evict closes the connection that has waited for its client the longest, if that is
// longer than evictAfter. Those that wait for another request, as browsers and proxies
// keep them, are spared while there are others.
func (c *connections) evict() {
	if victim, since := c.slowest(); victim != nil && victim.evict(since) {
		_ = victim.Close()
	}
}

func (c *connections) slowest() (slowest *connection, since int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit, spared := c.now()-int64(evictAfter), false
	for conn := range c.open {
		waiting, idle := conn.state()
		if waiting == working || waiting > limit {
			continue
		}
		if slowest == nil || spared && !idle || spared == idle && waiting < since {
			slowest, since, spared = conn, waiting, idle
		}
	}
	return slowest, since
}

// now is the time in nanoseconds since the start, at least 1.
func (c *connections) now() int64 { return int64(time.Since(c.start)) + 1 }

// Close implements net.Listener.
func (c *connections) Close() error { return c.close() }

// closePort refuses further connections. Those that the kernel has accepted are served:
// it would reset them if they were still in the queue of the listener that is closed.
func (c *connections) closePort() {
	if ignoreNewConnections(c.Listener) == nil {
		for ends := time.Now().Add(queueTimeout); time.Now().Before(ends); {
			time.Sleep(handshakeTime)
			if n, err := unaccepted(c.Listener); n == 0 || err != nil {
				break
			}
		}
	}
	_ = c.Close() // nothing can be done about an error
}

// linger waits until every connection has had an answer, at most lingerTime: a request
// may be on its way on a connection that was accepted last. With idle it waits until all
// connections are closed, because a proxy may be about to use one that is idle.
//
// http.Server.Shutdown waits for neither. It closes idle connections at once, and
// connections whose request it reads after it was called, without an answer.
func (c *connections) linger(idle bool) {
	for ends := time.Now().Add(lingerTime); time.Now().Before(ends); time.Sleep(handshakeTime) {
		if c.done(idle) {
			return
		}
	}
}

func (c *connections) done(idle bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		if _, resting := conn.state(); idle || !resting {
			return false
		}
	}
	return true
}

func (c *connections) count(client limits.Client) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[client]
}

// add counts a connection, for which a slot is taken.
func (c *connections) add(conn net.Conn, client limits.Client) *connection {
	if buffered, ok := conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = buffered.SetWriteBuffer(socketBuffer) // a connection with a larger buffer works too
	}
	counted := &connection{Conn: conn, all: c, since: c.now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[counted] = client
	c.of[client]++
	return counted
}

// client is the client at the other end, and whether its connections are limited.
func (c *connections) client(conn net.Conn) (client limits.Client, limited bool) {
	peer, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil { // no TCP
		return limits.Client{}, false
	}
	addr := peer.Addr().Unmap()
	return limits.ClientOf(addr), !slices.ContainsFunc(c.exempt, func(p netip.Prefix) bool { return p.Contains(addr) })
}

func (c *connections) remove(conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	client, open := c.open[conn]
	if !open { // closed twice
		return
	}
	<-c.slots
	delete(c.open, conn)
	if c.of[client]--; c.of[client] == 0 {
		delete(c.of, client)
	}
}

// stop gives every write, also those under way, no more than stopWriteTimeout. A later
// write begins with a time of its own.
func (c *connections) stop() {
	c.stopping.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		conn.hurry()
	}
}

// connection is an open connection. HTTP/2 has several requests on one.
type connection struct {
	net.Conn
	all *connections

	mu      sync.Mutex
	busy    int   // requests that the service works on, without those that wait for their client
	since   int64 // when the service began to wait for the client
	writing int64 // since when a write waits for the client; 0 without one
	rests   bool  // a request was answered and read, and the next has not begun
	evicted bool  // another connection has its place
}

// working is the state of a connection that does not wait for its client.
const working = 0

// state is since when the connection waits for its client, or working, and whether it only waits for another request.
func (c *connection) state() (waiting int64, idle bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting(), c.rests && c.writing == 0
}

func (c *connection) waiting() int64 {
	switch {
	case c.evicted:
		return working
	case c.writing != 0:
		return c.writing
	case c.busy > 0:
		return working
	}
	return c.since
}

// evict gives the place to another connection, if this one still waits since then.
func (c *connection) evict(since int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.evicted = c.evicted || c.waiting() == since
	return c.evicted
}

// work notes that the service works on a request. It returns false if the connection
// was evicted.
func (c *connection) work() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy++
	c.rests = false
	return !c.evicted
}

// wait notes that a request waits for its client, or was answered.
func (c *connection) wait(answered bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 {
		c.since, c.rests = c.all.now(), answered
	}
}

// Write implements net.Conn.
func (c *connection) Write(p []byte) (int, error) {
	c.setWriting(c.all.now())
	defer c.setWriting(0)
	if c.all.stopping.Load() { // a write that began just before is stop's
		c.hurry()
	}
	return c.Conn.Write(p)
}

func (c *connection) setWriting(since int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = since
}

func (c *connection) hurry() { _ = c.SetWriteDeadline(time.Now().Add(stopWriteTimeout)) }

// CloseWrite implements net/http's closeWriter.
func (c *connection) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.all.remove(c)
	return c.Conn.Close()
}

// connectionKey is the key of a request's connection in its context.
type connectionKey struct{}

// withConnection is http.Server.ConnContext.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// watchWork notes on each connection whether the service works on its requests or waits
// for its client: for a request, for the rest of a body, or for the window of an answer over HTTP/2.
func watchWork(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, ok := r.Context().Value(connectionKey{}).(*connection)
		if !ok { // a test's own server
			next.ServeHTTP(w, r)
			return
		}
		defer conn.wait(true)
		if !conn.work() {
			panic(http.ErrAbortHandler) // the client could not receive the answer
		}
		if r.Body != http.NoBody {
			r.Body = &watchedBody{r.Body, conn}
		}
		if r.ProtoMajor == 2 {
			w = &watchedAnswer{w, conn}
		}
		next.ServeHTTP(w, r)
	})
}

// watchedBody notes on its connection that the service waits while it reads.
type watchedBody struct {
	io.ReadCloser
	conn *connection
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	b.conn.wait(false)
	defer b.conn.work()
	return b.ReadCloser.Read(p)
}

// watchedAnswer notes on its connection that the service waits while it writes. Over HTTP/1 the connection itself
// notes that; over HTTP/2 a client that opens no window makes only the request wait.
type watchedAnswer struct {
	http.ResponseWriter
	conn *connection
}

// Write implements io.Writer.
func (a *watchedAnswer) Write(p []byte) (int, error) {
	a.conn.wait(false)
	defer a.conn.work()
	return a.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *watchedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
