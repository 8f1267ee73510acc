package gaps

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/records"
)

// Store keeps questions and feedback; records.Store is one.
type Store interface {
	// AddBatch stores a batch until dailyRows rows were added today, and returns how
	// many of its items that were. The error is records.ErrDailyRows when some were
	// left out for that reason.
	AddBatch(ctx context.Context, batch records.Batch, dailyRows int) (stored int, err error)
}

const (
	// queued is how many notes wait for the database at most.
	queued = 4096
	// batched is how many of them one transaction stores at most.
	batched = 512
	// storeTimeout bounds one write, so that a database that hangs is noticed.
	storeTimeout = 2 * time.Second
	// logInterval is how often dropped notes are logged at most.
	logInterval = time.Minute
)

// Config is what a Keeper works with.
type Config struct {
	Store     Store
	Questions bool // whether questions are kept; feedback always is
	DailyRows int  // rows that all instances may add in a day (UTC)
	Log       zerolog.Logger
}

// Keeper stores unanswered questions and feedback in the background, many in one
// transaction. No answer to a question waits for the database, and what the database
// cannot take is dropped and counted (decisions, Storage). A nil Keeper keeps nothing.
type Keeper struct {
	config  Config
	queue   chan note
	dropped atomic.Int64

	mu      sync.Mutex
	failing bool      // notes were dropped, and this was logged
	logged  time.Time // when dropped notes were last logged
	unsaid  int64     // notes that were dropped since
}

// note is a question, or feedback whose caller waits on done.
type note struct {
	asked    records.Asked
	feedback *records.Feedback
	done     chan error
}

// NewKeeper makes a keeper. Nothing is stored before Run is called.
func NewKeeper(config Config) *Keeper {
	return &Keeper{config: config, queue: make(chan note, queued)}
}

// Answered notes a question with the answer it got, unless an entry gave it.
func (k *Keeper) Answered(q string, answer contract.Answer) {
	if answer.EntryID == nil {
		k.keepQuestion(records.Asked{Q: q, Unanswered: 1})
	}
}

// Unhelpful notes a question whose answer did not help, with the entry that gave the
// answer, when it is known.
func (k *Keeper) Unhelpful(q, entryID string) {
	k.keepQuestion(records.Asked{Q: q, Unhelpful: 1, EntryID: entryID})
}

func (k *Keeper) keepQuestion(asked records.Asked) {
	if k == nil || !k.config.Questions || asked.Q == "" {
		return
	}
	asked.At = time.Now()
	k.enqueue(note{asked: asked})
}

// keepFeedback stores feedback and waits until that is done. Feedback for which there
// is no room is dropped without an error; an error is the database's.
func (k *Keeper) keepFeedback(ctx context.Context, feedback records.Feedback) error {
	done := make(chan error, 1)
	if !k.enqueue(note{feedback: &feedback, done: done}) {
		return nil
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (k *Keeper) enqueue(n note) bool {
	select {
	case k.queue <- n:
		return true
	default:
		k.drop(1, errFull)
		return false
	}
}

var errFull = errors.New("more arrive than the database stores")

// Dropped is how many questions and pieces of feedback were dropped so far.
func (k *Keeper) Dropped() int64 {
	if k == nil {
		return 0
	}
	return k.dropped.Load()
}

// Run stores what is noted until ctx ends, and then what is noted already.
func (k *Keeper) Run(ctx context.Context) {
	if k == nil {
		return
	}
	for ctx.Err() == nil {
		select {
		case first := <-k.queue:
			k.write(context.WithoutCancel(ctx), k.gather(first))
		case <-ctx.Done():
		}
	}
	k.drain(context.WithoutCancel(ctx))
}

// drain stores what is queued, within the time of one write.
func (k *Keeper) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	for {
		select {
		case first := <-k.queue:
			k.write(ctx, k.gather(first))
		default:
			return
		}
	}
}

// gather takes what is queued behind a note, without waiting for more.
func (k *Keeper) gather(first note) []note {
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

func (k *Keeper) write(ctx context.Context, notes []note) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	batch := merge(notes)
	stored, err := 0, error(nil)
	if batch.Len() > 0 {
		stored, err = k.config.Store.AddBatch(ctx, batch, k.config.DailyRows)
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
	lost := batch.Len() - stored
	if stored == 0 {
		lost = len(notes) // also those that were merged
	}
	if err != nil {
		k.drop(int64(lost), err)
	} else {
		k.recovered()
	}
}

// merge makes a batch of notes. Questions that are equal become one, with the sum of
// their counts, the wording of the first and the time of the last.
func merge(notes []note) records.Batch {
	var batch records.Batch
	at := map[string]int{} // by key, in batch.Questions
	for _, n := range notes {
		if n.feedback != nil {
			batch.Feedback = append(batch.Feedback, *n.feedback)
			continue
		}
		asked := n.asked
		asked.Q = Mask(asked.Q)
		asked.Key = content.QuestionKey(asked.Q)
		if asked.Key == "" {
			continue // only signs: nothing to answer
		}
		i, known := at[asked.Key]
		if !known {
			at[asked.Key] = len(batch.Questions)
			batch.Questions = append(batch.Questions, asked)
			continue
		}
		sum := &batch.Questions[i]
		sum.Unanswered += asked.Unanswered
		sum.Unhelpful += asked.Unhelpful
		sum.At = asked.At
		if asked.EntryID != "" {
			sum.EntryID = asked.EntryID
		}
	}
	return batch
}

// drop counts notes that are lost, and logs them once in a while.
func (k *Keeper) drop(notes int64, reason error) {
	k.dropped.Add(notes)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.unsaid += notes
	if k.failing && time.Since(k.logged) < logInterval {
		return
	}
	k.config.Log.Warn().Int64("dropped", k.unsaid).AnErr("error", reason).
		Msg("unanswered questions and feedback are dropped")
	k.failing, k.logged, k.unsaid = true, time.Now(), 0
}

// recovered logs that notes are stored again, once none was dropped for a while.
func (k *Keeper) recovered() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.failing || time.Since(k.logged) < logInterval {
		return
	}
	k.config.Log.Info().Int64("dropped", k.unsaid).Msg("unanswered questions and feedback are stored again")
	k.failing, k.unsaid = false, 0
}
