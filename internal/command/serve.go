package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rs/zerolog"

	"frontdesk/internal/app"
	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/owner"
	"frontdesk/internal/server"
)

type serveCmd struct {
	config.Settings
}

func (c *serveCmd) Run(ctx context.Context, std Streams, own Own) error {
	log := app.NewLog(c.Settings, std.Err)
	defer log.Close()
	// From the very start: by default the signal ends a process.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	signal.Ignore(syscall.SIGPIPE) // otherwise the end of the log's reader would end the service
	server.TuneMemory(log.Logger)
	service, err := app.New(ctx, c.Settings,
		app.Options{Log: log.Logger, LogDropped: log.Dropped, Version: release, Hangups: hangups,
			Own: own.Own})
	if ctx.Err() != nil && err != nil {
		log.Info().Msg("stopped during the start")
		return nil
	}
	if err != nil {
		return err
	}
	defer service.Close()
	service.Announce()
	if out := terminal(std); out != nil {
		printSignInLink(ctx, out, service, log.Logger)
	}
	return service.Run(ctx)
}

// printSignInLink prints how the owner signs in. A service without the link still works,
// so that a failure is only logged.
func printSignInLink(ctx context.Context, out io.Writer, service *app.Service, log zerolog.Logger) {
	link, err := service.SignInLink(ctx)
	if err != nil {
		log.Warn().Err(err).Msg("no sign-in link for the owner's pages")
		return
	}
	fmt.Fprintf(out, "\nThe owner's pages, for one browser within %d minutes:\n  %s\n\n",
		int(owner.LinkLifetime.Minutes()), link)
}

// terminal is the output that a person reads at this moment, or nil. A sign-in link is
// printed only there: logs and pipes are kept, and read by others.
func terminal(std Streams) io.Writer {
	for _, out := range []io.Writer{std.Out, std.Err} {
		if client.IsTerminal(out) {
			return out
		}
	}
	return nil
}
