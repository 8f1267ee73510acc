package app

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
// of one client. Further connections of one client are closed at once. Trusted proxies may
// open any number, because they connect for many clients. When all connections are in use,
// a new one takes the place of the one whose client has kept the service waiting the
// longest; if there is none, it waits.
//
// Without each piece, this would break:
//   - total, perClient: a flood uses up file descriptors and memory, or one address all places.
//   - exempt: a proxy's clients share the places of one client.
//   - socketBuffer: a client that reads nothing takes megabytes of the kernel's memory.
//   - evict: clients that send or read nothing lock others out for up to 60 seconds, from
//     many addresses. watchedBody, writing and watchedAnswer (HTTP/2) notice clients that stop midway.
//   - work reports an eviction: a request in the moment of an eviction is carried out, and its answer is lost.
//   - rests: such a flood closes the connections that browsers and proxies keep.
//   - stopping: a client that reads nothing holds a stop for 20 seconds, and then fails it.
//   - closePort with the kernel's filter: a connection made just before a stop is reset;
//     behind nginx, which repeats no POST, a rolling restart loses requests.
//   - linger: a request that arrives just as the service stops gets no answer.
//   - CloseWrite: a client that is still sending gets a reset in place of its refusal.
type connections struct {
	net.Listener
	total, perClient int
	exempt           []netip.Prefix
	close            func() error  // once: http.Server.Shutdown would report the error of a second one
	closed           chan struct{} // by close
	freed            chan struct{} // holds one when there is a place again

	mu       sync.Mutex // guards the following, and the state of each connection
	open     map[*connection]bool
	of       map[limits.Client]int
	stopping bool
}

func limitConnections(listener net.Listener, total, perClient int, exempt []netip.Prefix) *connections {
	c := &connections{
		Listener: listener, total: total, perClient: perClient, exempt: exempt,
		closed: make(chan struct{}), freed: make(chan struct{}, 1),
		open: map[*connection]bool{}, of: map[limits.Client]int{},
	}
	c.close = sync.OnceValue(func() error {
		close(c.closed)
		return listener.Close()
	})
	return c
}

func (c *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn := &connection{socket: accepted.(socket), all: c}
		if c.refuses(conn) {
			_ = accepted.Close()
			continue
		}
		for !c.add(conn) {
			select {
			case <-c.freed:
			case <-time.After(evictAfter / 10):
			case <-c.closed:
				_ = accepted.Close()
				return nil, net.ErrClosed
			}
		}
		_ = accepted.(socket).SetWriteBuffer(socketBuffer) // a connection with a larger buffer works too
		return conn, nil
	}
}

// refuses reports whether a client has too many connections.
func (c *connections) refuses(conn *connection) bool {
	peer, isTCP := conn.RemoteAddr().(*net.TCPAddr)
	if !isTCP {
		return false
	}
	addr := peer.AddrPort().Addr().Unmap()
	if slices.ContainsFunc(c.exempt, func(p netip.Prefix) bool { return p.Contains(addr) }) {
		return false
	}
	conn.client = limits.ClientOf(addr)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[conn.client] >= c.perClient
}

// add gives a connection a place: a free one, or that of a connection which it closes.
func (c *connections) add(conn *connection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= c.total {
		victim := c.slowest()
		if victim == nil {
			return false
		}
		c.remove(victim)
		_ = victim.socket.Close()
	}
	conn.since = time.Now()
	c.open[conn] = true
	c.of[conn.client]++
	return true
}

// slowest returns the connection that has waited for its client the longest, if that is
// longer than evictAfter. Those that wait for another request, as browsers and proxies
// keep them, are spared while there are others.
func (c *connections) slowest() (slowest *connection) {
	var since time.Time
	for conn := range c.open {
		waiting, isWaiting := conn.waiting()
		if !isWaiting || time.Since(waiting) < evictAfter {
			continue
		}
		if slowest == nil || slowest.idle() && !conn.idle() || slowest.idle() == conn.idle() && waiting.Before(since) {
			slowest, since = conn, waiting
		}
	}
	return slowest
}

func (c *connections) Close() error { return c.close() }

// closePort refuses further connections. Those that the kernel has accepted are served:
// it would reset them if they were still in the queue of the listener that is closed.
func (c *connections) closePort() {
	if ignoreNewConnections(c.Listener) == nil {
		time.Sleep(handshakeTime)
		await(queueTimeout, func() bool {
			n, err := unaccepted(c.Listener)
			return n == 0 || err != nil
		})
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
	await(lingerTime, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for conn := range c.open {
			if idle || !conn.idle() {
				return false
			}
		}
		return true
	})
}

// await waits until something holds, at most for a time.
func await(most time.Duration, holds func() bool) {
	for ends := time.Now().Add(most); !holds() && time.Now().Before(ends); {
		time.Sleep(handshakeTime)
	}
}

// stop gives every write, also those under way, no more than stopWriteTimeout. A later
// write begins with a time of its own.
func (c *connections) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopping = true
	for conn := range c.open {
		conn.hurry()
	}
}

// socket is a TCP connection.
type socket interface {
	net.Conn
	CloseWrite() error // net/http looks for it
	SetWriteBuffer(bytes int) error
}

// connection is an open connection. HTTP/2 has several requests on one.
type connection struct {
	socket
	all    *connections
	client limits.Client // zero for one without a limit

	busy    int       // requests that the service works on, without those that wait for their client
	since   time.Time // when the service began to wait for the client
	writing time.Time // since when a write waits for the client; zero without one
	rests   bool      // a request was answered and read, and the next has not begun
}

// waiting is since when the connection waits for its client, if it does.
func (c *connection) waiting() (since time.Time, isWaiting bool) {
	if !c.writing.IsZero() {
		return c.writing, true
	}
	return c.since, c.busy <= 0
}

// idle reports whether it only waits for another request.
func (c *connection) idle() bool { return c.rests && c.writing.IsZero() }

// work notes that the service works on a request. It returns false if the connection
// was evicted.
func (c *connection) work() bool {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.busy++
	c.rests = false
	return c.all.open[c]
}

// wait notes that a request waits for its client, or was answered.
func (c *connection) wait(answered bool) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.busy--; c.busy == 0 {
		c.since, c.rests = time.Now(), answered
	}
}

func (c *connection) Write(p []byte) (int, error) {
	c.write(time.Now())
	defer c.write(time.Time{})
	return c.socket.Write(p)
}

// write notes since when a write waits for the client.
func (c *connection) write(since time.Time) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.writing = since; c.all.stopping && !since.IsZero() {
		c.hurry()
	}
}

func (c *connection) hurry() { _ = c.SetWriteDeadline(time.Now().Add(stopWriteTimeout)) }

func (c *connection) Close() error {
	c.all.mu.Lock()
	c.all.remove(c)
	c.all.mu.Unlock()
	return c.socket.Close()
}

// remove frees the place of a connection, once. It is called with the lock.
func (c *connections) remove(conn *connection) {
	if !c.open[conn] {
		return
	}
	delete(c.open, conn)
	if c.of[conn.client]--; c.of[conn.client] == 0 {
		delete(c.of, conn.client)
	}
	signal(c.freed)
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
		if !ok { // the watchdog
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

func (a *watchedAnswer) Write(p []byte) (int, error) {
	a.conn.wait(false)
	defer a.conn.work()
	return a.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *watchedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
