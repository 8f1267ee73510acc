package load

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Batch is the outcome of many requests of one kind.
type Batch struct {
	Requests int
	Wrong    int // answers with another status, and requests without an answer
	Wall     time.Duration
	CPU      time.Duration // of the server
	P50, P99 time.Duration
}

// PerSecond returns the throughput.
func (b *Batch) PerSecond() float64 { return float64(b.Requests) / b.Wall.Seconds() }

// Each returns the server's CPU time of one request.
func (b *Batch) Each() time.Duration { return b.CPU / time.Duration(b.Requests) }

// Driver sends batches to one server over persistent connections.
type Driver struct {
	addr  string
	cpu   func() (time.Duration, error)
	conns []*conn
}

// NewDriver opens connections to a server. cpu returns the CPU time that the server has
// used.
func NewDriver(ctx context.Context, addr string, connections int, cpu func() (time.Duration, error)) (*Driver, error) {
	d := &Driver{addr: addr, cpu: cpu}
	for range connections {
		c, err := dial(ctx, addr)
		if err != nil {
			d.Close()
			return nil, fmt.Errorf("connection %d: %w", len(d.conns)+1, err)
		}
		d.conns = append(d.conns, c)
	}
	return d, nil
}

// Close closes the connections.
func (d *Driver) Close() {
	for _, c := range d.conns {
		c.Close()
	}
}

// Send sends n requests over all connections; want is the status of a right answer.
func (d *Driver) Send(ctx context.Context, request *Request, n, want int) (*Batch, error) {
	took := make([]time.Duration, n)
	var next, wrong atomic.Int64
	before, err := d.cpu()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	var group sync.WaitGroup
	for i := range d.conns {
		group.Go(func() {
			s := d.sender(i, request)
			for at := next.Add(1) - 1; at < int64(n); at = next.Add(1) - 1 {
				var status int
				if took[at], status = s.send(ctx); status != want {
					wrong.Add(1)
				}
			}
		})
	}
	group.Wait()
	batch := &Batch{Requests: n, Wrong: int(wrong.Load()), Wall: time.Since(began)}
	after, err := d.cpu()
	batch.CPU = after - before
	slices.Sort(took)
	batch.P50, batch.P99 = took[n/2], took[n*99/100]
	return batch, err
}

// sender sends one request repeatedly on one connection.
type sender struct {
	driver  *Driver
	conn    int
	wire    []byte
	address int
}

func (d *Driver) sender(conn int, request *Request) *sender {
	s := &sender{driver: d, conn: conn}
	s.wire, s.address = request.bytes()
	return s
}

// send sends the request and waits for the answer. Without an answer it returns status 0.
// It reconnects if the server has closed the connection.
func (s *sender) send(ctx context.Context) (took time.Duration, status int) {
	if s.address >= 0 {
		writeClient(s.wire[s.address:])
	}
	c := s.driver.conns[s.conn]
	began := time.Now()
	_, err := c.Write(s.wire)
	var answer frame
	if err == nil {
		answer, err = c.next()
	}
	took = time.Since(began)
	if err == nil && !answer.closes {
		return took, answer.status
	}
	c.Close()
	if again, dialErr := dial(ctx, s.driver.addr); dialErr == nil {
		s.driver.conns[s.conn] = again
	}
	if err != nil {
		return took, 0
	}
	return took, answer.status
}
