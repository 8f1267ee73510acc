package app

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/owner"
)

// Times of a start.
const (
	// MeaningPatience is how long a start waits for the selector before it serves without.
	MeaningPatience = 10 * time.Second
	// progressEvery is the interval of log lines of a selector that is not ready.
	progressEvery = 10 * time.Second
	// extendEvery is the interval at which a start asks systemd for more time, and extension what it asks for.
	extendEvery, extension = 5 * time.Second, 30 * time.Second
)

// outcome is what work has made, or why it failed.
type outcome[T any] struct {
	made T
	err  error
}

// begin does work in the background. A panic is an error: content that brings a fault of ours to light must not end a
// service that runs well on the old content.
func begin[T any](log zerolog.Logger, work func() (T, error)) <-chan outcome[T] {
	finished := make(chan outcome[T], 1)
	go func() {
		var got outcome[T]
		defer func() {
			if value := recover(); value != nil {
				got.err = fmt.Errorf("panic: %v", value)
				log.Error().Bytes("stack", debug.Stack()).Err(got.err).Msg("the content could not be built")
			}
			finished <- got
		}()
		got.made, got.err = work()
	}()
	return finished
}

// attempt does work that cannot be interrupted. It leaves the work behind when ctx ends, because the process is about
// to.
func attempt[T any](ctx context.Context, log zerolog.Logger, work func() (T, error)) (T, error) {
	select {
	case got := <-begin(log, work):
		return got.made, got.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}

// first makes the snapshot that a start begins with. When the selector is not ready in time, it is one without, and
// the service takes the selector over later.
func (s *Service) first(ctx context.Context, loaded *content.Content, state content.State,
	selected <-chan outcome[*faq.Book], patience time.Duration) (*snapshot, error) {
	select {
	case got := <-selected:
		if got.err != nil {
			return nil, got.err
		}
		s.late = nil
		return attempt(ctx, s.log, func() (*snapshot, error) { return s.builder.snapshot(loaded, state, got.made) })
	case <-time.After(patience):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return attempt(ctx, s.log, func() (*snapshot, error) {
		byWords := faq.New(loaded.FAQ, loaded.Golden.Unanswered, s.builder.at.Resolve)
		made, err := s.builder.snapshot(loaded, state, byWords.Untried())
		if err == nil {
			made.untried = true
		}
		return made, err
	})
}

// takeOver waits for the selector that the start did not wait for, and makes it answer.
func (s *Service) takeOver(ctx context.Context) {
	if s.late == nil {
		return
	}
	began, progress := time.Now(), time.NewTicker(progressEvery)
	defer progress.Stop()
	for {
		done, total := s.builder.reader.Progress()
		s.log.Info().Int("read", done).Int("texts", total).
			Msg("the encoder reads the content; until it is done, only questions worded as published are answered")
		select {
		case <-progress.C:
			continue
		case <-ctx.Done():
			return
		case got := <-s.late:
			live, made := s.live.now(), (*snapshot)(nil)
			if got.err == nil {
				made, got.err = attempt(ctx, s.log, func() (*snapshot, error) {
					return s.builder.complete(live.content, live.state, got.made)
				})
			}
			switch {
			case got.err == nil:
				s.live.swap(made)
				s.event(made).Dur("ms", time.Since(began)).Msg("the selector answers now")
			case ctx.Err() == nil:
				s.meaningError.Store(&got.err)
				sum, _ := s.logFaults(got.err)
				sum.Msg("the selector stays off: only questions worded as published are answered until the content is corrected")
			}
			freeStartMemory()
			return
		}
	}
}

// waiting describes a selector that does not answer; nil if it does.
func (s *Service) waiting() *owner.Waiting {
	if !s.live.now().untried {
		return nil
	}
	w := new(owner.Waiting)
	w.Read, w.Texts = s.builder.reader.Progress()
	if err := s.meaningError.Load(); err != nil {
		w.Err = *err
	}
	return w
}

// extendStart asks systemd for time until the start is over.
func (s *Service) extendStart(ctx context.Context) {
	every(ctx, extendEvery, func() { s.notify(fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", extension.Microseconds())) })
}
