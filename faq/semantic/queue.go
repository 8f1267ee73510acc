package semantic

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"
)

// maxWaiting is how many questions wait for a processor before a network must share the places with the others: what
// two processors encode in two seconds.
const maxWaiting = 256

// ErrBusy is returned when a question found no place to wait, or no processor became free in time.
var ErrBusy = errors.New("meaning: every encoder is busy")

// queue hands out processors to questions. Of each network one question at a time waits for a processor, and the others
// behind it, so that networks take turns, and the many questions of one hold up only its own.
type queue struct {
	processors *semaphore.Weighted

	mu      sync.Mutex
	lines   map[string]*line // by network
	waiting int              // in all lines
}

// line is the questions of one network that wait.
type line struct {
	first   *semaphore.Weighted // held by the question that waits for a processor
	waiting int
}

func newQueue(processors int) *queue {
	return &queue{processors: semaphore.NewWeighted(int64(processors)), lines: map[string]*line{}}
}

// enter waits for a processor until ctx ends. It fails with ErrBusy; otherwise the caller must call leave.
func (q *queue) enter(ctx context.Context, network string) error {
	if q.processors.TryAcquire(1) {
		return nil
	}
	l := q.join(network)
	if l == nil {
		return ErrBusy
	}
	defer q.leaveLine(network, l)
	if l.first.Acquire(ctx, 1) != nil {
		return ErrBusy
	}
	defer l.first.Release(1)
	if q.processors.Acquire(ctx, 1) != nil {
		return ErrBusy
	}
	return nil
}

// leave hands the processor to the network whose turn it is.
func (q *queue) leave() { q.processors.Release(1) }

// join takes a place in the line of a network. It returns nil if all places are taken and the network has its share.
func (q *queue) join(network string) *line {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[network]
	if l == nil {
		l = &line{first: semaphore.NewWeighted(1)}
	}
	if q.waiting >= maxWaiting && l.waiting >= maxWaiting/(len(q.lines)+1) {
		return nil
	}
	q.lines[network] = l
	l.waiting++
	q.waiting++
	return l
}

// leaveLine gives the place up.
func (q *queue) leaveLine(network string, l *line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting--
	if l.waiting--; l.waiting == 0 {
		delete(q.lines, network)
	}
}
