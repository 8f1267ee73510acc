package questions

import (
	"context"
	"errors"
	"hash/maphash"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
)

// Store keeps questions and feedback; records.Store is one.
type Store interface {
	// AddBatch stores a batch, or returns records.ErrDailyRows when it is beyond the rows of
	// a day.
	AddBatch(ctx context.Context, batch records.Batch, dailyRows int) error
}

const (
	// queued is how many notes wait for the database at most.
	queued = 4096
	// batched is how many of them one transaction stores at most: each row is a round trip to
	// the database, and other instances that count the same questions wait for its end.
	batched = 256
	// storeTimeout bounds one write, so that a database that hangs is noticed.
	storeTimeout = 2 * time.Second
	// marked is how many marks are remembered at most.
	marked = 100_000
	// logInterval is how often the recorder writes to the log at most.
	logInterval = time.Minute
)

// Config configures a Recorder.
type Config struct {
	Store     Store
	Questions bool // unanswered questions are kept; feedback always is
	Answered  bool // answered questions are kept
	DailyRows int  // most rows that are stored in a day
	Events    *span.Events
	Log       zerolog.Logger
}

// Recorder stores questions and feedback in the background, many in one transaction. No
// answer to a question waits for the database, and what the database cannot take is
// dropped and counted (decisions, Storage).
type Recorder struct {
	config  Config
	queue   chan note
	seed    maphash.Seed
	marks   *lru.Cache[uint64, int64] // the last day (UTC) of a mark, by a hash of its client and question
	dropped atomic.Int64
}

// note is a question with the answer it got, or feedback whose caller waits on done.
type note struct {
	q        string
	answer   contract.Answer
	at       time.Time
	feedback *records.Feedback
	done     chan error
}

// NewRecorder makes a recorder. Nothing is stored before Run is called.
func NewRecorder(config Config) *Recorder {
	marks, _ := lru.New[uint64, int64](marked) // its only error is a size below 1
	config.Log = config.Log.Sample(&zerolog.BurstSampler{Burst: 1, Period: logInterval})
	return &Recorder{config: config, queue: make(chan note, queued), seed: maphash.MakeSeed(), marks: marks}
}

// Keep notes a question with the answer it got, if questions with such an answer are kept.
func (k *Recorder) Keep(ctx context.Context, q string, answer contract.Answer) {
	if q == "" || isUnkept(ctx) {
		return
	}
	if keeps := answer.EntryID == nil && k.config.Questions || answer.EntryID != nil && k.config.Answered; keeps {
		k.enqueue(note{q: q, answer: answer, at: time.Now()})
	}
}

type unkeptKey struct{}

// WithoutKeeping returns a context whose questions and feedback are answered and not kept. It
// is for requests that check the service.
func WithoutKeeping(ctx context.Context) context.Context {
	return context.WithValue(ctx, unkeptKey{}, true)
}

func isUnkept(ctx context.Context) bool { return ctx.Value(unkeptKey{}) != nil }

