package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"frontdesk/internal/admin"
	"frontdesk/internal/client"
	"frontdesk/internal/config"
)

// runningService is the service that runs on a data folder.
type runningService struct {
	Data string `env:"FRONTDESK_DATA" default:"./data" placeholder:"DIR"`
}

type reloadCmd struct{ runningService }

// Run prints what is live after the reload, or every fault.
func (c *reloadCmd) Run(ctx context.Context, std Streams) error {
	err := c.ask(ctx, std, admin.ActionReload)
	if refused, ok := errors.AsType[*admin.RefusedError](err); ok {
		return fmt.Errorf("the service refused the reload: %s", refused.Reason)
	}
	return err
}

type adminLinkCmd struct{ runningService }

func (c *adminLinkCmd) Run(ctx context.Context, std Streams) error {
	return c.ask(ctx, std, admin.ActionSignInLink)
}

// longestRequest is how long a command waits for the service.
const longestRequest = time.Minute

// ask prints what the service answers to a request.
func (s runningService) ask(ctx context.Context, std Streams, request string) error {
	ctx, cancel := context.WithTimeout(ctx, longestRequest)
	defer cancel()
	answer, err := admin.Ask(ctx, config.DataFolder{Data: s.Data}.Dir(), request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no answer within %v; the service continues", longestRequest)
	case errors.Is(err, admin.ErrNotRunning):
		return &client.ExitError{Code: client.ExitUnreachable, Err: err}
	case err == nil:
		err = std.printf("%s\n", answer)
	}
	return err
}

// locate finds the desk that runs on the data folder of the environment, else that of its settings.
func locate(ctx context.Context) (url, dial string) {
	given, err := environment()
	if err != nil {
		return "", "" // the service does not start with these settings either
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if answer, err := admin.Ask(ctx, given.Dir(), admin.ActionAddress); err == nil {
		url, dial, _ = strings.Cut(answer, " ")
		return url, dial
	}
	if given.Addr == "" && !given.IsOn() {
		return "", ""
	}
	settings := given.WithDefaults()
	service, _ := settings.Service(0) // it has the domains, also when a file of another setting is missing here
	return service.Local(settings.Addr)
}

func environment() (config.Settings, error) {
	var given struct{ config.Settings }
	parser, err := kong.New(&given)
	if err == nil {
		_, err = parser.Parse(nil)
	}
	return given.Settings, err
}
