package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/rs/zerolog"

	"frontdesk/contract"
)

// notify reports a state to systemd (sd_notify). Without NOTIFY_SOCKET it does nothing.
func notify(log zerolog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn().Err(err).Msg("cannot report the state of the service to systemd")
	}
}

// extendEvery is the interval at which a start asks systemd for more time, extension what it asks for.
const extendEvery, extension = 5 * time.Second, 30 * time.Second

// ExtendStart asks systemd for time until ctx ends.
func ExtendStart(ctx context.Context, log zerolog.Logger) {
	Every(ctx, extendEvery, func() { notify(log, fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", extension.Microseconds())) })
}

// watchdog reports to systemd that the service is alive, twice in each interval of the unit's WatchdogSec and only
// while it answers a request. Dependencies do not count: a restart would not mend them.
func (s *Server) watchdog(ctx context.Context) {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn().Err(err).Msg("the watchdog of the systemd unit is off")
	}
	if err != nil || interval <= 0 {
		return
	}
	Every(ctx, interval/2, func() {
		if s.answers(ctx) {
			notify(s.log, daemon.SdNotifyWatchdog)
		}
	})
}

// answers reports whether the service answers a health request, through everything but the network.
func (s *Server) answers(ctx context.Context) bool {
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

// Every works at once and then at each interval, until ctx ends.
func Every(ctx context.Context, interval time.Duration, work func()) {
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