// AddFeedback stores feedback, and marks the answer to its question, once a day for each
// client. The question in it is masked, or removed if questions are not kept. The error is the
// database's; feedback for which there is no room is dropped without one.
func (k *Recorder) AddFeedback(ctx context.Context, feedback records.Feedback) error {
	if isUnkept(ctx) {
		return nil
	}
	feedback.Q = Mask(feedback.Q)
	key := content.QuestionKey(feedback.Q)
	mark, isFirst := k.mark(limits.ClientFrom(ctx).String(), key)
	if isFirst {
		feedback.Key = key
	}
	if !k.config.Questions {
		feedback.Q = ""
	}
	defer span.Since(ctx, span.Database, time.Now())
	done := make(chan error, 1)
	if !k.enqueue(note{feedback: &feedback, done: done}) {
		return nil
	}
	select {
	case err := <-done:
		if err != nil && isFirst { // the client may send it again
			k.marks.Remove(mark)
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mark remembers that a client marks the answer to a question, and reports whether it is the
// first time today, as far as this instance remembers.
func (k *Recorder) mark(client, key string) (mark uint64, isFirst bool) {
	mark, today := maphash.Comparable(k.seed, [2]string{client, key}), records.DayOf(time.Now())
	day, _ := k.marks.Get(mark)
	k.marks.Add(mark, today)
	return mark, day != today
}

func (k *Recorder) enqueue(n note) bool {
	select {
	case k.queue <- n:
		return true
	default:
		k.drop(1, errFull)
		return false
	}
}

var errFull = errors.New("more arrive than the database stores")

// Dropped returns how many questions and pieces of feedback were dropped so far.
func (k *Recorder) Dropped() int64 { return k.dropped.Load() }

// Run stores what is noted until ctx ends, and then, within the time of one write, what is
// noted already.
func (k *Recorder) Run(ctx context.Context) {
	lasting := context.WithoutCancel(ctx)
	for ctx.Err() == nil {
		select {
		case first := <-k.queue:
			k.write(lasting, k.gather(first))
		case <-ctx.Done():
		}
	}
	lasting, cancel := context.WithTimeout(lasting, storeTimeout)
	defer cancel()
	for {
		select {
		case first := <-k.queue:
			k.write(lasting, k.gather(first))
		default:
			return
		}
	}
}

// gather takes what is queued behind a note, without waiting for more.
func (k *Recorder) gather(first note) []note {
	notes := []note{first}
	for len(notes) < batched {
		select {
		case next := <-k.queue:
			notes = append(notes, next)
		default:
			return notes
		}
	}
	return notes
}

func (k *Recorder) write(ctx context.Context, notes []note) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var err error
	if batch := merge(notes); batch.Len() > 0 {
		err = k.config.Store.AddBatch(ctx, batch, k.config.DailyRows)
	}
	answer := err
	if errors.Is(err, records.ErrDailyRows) {
		answer = nil // the caller of feedback can do nothing about it
	}
	for _, n := range notes {
		if n.done != nil {
			n.done <- answer
		}
	}
	if err != nil {
		k.drop(int64(len(notes)), err)
	}
}

// merge makes a batch of notes. Equal questions become one, with the sum of their counts, the
// wording of the first and the time of the last.
func merge(notes []note) (batch records.Batch) {
	indexes := map[[2]string]int{} // in the batch, by key and entry
	for _, n := range notes {
		if n.feedback != nil {
			batch.Feedback = append(batch.Feedback, *n.feedback)
			continue
		}
		q := Mask(n.q)
		key := content.QuestionKey(q)
		if key == "" { // only punctuation
			continue
		}
		if entry := n.answer.EntryID; entry == nil {
			at, known := indexes[[2]string{key}]
			if !known {
				at = len(batch.Questions)
				indexes[[2]string{key}] = at
				batch.Questions = append(batch.Questions, records.Question{Key: key, Q: q})
			}
			batch.Questions[at].Unanswered++
			batch.Questions[at].LastAt = n.at
		} else {
			at, known := indexes[[2]string{key, *entry}]
			if !known {
				at = len(batch.Answers)
				indexes[[2]string{key, *entry}] = at
				batch.Answers = append(batch.Answers, records.Answered{Key: key, Q: q, EntryID: *entry})
			}
			sum := &batch.Answers[at]
			sum.Asked++
			sum.LastAt, sum.Match, sum.Confidence = n.at, n.answer.Match, confidence(n.answer)
		}
	}
	return batch
}

// confidence is that of an answer, from 0 to 1: 1 for an approved wording, the selector's own, and 0 for the choice of
// a model, which gives none.
func confidence(answer contract.Answer) float64 {
	switch answer.Match {
	case contract.MatchExact, contract.MatchAlternate:
		return 1
	case contract.MatchSelector:
		return answer.Confidence
	default:
		return 0
	}
}

// drop counts dropped notes and logs their number, at most once a minute.
func (k *Recorder) drop(notes int64, reason error) {
	k.config.Events.Add(span.QuestionsDropped, "")
	k.config.Log.Warn().Int64("dropped", k.dropped.Add(notes)).AnErr("error", reason).
		Msg("questions and feedback are dropped")
}
