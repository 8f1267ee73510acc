package gaps

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
)

// BenchmarkUnanswered stores unanswered questions on PostgreSQL through one instance
// and through four on the same processors: each has a recorder and a pool of connections
// of its own. Questions are new, or among a thousand that all instances count. The
// metric is questions a second; none may be dropped, and the rows stay bounded.
//
//	go test -run '^$' -bench Unanswered -benchtime 200000x ./internal/gaps
func BenchmarkUnanswered(b *testing.B) {
	for name, different := range map[string]int64{"new": math.MaxInt64, "repeated": 1000} {
		for _, instances := range []int{1, 4} {
			b.Run(fmt.Sprintf("%s/instances=%d", name, instances), func(b *testing.B) {
				server := programs.Postgres(b)
				var recorders []*Recorder
				var store *records.Store
				for range instances {
					store = expect.Value(records.Open(b.Context(), records.Options{URL: server.URL}))(b)
					defer store.Close()
					recorders = append(recorders, NewRecorder(Config{Store: store, Questions: true, Log: zerolog.Nop(), DailyRows: b.N + instances}))
				}
				b.ResetTimer()
				storeAll(b, recorders, func(n int64) string { return fmt.Sprintf("Is there a question %s?", letters(n%different)) })
				b.StopTimer()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "questions/s")
				dropped := int64(0)
				for _, recorder := range recorders {
					dropped += recorder.Dropped()
				}
				rows := len(expect.Value(store.Questions(b.Context()))(b))
				b.ReportMetric(float64(rows), "rows")
				if dropped > 0 || rows == 0 || rows > 30_000 {
					b.Errorf("%d dropped, %d rows", dropped, rows)
				}
			})
		}
	}
}

// letters writes a number without digits, which would be masked.
func letters(n int64) string {
	text := []byte{}
	for ; n > 0 || len(text) == 0; n /= 26 {
		text = append(text, 'a'+byte(n%26))
	}
	return string(text)
}

// storeAll gives b.N questions to the recorders, as fast as they take them, and returns
// when all are stored.
func storeAll(b *testing.B, recorders []*Recorder, question func(n int64) string) {
	ctx, stop := context.WithCancel(b.Context())
	var running, asking sync.WaitGroup
	var asked atomic.Int64
	for _, recorder := range recorders {
		running.Go(func() { recorder.Run(ctx) })
		asking.Go(func() {
			for n := asked.Add(1); n <= int64(b.N); n = asked.Add(1) {
				recorder.queue <- note{q: question(n), at: time.Now()} // waits, unlike an answer
			}
			done := make(chan error, 1)
			recorder.queue <- note{feedback: &records.Feedback{Helpful: true}, done: done} // the last of this recorder
			if err := <-done; err != nil {
				b.Error(err)
			}
		})
	}
	asking.Wait()
	stop()
	running.Wait()
}
