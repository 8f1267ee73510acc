package app

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/metrics"
	"frontdesk/internal/span"
	"frontdesk/internal/watch"
)

// reloads follows the signal and the content folder until ctx ends. There is one
// reload at a time; what comes meanwhile leads to one more.
func (s *Service) reloads(ctx context.Context) {
	changed := make(chan struct{}, 1)
	var watching sync.WaitGroup
	defer watching.Wait()
	if s.config.Content != "" {
		folder := watch.Folder{Path: s.config.Content, Within: content.Folders(), Log: s.log}
		watching.Go(func() {
			folder.Run(ctx, func() { signal(changed) }) // a reload that is due sees this change too
		})
	}
	s.takeOver(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.options.Hangups:
			s.log.Info().Msg("SIGHUP: reloading")
			_ = errors.Join(s.reloadKeys(), s.https.Reload(), s.reload(ctx, true)) // logged
		case verdict := <-s.reloadRequests:
			s.log.Info().Msg("frontdesk reload: reloading")
			verdict <- errors.Join(s.reloadKeys(), s.https.Reload(), s.reload(ctx, true))
		case <-changed:
			_ = s.reload(ctx, false) // logged
		}
	}
}

// reload reads the content folder and makes it live if it is good. Faults are logged and
// returned, and change nothing. Unless the reload was requested, a folder in its last known
// state is skipped.
func (s *Service) reload(ctx context.Context, asked bool) error {
	if s.config.Content == "" {
		s.log.Info().Msg("the content is the embedded sample: nothing to reload")
		return nil
	}
	began := time.Now()
	loaded, state, err := s.loadSteady(s.tried)
	if state == s.tried && !asked {
		s.metrics.Reload(metrics.Unchanged)
		return nil
	}
	s.tried = state
	old := s.live.now()
	if err == nil && state == old.state && !asked {
		s.metrics.Reload(metrics.Unchanged)
		s.event(old).Msg("content is back to the live version; nothing to do")
		return nil
	}
	made := old
	if err == nil {
		made, err = attempt(ctx, s.log, func() (*snapshot, error) {
			return s.builder.build(ctx, loaded, state)
		})
	}
	if ctx.Err() != nil {
		return errNotServing
	}
	if err != nil {
		s.metrics.Reload(metrics.Refused)
		sum, faults := s.logFaults(err)
		s.events.Add(span.ContentRefused, state.Revision())
		sum.Str("live", old.state.Revision()).Msg("content refused: the old content stays live")
		s.notifier.ContentRefused(context.Background(), state.Revision(), faults)
		return err
	}
	s.live.swap(made)
	s.previews.Purge() // they were tried against the old content
	if made.state != old.state {
		s.noteEdit(ctx, old, made)
	}
	s.metrics.Reload(metrics.Reloaded)
	s.event(made).Dur("ms", time.Since(began)).Msg("content reloaded")
	s.warn(loaded)
	return nil
}

// How often, and with which pause, a folder that is changing is read. The watch of the
// folder has waited for it before, however long that took; a reload that was asked for
// waits here.
const (
	rereads     = 100
	rereadPause = 100 * time.Millisecond
)

var errChanging = errors.New("the content folder was changing all the while it was read")

// loadSteady reads the folder until it finds it twice in the same state, the one
// before included: another version may be copied into place between one file and the
// next.
func (s *Service) loadSteady(before content.State) (loaded *content.Content, state content.State, err error) {
	for read := range rereads {
		if loaded, state, err = loadState(s.config.Content); state == before {
			return loaded, state, err
		}
		before = state
		if read == 1 {
			s.log.Info().Msg("the content folder is still changing; the old content stays live until it is steady")
		}
		if read > 0 {
			time.Sleep(rereadPause)
		}
	}
	return nil, state, errChanging
}

// logFaults logs each fault on a line of its own, as frontdesk check does, and returns the
// line that sums them up, and their number.
func (s *Service) logFaults(err error) (sum *zerolog.Event, n int) {
	faults, ok := errors.AsType[content.Faults](err)
	if !ok {
		return s.log.Error().Err(err), 1
	}
	for _, fault := range faults {
		s.log.Error().Msg(fault.String())
	}
	return s.log.Error().Int("faults", len(faults)), len(faults)
}

// event is a log line that names the content it is about.
func (s *Service) event(of *snapshot) *zerolog.Event {
	return s.log.Info().Str("revision", of.state.Revision()).Int("entries", of.content.FAQ.Count())
}

func (s *Service) warn(loaded *content.Content) {
	for _, warning := range slices.Concat(loaded.Warnings(time.Now()),
		faq.SizeWarnings(loaded.FAQ, s.builder.reader != nil)) {
		s.log.Warn().Msg(warning.String())
	}
}
