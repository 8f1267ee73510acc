package live

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/faq"
)

// progressEvery is the interval of log lines while the encoder reads.
const progressEvery = 10 * time.Second

// result is what work has made, or why it failed.
type result[T any] struct {
	made T
	err  error
}

// begin does work in the background. A panic is an error: content that triggers a bug must not end a service that
// runs well on the old content.
func begin[T any](log zerolog.Logger, work func() (T, error)) <-chan result[T] {
	finished := make(chan result[T], 1)
	go func() {
		var got result[T]
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

// awaitOrAbandon does work that cannot be interrupted. It abandons the work when ctx ends: the process is exiting.
func awaitOrAbandon[T any](ctx context.Context, log zerolog.Logger, work func() (T, error)) (T, error) {
	select {
	case got := <-begin(log, work):
		return got.made, got.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}

// freeStartMemory gives back what only the start used. It collects the garbage of the whole process, so it is done
// once: tests start hundreds of services in one.
var freeStartMemory = sync.OnceFunc(debug.FreeOSMemory)

// Load reads the folder and begins to train the selector, until working ends.
func (c *Content) Load(working context.Context) (err error) {
	if c.loaded, c.read, err = loadVersion(c.Folder); err != nil {
		return err
	}
	builder, loaded := c.Builder, c.loaded // the rest of the start goes on to fill in c.Builder
	c.training = begin(c.Log, func() (*faq.Answerer, error) { return builder.train(working, loaded) })
	return nil
}

// Start serves what Load has read: Ready, or Encoding when the selector is not trained in time. It fails when a golden
// question fails.
func (c *Content) Start(ctx context.Context) error {
	loaded, state, answerer := c.loaded, Ready, (*faq.Answerer)(nil)
	c.loaded = nil // a reload replaces it
	select {
	case got := <-c.training:
		if got.err != nil {
			return got.err
		}
		answerer = got.made
	case <-time.After(c.Patience):
		state = Encoding
	case <-ctx.Done():
		return ctx.Err()
	}
	s, err := awaitOrAbandon(ctx, c.Log, func() (*Snapshot, error) {
		if state == Encoding {
			answerer = faq.New(loaded.FAQ, loaded.Golden.Unanswered, c.At.Resolve).Untried()
		}
		return c.snapshot(loaded, c.read, answerer)
	})
	if err == nil {
		c.enter(state, s, nil)
		c.Embedder.Serve()
	}
	return err
}

// awaitSelector ends the state Encoding: it waits for the training that Load has begun.
func (c *Content) awaitSelector(ctx context.Context) {
	began, progress := time.Now(), time.NewTicker(progressEvery)
	defer progress.Stop()
	for {
		read, texts := c.Progress()
		c.Log.Info().Int("read", read).Int("texts", texts).
			Msg("the encoder reads the content; until it is done, only questions worded as published are answered")
		select {
		case <-progress.C:
		case <-ctx.Done():
			return
		case got := <-c.training:
			c.selectorTrained(ctx, got, began)
			return
		}
	}
}

func (c *Content) selectorTrained(ctx context.Context, got result[*faq.Answerer], began time.Time) {
	now, next := c.Now(), (*Snapshot)(nil)
	if got.err == nil {
		next, got.err = awaitOrAbandon(ctx, c.Log, func() (*Snapshot, error) {
			return c.complete(ctx, now.Content, now.version, got.made)
		})
	}
	switch {
	case got.err == nil:
		c.enter(Ready, next, nil)
		c.event(next).Dur("ms", time.Since(began)).Msg("selector ready")
	case ctx.Err() == nil:
		c.enter(WordsOnly, now, got.err)
		sum, _ := c.logFaults(got.err)
		sum.Msg("the selector stays off: only questions worded as published are answered until the content is corrected")
	}
}
