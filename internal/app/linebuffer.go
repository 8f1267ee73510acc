package app

import (
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// Bounds of the log.
const (
	maxWaitingLines = 1 << 20               // bytes that may wait for the reader
	wakeAtLines     = 32 << 10              // bytes that wake the writer at once
	maxLineDelay    = 50 * time.Millisecond // how long a line may wait for others
	closeTimeout    = time.Second           // for the last lines
)

// lineBuffer passes lines to a writer in a goroutine of its own, several at a time, so
// that nothing that logs waits for the reader of the log, even if the reader stalls.
// A line above the level info is passed on at once. While the buffer is full, lines
// are dropped and counted, and the count is reported when lines flow again.
//
// zerolog's diode lacks two things: it counts dropped lines only once the reader reads
// again, so frontdesk_log_lines_dropped_total would stay 0 while the log is stalled; and it
// writes each line by itself, which costs 2 to 5 µs a request, up to a tenth of the CPU of a small one.
type lineBuffer struct {
	out      io.Writer
	prefixes map[zerolog.Level]string
	report   func(dropped int64) // writes a line to out
	wake     chan struct{}       // holds one when lines are due
	due      *time.Timer         // of the first line that waits
	ended    chan struct{}       // closed when the writer has ended

	mu      sync.Mutex
	lines   []byte // waiting
	closed  bool
	dropped int64 // lines since the start
}

func newLineBuffer(out io.Writer, prefixes map[zerolog.Level]string, report func(dropped int64)) *lineBuffer {
	b := &lineBuffer{out: out, prefixes: prefixes, report: report, wake: make(chan struct{}, 1),
		ended: make(chan struct{})}
	b.due = time.AfterFunc(maxLineDelay, func() { signal(b.wake) })
	go b.run()
	return b
}

// Write implements io.Writer for lines without a level, which are urgent.
func (b *lineBuffer) Write(line []byte) (int, error) { return b.WriteLevel(zerolog.NoLevel, line) }

// WriteLevel implements zerolog.LevelWriter. It never fails and never blocks.
func (b *lineBuffer) WriteLevel(level zerolog.Level, line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(b.lines)+len(line) > maxWaitingLines {
		b.dropped++
		return len(line), nil
	}
	if len(b.lines) == 0 {
		b.due.Reset(maxLineDelay)
	}
	b.lines = append(append(b.lines, b.prefixes[level]...), line...)
	if level > zerolog.InfoLevel || len(b.lines) >= wakeAtLines {
		signal(b.wake)
	}
	return len(line), nil
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // there is one already
	}
}

// run writes until close.
func (b *lineBuffer) run() {
	defer close(b.ended)
	var batch []byte
	var dropped, reported int64
	for closed := false; !closed; {
		<-b.wake
		b.mu.Lock()
		batch, b.lines = b.lines, batch[:0]
		dropped, closed = b.dropped, b.closed
		b.mu.Unlock()
		if len(batch) > 0 {
			_, _ = b.out.Write(batch) // a log that cannot be written has no place to say so
		}
		if dropped > reported {
			b.report(dropped - reported)
			reported = dropped
		}
	}
}

// close writes what is waiting and ends the writer. It gives up after closeTimeout.
func (b *lineBuffer) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	signal(b.wake)
	select {
	case <-b.ended:
	case <-time.After(closeTimeout):
	}
}
