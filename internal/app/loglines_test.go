package app

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/config"
)

func TestHeldLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxHeldLines/2)
	tests := []struct {
		name string
		log  func(log zerolog.Logger)
		now  string // what is written at once
		soon string // and when maxHeldFor has passed
	}{
		{"a line waits", func(log zerolog.Logger) { log.Info().Msg("a") }, "", "a"},
		{"lines wait together", func(log zerolog.Logger) { log.Info().Msg("a"); log.Debug().Msg("b") }, "", "a b"},
		{"a warning takes the others along", func(log zerolog.Logger) { log.Info().Msg("a"); log.Warn().Msg("b") }, "a b", "a b"},
		{"an error does not wait", func(log zerolog.Logger) { log.Error().Msg("a") }, "a", "a"},
		{"what net/http says does not wait", func(log zerolog.Logger) { log.Print("kept"); _, _ = log.Write([]byte("a")) }, "kept a", "kept a"},
		{"a full buffer does not wait", func(log zerolog.Logger) {
			log.Info().Str("long", long).Msg("a")
			log.Info().Str("long", long).Msg("b")
			log.Info().Msg("c")
		}, "a b", "a b c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				held := holdLines(&out)
				written := func() string { // the timer writes too
					held.mu.Lock()
					defer held.mu.Unlock()
					return messages(t, out.String())
				}
				time.Sleep(2 * maxHeldFor) // the fake clock: the first timer has run out
				tt.log(zerolog.New(held))
				if got := written(); got != tt.now {
					t.Errorf("at once: %q, want %q", got, tt.now)
				}
				time.Sleep(maxHeldFor)
				synctest.Wait()
				if got := written(); got != tt.soon {
					t.Errorf("after %v: %q, want %q", maxHeldFor, got, tt.soon)
				}
			})
		})
	}
}

// messages are the messages of whole lines.
func messages(t *testing.T, lines string) string {
	t.Helper()
	var got []string
	for line := range strings.Lines(lines) {
		var record struct{ Message string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		got = append(got, record.Message)
	}
	return strings.Join(got, " ")
}

// TestNewLogFlush ends before the lines are due.
func TestNewLogFlush(t *testing.T) {
	t.Parallel()
	for format, held := range map[string]bool{"json": true, "console": false} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				log, flush, err := NewLog(config.Settings{LogFormat: format, LogLevel: "info"}, &out)
				if err != nil {
					t.Fatal(err)
				}
				log.Info().Msg("last words")
				if got := out.Len() == 0; got != held {
					t.Errorf("held = %t, want %t", got, held)
				}
				flush()
				if !strings.Contains(out.String(), "last words") {
					t.Errorf("the log is %q", out.String())
				}
			})
		})
	}
}

func TestLogTime(t *testing.T) {
	t.Parallel()
	kathmandu := time.FixedZone("", 5*3600+45*60)
	first := time.Date(2026, 3, 1, 23, 59, 59, 7_000_000, time.UTC)
	clock := new(logTime)
	for _, now := range []time.Time{
		first,
		first.Add(time.Millisecond),
		first.Add(992 * time.Millisecond), // the next second
		first.Add(992*time.Millisecond + 999*time.Microsecond), // cut, not rounded
		first.Add(500 * time.Millisecond),                      // the wall clock was set back
		first.Add(time.Hour).In(kathmandu),
		time.Date(999, 1, 2, 3, 4, 5, 678_000_000, time.UTC),
	} {
		if got, want := string(clock.appendTime(nil, now)), now.Format(`"`+TimeFormat+`"`); got != want {
			t.Errorf("time = %s, want %s", got, want)
		}
	}
}

func BenchmarkLogLine(b *testing.B) {
	log := zerolog.New(holdLines(io.Discard)).Hook(new(logTime))
	b.ReportAllocs()
	for b.Loop() {
		log.Info().Str("path", "/v1/health").Msg("request")
	}
}
