package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/control"
)

type reloadCmd struct {
	Data    string        `env:"FRONTDESK_DATA" default:"./data" placeholder:"DIR" help:"Data folder of the running service."`
	Timeout time.Duration `default:"60s" placeholder:"TIME" help:"The longest to wait for the verdict."`
}

// Run prints what is live after the reload, or every fault.
func (c *reloadCmd) Run(ctx context.Context, std Streams) error {
	err := askService(ctx, std, c.Data, c.Timeout, control.Reload)
	if refused, ok := errors.AsType[*control.RefusedError](err); ok {
		return fmt.Errorf("the service refused the reload: %s", refused.Reason)
	}
	return err
}

type adminLinkCmd struct {
	Data    string        `env:"FRONTDESK_DATA" default:"./data" placeholder:"DIR" help:"Data folder of the running service."`
	Timeout time.Duration `default:"10s" placeholder:"TIME" help:"The longest to wait for the link."`
}

func (c *adminLinkCmd) Run(ctx context.Context, std Streams) error {
	return askService(ctx, std, c.Data, c.Timeout, control.SignInLink)
}

// askService prints what the service that runs on a data folder answers to a request.
func askService(ctx context.Context, std Streams, data string, timeout time.Duration, request string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := control.Ask(ctx, config.DataFolder{Data: data}.Dir(), request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no answer within %v; the service goes on with it", timeout)
	case errors.Is(err, control.ErrNotRunning):
		return &client.ExitError{Code: client.ExitUnreachable, Err: err}
	case err == nil:
		_, err = fmt.Fprintln(std.Out, answer)
	}
	return err
}
