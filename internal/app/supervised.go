package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/coreos/go-systemd/v22/daemon"

	"frontdesk/contract"
	"frontdesk/internal/control"
	"frontdesk/internal/span"
)

// notify reports a state to systemd (sd_notify). Without NOTIFY_SOCKET it does nothing.
func (s *Service) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.log.Warn().Err(err).Msg("cannot report the state of the service to systemd")
	}
}

// watchdog reports to systemd that the service is alive, twice in each interval of the
// unit's WatchdogSec and only while it answers a request. Dependencies do not count: a
// restart would not mend them.
func (s *Service) watchdog(ctx context.Context) {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn().Err(err).Msg("the watchdog of the systemd unit is off")
	}
	if err != nil || interval <= 0 {
		return
	}
	every(ctx, interval/2, func() {
		if s.answers(ctx) {
			s.notify(daemon.SdNotifyWatchdog)
		}
	})
}

// answers reports whether the service answers a health request, through every layer but
// the network.
func (s *Service) answers(ctx context.Context) bool {
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, contract.PathHealth, nil) // of constants
	request.RequestURI, request.RemoteAddr = contract.PathHealth, "127.0.0.1:0"
	request.Header.Set("User-Agent", contract.Product+"-watchdog")
	answer := statusWriter{header: http.Header{}, status: http.StatusOK}
	s.Handler().ServeHTTP(&answer, request)
	return answer.status == http.StatusOK
}

// statusWriter keeps only the status of an answer.
type statusWriter struct {
	header http.Header
	status int
}

func (w *statusWriter) Header() http.Header         { return w.header }
func (w *statusWriter) WriteHeader(status int)      { w.status = status }
func (w *statusWriter) Write(p []byte) (int, error) { return len(p), nil }

var errNotServing = errors.New("the service is starting or stopping")

// requestReload reloads in turn with all other reloads, and describes the content that is
// live then.
func (s *Service) requestReload(ctx context.Context) (string, error) {
	verdict := make(chan error, 1)
	select {
	case s.reloadRequests <- verdict:
	case <-ctx.Done():
		return "", errNotServing
	}
	select {
	case err := <-verdict:
		live := s.live.now()
		return fmt.Sprintf("content revision %s is live, %d entries", live.state.Revision(), live.content.FAQ.Count()), err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// openControl answers `frontdesk reload` and `frontdesk admin-link`. A service without the socket still reloads
// on SIGHUP, so that a failure is only logged.
func (s *Service) openControl(ctx context.Context) (stop func()) {
	dir := s.config.Dir()
	stop, err := control.Serve(ctx, dir,
		map[string]control.Action{control.Reload: s.requestReload, control.SignInLink: s.SignInLink})
	switch {
	case errors.Is(err, control.ErrInUse):
		stop, err = control.JoinAsSecond(dir)
		s.events.Add(span.FolderShared, "")
		s.log.Warn().Err(err).Str("data", dir).Msg("two services run on one data folder: each applies the limits by " +
			"itself, and frontdesk reload reaches only the first; stop one of them")
	case err != nil:
		s.log.Info().Err(err).Msg("frontdesk reload does not reach this service; send it SIGHUP instead")
		return func() {}
	}
	return stop
}
