package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"frontdesk/conform"
	"frontdesk/conform/checks"
	"frontdesk/contract"
	"frontdesk/internal/client"
)

type conformCmd struct {
	URL        string `arg:""`
	JSON       bool
	Only       []string `placeholder:"GLOB|SECTION"`
	Send       bool
	MailSink   string `placeholder:"ADDR"`
	Slow       bool
	Polite     bool
	ToolErrors string            `name:"mcp-tool-errors" enum:"contract,results" default:"contract" placeholder:"FORM"`
	Versions   string            `name:"mcp-versions" enum:"contract,tolerant" default:"contract" placeholder:"FORM"`
	Policy     map[string]string `placeholder:"NAME=QUOTA/SECONDS"`
	Timeout    time.Duration     `default:"20s" placeholder:"TIME"`
}

// Validate refuses a timeout that is not positive.
func (c *conformCmd) Validate() error {
	if c.Timeout <= 0 {
		return errors.New("--timeout must be a time such as 20s")
	}
	return nil
}

func (c *conformCmd) Run(ctx context.Context, std Streams, t *client.Terminal) error {
	options := conform.Options{
		URL: c.URL, Only: c.Only, Send: c.Send, Slow: c.Slow, Polite: c.Polite, ToolErrors: c.ToolErrors,
		Versions: c.Versions, Timeout: c.Timeout,
	}
	policies, err := c.policies()
	if err != nil {
		return usageError(err)
	}
	if t.Color && !c.JSON { // a person is watching
		options.Progress = func(done, total int) { fmt.Fprintf(std.Err, "\r%d of %d checks ", done, total) }
		defer fmt.Fprintln(std.Err)
	}
	if c.MailSink != "" {
		sink, err := conform.ListenMail(c.MailSink)
		if err != nil {
			return usageError(fmt.Errorf("--mail-sink: %w", err))
		}
		defer func() { _ = sink.Close() }() // the run is over
		options.Sink = sink
	}
	report, err := conform.Run(ctx, checks.Contract(policies...), options)
	if errors.Is(err, conform.ErrUnreachable) {
		return &client.ExitError{Code: client.ExitUnreachable, Err: err}
	}
	if err != nil {
		return usageError(err)
	}
	if c.JSON {
		err = std.printJSON(report)
	} else {
		err = report.Text(std.Out)
	}
	if err == nil && report.Failed > 0 {
		err = &client.ExitError{Code: client.ExitRefused}
	}
	return err
}

// policies returns the policies that --policy changes.
func (c *conformCmd) policies() (changed []contract.Policy, err error) {
	known := map[string]contract.Policy{"ask": contract.AskPolicy, "contact": contract.ContactPolicy,
		"trial": contract.TrialPolicy}
	for name, text := range c.Policy {
		policy, ok := known[name]
		var seconds int
		_, _ = fmt.Sscanf(text, "%d/%d", &policy.Quota, &seconds) // compared with the text
		policy.Window = time.Duration(seconds) * time.Second
		if !ok || text != fmt.Sprintf("%d/%d", policy.Quota, seconds) || policy.Quota < checks.LeastQuota || seconds < 2 {
			return nil, fmt.Errorf("--policy %s=%s: write ask, contact or trial, and at least %d requests in at least 2 "+
				"seconds, such as ask=10/30", name, text, checks.LeastQuota)
		}
		changed = append(changed, policy)
	}
	return changed, nil
}
