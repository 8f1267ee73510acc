package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"frontdesk/contract"
)

// HealthCmd checks that a service is running (GET /v1/health).
type HealthCmd struct {
	Connection
	Timeout time.Duration `default:"5s" placeholder:"TIME"`
}

// Validate refuses a timeout that is not positive.
func (c *HealthCmd) Validate() error {
	if c.Timeout <= 0 {
		return errors.New("--timeout must be a time such as 5s")
	}
	return nil
}

// Run requests the health and prints how long the answer took.
func (c *HealthCmd) Run(ctx context.Context) error {
	start := time.Now()
	return printAnswer(ctx, c.Connection, request{path: contract.PathHealth, timeout: c.Timeout},
		func(h contract.Health) bool { return h.Status == contract.HealthOK },
		func(p *page, h contract.Health) {
			took := max(time.Since(start).Round(time.Millisecond), time.Millisecond)
			p.line(bold(h.Status), plain(fmt.Sprintf("  %s  %d ms", c.address(), took.Milliseconds())))
		})
}
