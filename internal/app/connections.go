package app

import (
	"errors"
	"net"
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
	// that read nothing would else hold the stop for as long as writeTimeout.
	stopWriteTimeout = 5 * time.Second
)

// connections is a listener that bounds the open connections: of the whole service,
// which lets new ones wait, and of one client, whose further ones are closed at once so
// that it cannot use up the others' share. Trusted proxies may open any number, because
// they connect for many clients.
//
// It is not netutil.LimitListener, whose connections hide CloseWrite: net/http needs it
// to let a client read the refusal of a request that it is still sending.
type connections struct {
	net.Listener
	slots     chan struct{} // holds one for each open connection
	closed    chan struct{}
	closeOnce sync.Once
	perClient int
	exempt    []netip.Prefix
	stopping  atomic.Bool

	mu   sync.Mutex
	open map[*connection]limits.Client
	of   map[limits.Client]int
}

func limitConnections(listener net.Listener, total, perClient int, exempt []netip.Prefix) *connections {
	return &connections{
		Listener:  listener,
		slots:     make(chan struct{}, total),
		closed:    make(chan struct{}),
		perClient: perClient,
		exempt:    exempt,
		open:      map[*connection]limits.Client{},
		of:        map[limits.Client]int{},
	}
}

// Accept implements net.Listener.
func (c *connections) Accept() (net.Conn, error) {
	select {
	case c.slots <- struct{}{}:
	case <-c.closed:
		return nil, net.ErrClosed
	}
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			<-c.slots
			return nil, err
		}
		if counted := c.add(conn); counted != nil {
			return counted, nil
		}
		_ = conn.Close() // the client has too many
	}
}

// Close implements net.Listener.
func (c *connections) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Listener.Close()
}

// add counts a connection. It returns nil when its client has too many.
func (c *connections) add(conn net.Conn) net.Conn {
	if buffered, ok := conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = buffered.SetWriteBuffer(socketBuffer) // a connection with a larger buffer works too
	}
	client, limited := c.client(conn)
	c.mu.Lock()
	defer c.mu.Unlock()
	if limited && c.of[client] >= c.perClient {
		return nil
	}
	counted := &connection{Conn: conn, all: c}
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

// stop gives every write, also those under way, no more than stopWriteTimeout.
func (c *connections) stop() {
	c.stopping.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		if conn.writing.Load() {
			conn.hurry()
		}
	}
}

// connection is an open connection.
type connection struct {
	net.Conn
	all     *connections
	writing atomic.Bool
}

// Write implements net.Conn.
func (c *connection) Write(p []byte) (int, error) {
	c.writing.Store(true) // before the look at stopping: stop does it the other way round
	defer c.writing.Store(false)
	if c.all.stopping.Load() {
		c.hurry()
	}
	return c.Conn.Write(p)
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
