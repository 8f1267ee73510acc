package gaps

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/records"
)

// Store keeps questions; records.Store is one.
type Store interface {
	AddQuestion(ctx context.Context, asked records.Asked) error
}

const (
	// queued is how many questions wait for the database at most.
	queued = 256
	// storeTimeout bounds one write, so that a database that hangs is noticed.
	storeTimeout = 2 * time.Second
)

// Keeper stores questions behind the back of whoever asks: nobody waits for the
// database, and what it cannot take is dropped (decisions, Storage). A nil Keeper
// keeps nothing.
type Keeper struct {
	store Store
	log   zerolog.Logger
	queue chan records.Asked
	// failing says that the last questions were dropped, and that this was logged:
	// one line tells of a database that is down, not one a question.
	failing chan struct{}
}

// NewKeeper makes a keeper, whose Run has to be running.
func NewKeeper(store Store, log zerolog.Logger) *Keeper {
	return &Keeper{store: store, log: log, queue: make(chan records.Asked, queued), failing: make(chan struct{}, 1)}
}

// Answered notes a question with the answer it got, unless that is an entry's.
func (k *Keeper) Answered(q string, answer contract.Answer) {
	if answer.EntryID == nil {
		k.keep(records.Asked{Q: q})
	}
}

// Unhelpful notes a question whose answer did not help, by the entry that gave it,
// when that is known.
func (k *Keeper) Unhelpful(q, entryID string) {
	k.keep(records.Asked{Q: q, Unhelpful: true, EntryID: entryID})
}

func (k *Keeper) keep(asked records.Asked) {
	if k == nil || asked.Q == "" {
		return
	}
	asked.At = time.Now()
	select {
	case k.queue <- asked:
	default:
		k.dropped(nil)
	}
}

// Run stores what is noted until ctx ends, and then what is noted already.
func (k *Keeper) Run(ctx context.Context) {
	if k == nil {
		return
	}
	unending := context.WithoutCancel(ctx)
	for ctx.Err() == nil {
		select {
		case asked := <-k.queue:
			k.write(unending, asked)
		case <-ctx.Done():
		}
	}
	k.drain(unending)
}

// drain stores what has queued up, within the time of one write.
func (k *Keeper) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	for {
		select {
		case asked := <-k.queue:
			k.write(ctx, asked)
		default:
			return
		}
	}
}

func (k *Keeper) write(ctx context.Context, asked records.Asked) {
	asked.Q = Mask(asked.Q)
	asked.Key = content.QuestionKey(asked.Q)
	if asked.Key == "" {
		return // signs alone: nothing to answer
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if err := k.store.AddQuestion(ctx, asked); err != nil {
		k.dropped(err)
		return
	}
	select {
	case <-k.failing:
		k.log.Info().Msg("unanswered questions are kept again")
	default:
	}
}

// dropped logs the first of the questions that are lost in a row.
func (k *Keeper) dropped(err error) {
	select {
	case k.failing <- struct{}{}:
		k.log.Warn().Err(err).Msg("unanswered questions are not kept: the database does not take them")
	default:
	}
}
