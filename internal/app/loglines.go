package app

import (
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// How much of the log is held back at the most: bytes, and for how long.
const (
	maxHeldLines = 32 << 10
	maxHeldFor   = 50 * time.Millisecond
)

// heldLines writes the lines of the log several at a time: a system call for each
// costs as much as the layers of a small request together. A line above the level
// info goes out at once, with all that came before it. A process that is killed
// loses the lines of the last maxHeldFor; one that ends, loses none.
type heldLines struct {
	w     io.Writer
	timer *time.Timer // runs out within maxHeldFor of the oldest line

	mu    sync.Mutex
	lines []byte
}

func holdLines(w io.Writer) *heldLines {
	h := &heldLines{w: w, lines: make([]byte, 0, maxHeldLines+maxHeldLines/8)}
	h.timer = time.AfterFunc(maxHeldFor, h.Flush)
	return h
}

// Write implements io.Writer for lines without a level, which do not wait.
func (h *heldLines) Write(line []byte) (int, error) { return h.WriteLevel(zerolog.NoLevel, line) }

// WriteLevel implements zerolog.LevelWriter.
func (h *heldLines) WriteLevel(level zerolog.Level, line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.lines) == 0 {
		h.timer.Reset(maxHeldFor)
	}
	h.lines = append(h.lines, line...)
	if level > zerolog.InfoLevel || len(h.lines) >= maxHeldLines {
		return len(line), h.flush()
	}
	return len(line), nil
}

// Flush writes what is held. When that fails there is nowhere left to say so.
func (h *heldLines) Flush() {
	h.mu.Lock()
	defer h.mu.Unlock()
	_ = h.flush()
}

func (h *heldLines) flush() error {
	if len(h.lines) == 0 {
		return nil
	}
	_, err := h.w.Write(h.lines)
	h.lines = h.lines[:0]
	return err
}
