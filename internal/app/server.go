package app

import (
	"context"
	"errors"
	"fmt"
	stdlog "log"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/curation"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
	"frontdesk/mailer"
)

// Times of the server. A contact request may take mailer.SendTimeout to answer,
// so writing and stopping take longer than that.
const (
	ReadHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
	ShutdownTimeout   = 20 * time.Second
	lastRequests      = 100 * time.Millisecond // after the port was closed
)

// listen opens a listener; name is that of the setting without its prefix.
func listen(ctx context.Context, name, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", config.Prefix, name, err)
	}
	return listener, nil
}

func newServer(handler http.Handler, log zerolog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: ReadHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    contract.MaxHeaderBytes,
		ConnContext:       withConnection,
		ErrorLog:          stdlog.New(serverLog{log}, "", 0),
		// OPTIONS * goes the way of every other request.
		DisableGeneralOptionsHandler: true,
	}
}

// serverLog writes the lines of net/http into the log. Strangers try handshakes all day, for names and versions that
// are not served.
type serverLog struct{ log zerolog.Logger }

// Write implements io.Writer.
func (l serverLog) Write(line []byte) (int, error) {
	if strings.HasPrefix(string(line), "http: TLS handshake error") {
		l.log.Debug().Msg(strings.TrimSpace(string(line)))
		return len(line), nil
	}
	return l.log.Write(line)
}

// freeStartMemory gives back what only the start used. It collects the garbage of the whole process, so it is done
// once: tests start hundreds of services in one.
var freeStartMemory = sync.OnceFunc(debug.FreeOSMemory)

// Run answers requests until ctx ends, then lets those in flight finish.
func (s *Service) Run(ctx context.Context) error {
	working, stopWork := context.WithCancel(ctx)
	var background sync.WaitGroup
	first := s.live.now()
	background.Go(func() {
		if s.awaitDatabase(working) {
			s.noteStopped(working, first)
			s.prune(working)
		}
	})
	if s.backups != nil {
		s.backups.Log = s.log
		background.Go(func() { s.backups.Run(working) })
	}
	for _, work := range []func(context.Context){
		s.outbox.Recover, s.outbox.RemindOfQuarantine, s.notifier.Run, s.quota.Run, s.reloads, s.watchdog,
	} {
		background.Go(func() { work(working) })
	}
	background.Go(func() {
		s.live.now().published() // before the first request
		if s.late == nil {       // otherwise the start is not over yet
			freeStartMemory()
		}
	})
	defer background.Wait()
	defer stopWork()
	// Requests in flight may still have questions to keep, and mails whose outcome has
	// to be recorded.
	keeping, stopKeeping := context.WithCancel(context.WithoutCancel(ctx))
	for _, work := range []func(context.Context){s.outbox.Settle, s.keeper.Run, s.counts.run} {
		background.Go(func() { work(keeping) })
	}
	defer stopKeeping()

	defer s.admin.close() // at the very end: it reports that the service is stopping

	defer s.openControl(ctx)()
	clients, failed := s.serve(working, &background)
	if s.config.AdminAddr == "" {
		go s.admin.serve(s.log)
	}
	s.notify(daemon.SdNotifyReady)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.notify(daemon.SdNotifyStopping)
	s.drain(clients)
	return s.shutDown(context.WithoutCancel(ctx)) // ctx has ended; the requests get their own time
}

// drain makes readiness fail. It keeps accepting requests until load balancers have noticed, and serves the connections
// accepted last: http.Server.Shutdown drops a request that it reads later.
func (s *Service) drain(clients net.Listener) {
	s.draining.Store(true)
	if s.config.DrainDelay.Value > 0 {
		s.log.Info().Stringer("delay", s.config.DrainDelay.Value).Msg("draining: not ready, still accepting requests")
		time.Sleep(s.config.DrainDelay.Value)
		_ = clients.Close() // nothing can be done about an error
		time.Sleep(lastRequests)
	}
}

// closing asks clients to close their connections while the service drains. Idle ones stay
// open until then: a proxy may be about to send a request on them, which
// http.Server.SetKeepAlivesEnabled would lose.
func (s *Service) closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// shutDown stops accepting and finishes what is in flight. Every request is answered in time, so that what is left then
// are clients that do not read their answer.
func (s *Service) shutDown(ctx context.Context) error {
	s.log.Info().Msg("stopping: finishing what is in flight")
	grace, cancel := context.WithTimeout(ctx, ShutdownTimeout)
	defer cancel()
	err := s.server.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn().Stringer("after", ShutdownTimeout).Msg("closing connections whose clients do not read")
		err = s.server.Close()
	}
	if err != nil && !errors.Is(err, net.ErrClosed) { // drain has closed the listener already
		return fmt.Errorf("stopping: %w", err)
	}
	s.log.Info().Msg("stopped")
	return nil
}

// awaitDatabase looks each second for a database that was away at the start, which brings
// its schema up to date. It returns false when ctx ends before.
func (s *Service) awaitDatabase(ctx context.Context) bool {
	if s.store.Away() == nil {
		return true
	}
	for {
		err := s.store.Reach(ctx)
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

// every works at once and then at each interval, until ctx ends.
func every(ctx context.Context, interval time.Duration, work func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for ctx.Err() == nil {
		work()
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// answeredAge is the age at which a kept answered question is deleted, if the retention is
// not shorter.
const answeredAge = 90 * 24 * time.Hour

// prune deletes what is older than the retention, now and once a day. A failure is
// tried again the next day.
func (s *Service) prune(ctx context.Context) {
	every(ctx, 24*time.Hour, func() {
		deleted, err := s.store.Prune(ctx, records.Retention{
			Records: s.config.Retention.Value, Answered: answeredAge,
		}, time.Now())
		if folder, kept := s.config.Mail.(*mailer.Folder); kept {
			mails, failed := folder.Prune(time.Now().Add(-s.config.Retention.Value))
			deleted, err = deleted+int64(mails), errors.Join(err, failed)
		}
		err = errors.Join(err, curation.PruneReplaced(s.config.Dir(), time.Now().Add(-records.ChangeAge)))
		switch {
		case err != nil && ctx.Err() == nil:
			s.events.Add(span.RetentionFailed, "")
			s.log.Error().Err(err).Msg("deleting old records failed")
		case deleted > 0:
			s.log.Info().Int64("deleted", deleted).Msg("old records and mails deleted")
		}
	})
}
