package app

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
)

// While reader stalls, nothing that writes to it returns.
type reader struct {
	mu   sync.Mutex
	text bytes.Buffer

	gate    sync.RWMutex  // locked while the reader stalls
	writing chan struct{} // receives one item at the first write; nil if no one waits for it
}

func (r *reader) Write(p []byte) (int, error) {
	select {
	case r.writing <- struct{}{}:
	default:
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *reader) messages(t *testing.T) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var got []string
	for line := range strings.Lines(r.text.String()) {
		got = append(got, expect.JSON[struct{ Message string }](t, []byte(line)).Message)
	}
	return strings.Join(got, " ")
}

func newTestLog(t *testing.T, out io.Writer) *Log {
	t.Helper()
	return NewLog(config.Settings{LogFormat: "json", LogLevel: "debug"}, out)
}

func TestConsoleWithoutTerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := NewLog(config.Settings{LogFormat: "console"}, &out)
	log.Warn().Int("n", 1).Msg("a")
	log.Close()
	_, line, _ := strings.Cut(out.String(), " WRN ")
	expect.Same(t, "the log behind its level", "a n=1\n", line)
}

func TestLogDelay(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", wakeAtLines/2)
	for _, tt := range []struct {
		name            string
		log             func(log *Log)
		atOnce, delayed string
	}{
		{"a line waits", func(log *Log) { log.Info().Msg("a") }, "", "a"},
		{"lines wait together", func(log *Log) { log.Info().Msg("a"); log.Debug().Msg("b") }, "", "a b"},
		{"a warning takes the others along", func(log *Log) { log.Info().Msg("a"); log.Warn().Msg("b") }, "a b", "a b"},
		{"an error does not wait", func(log *Log) { log.Error().Msg("a") }, "a", "a"},
		{"a line of net/http does not wait", func(log *Log) { _, _ = log.Write([]byte("a")) }, "a", "a"},
		{"many lines do not wait", func(log *Log) {
			log.Info().Str("long", long).Msg("a")
			log.Info().Str("long", long).Msg("b")
		}, "a b", "a b"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out reader
			log := newTestLog(t, &out)
			defer log.Close()
			tt.log(log)
			synctest.Wait()
			expect.Same(t, tt.name+": at once", tt.atOnce, out.messages(t))
			time.Sleep(maxLineDelay)
			synctest.Wait()
			expect.Same(t, tt.name+": delayed", tt.delayed, out.messages(t))
		})
	}
}

func TestStalledReader(t *testing.T) {
	t.Parallel()
	out := &reader{writing: make(chan struct{}, 1)}
	log := newTestLog(t, out)
	defer log.Close()
	out.gate.Lock()
	const lines = 3 * maxWaitingLines / 100
	log.Warn().Msg("a")
	<-out.writing // the writer waits for the reader: it takes nothing more until the end
	for range lines - 1 {
		log.Warn().Str("fill", strings.Repeat("x", 100)).Msg("a")
	}
	dropped := log.Dropped()
	expect.AtLeast(t, "dropped", 1, dropped)
	out.gate.Unlock()
	log.Close()
	read := strings.ReplaceAll(out.messages(t), reportMessage, "report")
	expect.Same(t, "lines read, and reports",
		[]int{lines - int(dropped), 1}, []int{len(strings.Fields(read)) - 1, strings.Count(read, "report")})
	expect.Holds(t, "the report", out.text.String(), fmt.Sprintf(`"lines":%d`, dropped))
}

func TestCloseGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stalled, unread := io.Pipe()
		defer stalled.Close() // ends the writer
		log := newTestLog(t, unread)
		log.Info().Msg("never read")
		began := time.Now()
		log.Close()
		expect.Same(t, "Close took", closeTimeout, time.Since(began))
	})
}

func TestJournalPriorities(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	lines := newLineBuffer(&out, priorities, nil)
	log := zerolog.New(lines)
	log.Debug().Msg("a")
	log.Info().Msg("b")
	log.Warn().Msg("c")
	log.Error().Msg("d")
	log.Log().Msg("e")
	lines.close()
	expect.Same(t, "the journal gets", "<7>{\"level\":\"debug\",\"message\":\"a\"}\n<6>{\"level\":\"info\",\"message\":\"b\"}\n"+
		"<4>{\"level\":\"warn\",\"message\":\"c\"}\n<3>{\"level\":\"error\",\"message\":\"d\"}\n{\"message\":\"e\"}\n", out.String())
}
