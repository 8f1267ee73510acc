package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/metrics"
	"frontdesk/internal/watch"
)

func (s *service) addresses() discovery.Addresses {
	return discovery.Addresses{Base: s.config.BaseURL, App: s.config.AppURL}
}

// book makes the book of loaded content.
func (s *service) book(loaded *content.Content) *faq.Book {
	return s.newBook(loaded.FAQ, loaded.Golden.Unanswered, s.config.Precision, s.addresses().Resolve)
}

// snapshot makes the snapshot of loaded content and its book, beside the one that is
// live.
func (s *service) snapshot(loaded *content.Content, state content.State, book *faq.Book) (*snapshot, error) {
	made, err := newSnapshot(loaded, book, s.addresses(), s.core)
	if err != nil {
		return nil, err
	}
	made.state = state
	return made, nil
}

// reloads follows the signal and the content folder until ctx ends. There is one
// reload at a time; whatever comes meanwhile leads to one more.
func (s *service) reloads(ctx context.Context) {
	changed := make(chan struct{}, 1)
	var watching sync.WaitGroup
	defer watching.Wait()
	if s.settings.Content != "" {
		folder := watch.Folder{Path: s.settings.Content, Within: content.Folders(), Log: s.log}
		watching.Go(func() {
			folder.Run(ctx, func() {
				select {
				case changed <- struct{}{}:
				default: // one that is to come sees this change too
				}
			})
		})
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.hangups:
			s.log.Info().Msg("SIGHUP: reloading")
			s.reloadKeys()
			s.reload(true)
		case <-changed:
			s.reload(false)
		}
	}
}

// reload reads the content folder and, when it is good, makes it live. What is bad
// changes nothing but the log. Unless it was asked for, nothing is done about a
// folder that is in the state in which it was last read.
func (s *service) reload(asked bool) {
	if s.settings.Content == "" {
		s.log.Info().Msg("the content is the embedded sample: there is nothing to reload")
		return
	}
	began := time.Now()
	loaded, state, err := loadSteady(s.settings.Content, s.tried)
	if state == s.tried && !asked {
		s.metrics.Reload(metrics.Unchanged)
		return
	}
	s.tried = state
	old := s.live.current.Load()
	if err == nil && state == old.state && !asked {
		s.metrics.Reload(metrics.Unchanged)
		s.event(old).Msg("the content is that which is live again")
		return
	}
	made := old
	if err == nil {
		made, err = s.build(loaded, state)
	}
	if err != nil {
		s.metrics.Reload(metrics.Refused)
		s.refuse(err, old)
		return
	}
	s.live.swap(made)
	s.metrics.Reload(metrics.Reloaded)
	s.event(made).Dur("ms", time.Since(began)).Msg("content reloaded")
	s.warn(loaded)
}

// loadSteady reads the folder until it finds it twice in the same state, of which the
// one before counts: somebody may put another version in place between one file and
// the next. After some tries it takes what it finds; the change that goes on leads to
// a reload of its own.
func loadSteady(dir string, before content.State) (loaded *content.Content, state content.State, err error) {
	for range 6 {
		if loaded, state, err = loadState(dir); state == before {
			break
		}
		before = state
	}
	return loaded, state, err
}

// build makes everything of loaded content that is served. Nobody waits for it: a
// fault of ours that it brings to light must not end the service that runs well on
// the old.
func (s *service) build(loaded *content.Content, state content.State) (made *snapshot, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v", value)
			s.log.Error().Bytes("stack", debug.Stack()).Err(err).Msg("the content could not be built")
		}
	}()
	if made, err = s.snapshot(loaded, state, s.book(loaded)); err == nil {
		made.published()
	}
	return made, err
}

// refuse tells every fault, one on a line, as the start and frontdesk check do.
func (s *service) refuse(err error, live *snapshot) {
	refused := s.log.Error()
	if faults, ok := errors.AsType[content.Faults](err); ok {
		for _, fault := range faults {
			s.log.Error().Msg(fault.String())
		}
		refused.Int("faults", len(faults))
	} else {
		refused.Err(err)
	}
	refused.Str("live", live.state.Revision()).Msg("content refused: the old stays live")
}

// event is a log line that tells which content it is about.
func (s *service) event(of *snapshot) *zerolog.Event {
	return s.log.Info().Str("revision", of.state.Revision()).Int("entries", len(of.content.FAQ.Entries))
}

func (s *service) warn(loaded *content.Content) {
	for _, warning := range loaded.Warnings(time.Now()) {
		s.log.Warn().Msg(warning.String())
	}
}
