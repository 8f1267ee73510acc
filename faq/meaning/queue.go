package meaning

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// maxWaiting is how many questions wait for a processor at most: what two processors encode in two seconds.
const maxWaiting = 256

// ErrBusy is returned when a question found no place to wait, or no processor became free in time.
var ErrBusy = errors.New("meaning: every encoder is busy")

// queue hands out processors to questions. Networks take turns, so that the many questions of one hold up only
// its own.
type queue struct {
	mu      sync.Mutex
	free    int                  // processors
	waiting map[string][]*waiter // by network, the first to come first
	turns   []string             // the networks that wait, the next first
	length  int                  // of all that wait
}

// waiter is a question that waits.
type waiter struct {
	decided chan struct{} // closed when it gets a processor or loses its place
	granted bool
}

func newQueue(processors int) *queue {
	return &queue{free: processors, waiting: map[string][]*waiter{}}
}

// enter waits for a processor until ctx ends. It fails with ErrBusy; otherwise the caller must call leave.
func (q *queue) enter(ctx context.Context, network string) error {
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	if q.length == maxWaiting && !q.makeRoom(len(q.waiting[network])+1) {
		q.mu.Unlock()
		return ErrBusy
	}
	w := &waiter{decided: make(chan struct{})}
	if len(q.waiting[network]) == 0 {
		q.turns = append(q.turns, network)
	}
	q.waiting[network] = append(q.waiting[network], w)
	q.length++
	q.mu.Unlock()

	select {
	case <-w.decided:
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		if place := slices.Index(q.waiting[network], w); place >= 0 {
			q.remove(network, place)
		}
	}
	if !w.granted {
		return ErrBusy
	}
	return nil
}

// leave hands the processor to the network whose turn it is.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.turns) == 0 {
		q.free++
		return
	}
	network := q.turns[0]
	w := q.remove(network, 0)
	if len(q.turns) > 0 && q.turns[0] == network {
		q.turns = append(q.turns[1:], network)
	}
	w.granted = true
	close(w.decided)
}

// makeRoom takes the last place of the network that has the most, if they are more than mine.
func (q *queue) makeRoom(mine int) bool {
	greedy := slices.MaxFunc(q.turns, func(a, b string) int { return len(q.waiting[a]) - len(q.waiting[b]) })
	if len(q.waiting[greedy]) <= mine {
		return false
	}
	close(q.remove(greedy, len(q.waiting[greedy])-1).decided)
	return true
}

// remove takes a question out of the queue.
func (q *queue) remove(network string, place int) *waiter {
	w := q.waiting[network][place]
	q.length--
	q.waiting[network] = slices.Delete(q.waiting[network], place, place+1)
	if len(q.waiting[network]) == 0 {
		delete(q.waiting, network)
		q.turns = slices.DeleteFunc(q.turns, func(other string) bool { return other == network })
	}
	return w
}
