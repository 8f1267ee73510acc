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
// zerolog's diode does not fit: it makes a system call for every line, which costs as
// much as all layers of a small request together, does not see levels, bounds lines
// rather than bytes, and its Close waits for the reader.
type lineBuffer struct {
	out    io.Writer
	report func(dropped int64) // writes a line to out

	// Signals to the writer; each channel holds at most one.
	waiting chan struct{} // there is a first line
	urgent  chan struct{} // write at once
	ended   chan struct{} // closed when the writer has ended

	mu      sync.Mutex
	lines   []byte // waiting
	closed  bool
	lost    int64 // lines dropped since the last report
	allLost int64 // lines dropped since the start
}

func newLineBuffer(out io.Writer, report func(dropped int64)) *lineBuffer {
	b := &lineBuffer{
		out: out, report: report,
		waiting: make(chan struct{}, 1), urgent: make(chan struct{}, 1), ended: make(chan struct{}),
	}
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
		b.lost++
		b.allLost++
		return len(line), nil
	}
	b.lines = append(b.lines, line...)
	signal(b.waiting)
	if level > zerolog.InfoLevel || len(b.lines) >= wakeAtLines {
		signal(b.urgent)
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
	for closed := false; !closed; {
		select {
		case <-b.urgent:
		case <-b.waiting:
			select {
			case <-b.urgent:
			case <-time.After(maxLineDelay):
			}
		}
		var lost int64
		batch, lost, closed = b.take(batch)
		if len(batch) > 0 {
			_, _ = b.out.Write(batch) // a log that cannot be written has no place to say so
		}
		if lost > 0 {
			b.report(lost)
		}
	}
}

// take exchanges the waiting lines for an empty buffer.
func (b *lineBuffer) take(empty []byte) (lines []byte, lost int64, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines, lost = b.lines, b.lost
	b.lines, b.lost = empty[:0], 0
	return lines, lost, b.closed
}

func (b *lineBuffer) dropped() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.allLost
}

// close writes what is waiting and ends the writer. It gives up after closeTimeout.
func (b *lineBuffer) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	signal(b.urgent)
	select {
	case <-b.ended:
	case <-time.After(closeTimeout):
	}
}
