package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"frontdesk/internal/app"
	"frontdesk/internal/config"
)

// serveCmd runs the service until it is told to stop.
type serveCmd struct {
	config.Settings
}

// Help is kong's text below the usage.
func (serveCmd) Help() string {
	return "Without a setting it serves the sample content on http://localhost:8080, and keeps records and mail in ./data. " +
		"Each setting is a flag and an environment variable; the flag wins. " +
		"A setting that is wrong stops the start with its name.\n\n" +
		"A change in the content folder, or SIGHUP, loads the content again; content with a fault is refused, and the old content stays live. " +
		"SIGTERM and SIGINT stop it after the requests in flight are finished.\n\n" +
		"Example:\n\n\tfrontdesk serve --content mydesk --addr 127.0.0.1:9000"
}

// Run starts the service and waits for the end of ctx.
func (c *serveCmd) Run(ctx context.Context, std Streams) error {
	log, err := app.NewLog(c.Settings, std.Err)
	if err != nil {
		return err
	}
	defer log.Close()
	// From the very start: by default the signal ends a process.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	signal.Ignore(syscall.SIGPIPE) // otherwise the end of the log's reader would end the service
	app.TuneMemory(log.Logger)
	service, err := app.New(ctx, c.Settings, app.Options{Log: log.Logger, LogDropped: log.Dropped, Version: thisBuild().Version, Hangups: hangups})
	if err != nil {
		return err
	}
	defer service.Close()
	service.Announce()
	return service.Run(ctx)
}
