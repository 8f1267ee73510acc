package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"frontdesk/internal/admin"
	"frontdesk/internal/backup"
	"frontdesk/internal/curation"
	"frontdesk/internal/outbox"
	"frontdesk/internal/records"
	"frontdesk/internal/server"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Run answers requests until ctx ends, then lets those in flight finish.
func (s *Service) Run(ctx context.Context) error {
	working, stopWork := context.WithCancel(ctx)
	var background sync.WaitGroup
	first := s.Content.Now()
	background.Go(func() {
		if s.awaitDatabase(working) {
			s.admin.NoteStopped(working, first)
			s.prune(working)
		}
	})
	background.Go(func() { s.Content.Run(working, s.options.Hangups) })
	if s.backups != nil {
		s.backups.Log, s.backups.Failed = s.log, s.notifier.BackupFailed
		background.Go(func() { s.backups.Run(working) })
	}
	for _, work := range []func(context.Context){
		s.outbox.Recover, s.outbox.RemindOfQuarantine, s.notifier.Run, s.quota.Run,
	} {
		background.Go(func() { work(working) })
	}
	defer background.Wait()
	defer stopWork()
	// Requests in flight may still have questions to keep, and mails whose outcome has to be recorded.
	keeping, stopKeeping := context.WithCancel(context.WithoutCancel(ctx))
	for _, work := range []func(context.Context){s.outbox.Settle, s.keeper.Run, s.counts.run} {
		background.Go(func() { work(keeping) })
	}
	defer stopKeeping()
	defer s.admin.Close()
	defer s.openControl(ctx)()
	if s.config.AdminAddr == "" {
		go s.admin.Serve()
	}
	// the admin listener stops last, so that it can report that the service is stopping
	return s.server.Run(ctx, s.admin.Shutdown)
}

// awaitDatabase looks each second for a database that was away at the start, which brings its schema up to date. It
// returns false when ctx ends before.
func (s *Service) awaitDatabase(ctx context.Context) bool {
	if s.store.ConnectError() == nil {
		return true
	}
	for {
		err := s.store.Reconnect(ctx)
		if err == nil {
			s.log.Info().Msg("the database answers")
			return true
		}
		if mismatch, ok := errors.AsType[*records.SchemaError](err); ok {
			s.log.Error().Err(mismatch).Msg("the database cannot be used")
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(time.Second):
		}
	}
}

// answeredAge is the age at which a kept answered question is deleted, if the retention is not shorter.
const answeredAge = 90 * 24 * time.Hour

// prune deletes what is older than the retention, now and once a day. A failure is tried again the next day.
func (s *Service) prune(ctx context.Context) {
	server.Every(ctx, 24*time.Hour, func() {
		deleted, err := s.store.Prune(ctx, records.Retention{
			Records: s.config.Retention.Value, Answered: answeredAge,
			Retried: 2 * outbox.RetryFor, // double, because a stopped service makes its last attempt late
		}, time.Now())
		// Also with a mail server: the mails may be from before it.
		mails, failed := mailer.FolderOf(s.config.Dir()).Prune(time.Now().Add(-s.config.Retention.Value))
		deleted, err = deleted+int64(mails), errors.Join(err, failed,
			curation.PrunePictures(s.config.Dir(), time.Now()), backup.RemoveAbandoned(s.config.Dir()))
		switch {
		case err != nil && ctx.Err() == nil:
			s.events.Add(span.RetentionFailed, "")
			s.log.Error().Err(err).Msg("deleting old records failed")
		case deleted > 0:
			s.log.Info().Int64("deleted", deleted).Msg("old records and mails deleted")
		}
	})
}

// openControl answers `frontdesk reload` and `frontdesk admin-link`. A service without the socket still reloads on
// SIGHUP, so that a failure is only logged.
func (s *Service) openControl(ctx context.Context) (stop func()) {
	dir := s.config.Dir()
	stop, err := admin.ServeControl(ctx, dir, map[string]admin.Action{
		admin.ActionAddress: func(context.Context) (string, error) {
			url, dial := s.config.Local(s.Addr().String())
			return url + " " + dial, nil
		},
		admin.ActionSignInLink: s.admin.SignInLink,
		admin.ActionReload: func(ctx context.Context) (string, error) {
			if err := s.Content.Request(ctx); err != nil {
				return "", err
			}
			return s.Content.Describe(), nil
		},
	})
	switch {
	case errors.Is(err, admin.ErrInUse):
		stop, err = admin.JoinAsSecond(dir)
		s.events.Add(span.FolderShared, "")
		s.log.Warn().Err(err).Str("data", dir).Msg("two services run on one data folder: each applies the limits by " +
			"itself, and frontdesk reload reaches only the first; stop one of them")
	case err != nil:
		s.log.Info().Err(err).Msg("control socket unavailable; use SIGHUP instead of frontdesk reload")
		return func() {}
	}
	return stop
}
