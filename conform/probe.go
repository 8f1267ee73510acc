package conform

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"frontdesk/contract"
)

// Probe runs one check. It sends from one client address and keeps its last request for
// the report.
type Probe struct {
	*Facts
	Options Options // of the run; checks with NeedsMail always have a Sink
	run     *session
	check   *Check
	from    net.IP
	sent    *Request // the last; nil if there is none
	// FirstAnswer is the first answer that Send has received for the check.
	FirstAnswer *Answer
	// taken counts the slots that the check has taken, by the name of the policy.
	taken map[string]int
}

// Fail ends the check because got is not what was expected. Its Result is the panic's value.
func (p *Probe) Fail(expected, got string) {
	panic(Result{Status: Fail, Expected: expected, Got: got})
}

// Skip ends the check because it cannot run, for the reason.
func (p *Probe) Skip(reason string, args ...any) {
	panic(Result{Status: Skip, Reason: fmt.Sprintf(reason, args...)})
}

// FromAnotherAddress makes the probe send from another client address. Away from
// loopback there is only one.
func (p *Probe) FromAnotherAddress() { p.from = p.run.address() }

// Send sends one request and returns its answer, of which everything expected holds. It
// fails the check without an answer.
func (p *Probe) Send(r Request, expected ...func(*Answer)) *Answer {
	if strings.HasPrefix(r.Path, contract.PathWorkspaceMCP) {
		p.NeedTrials()
	}
	p.take(r.Policy())
	a, err := p.exchange(r)
	if errors.Is(err, io.EOF) {
		p.Fail("an answer", "the connection was closed without an answer")
	}
	if err != nil {
		p.Fail("an answer", err.Error())
	}
	if p.FirstAnswer == nil {
		p.FirstAnswer = a
	}
	limited := a.Status == http.StatusTooManyRequests || p.ToolResults() && a.Header.Get(contract.HeaderRetryAfter) != ""
	if limited && r.Policy() != "" && p.run.at.polite && !p.check.Slow {
		p.Skip("the service limits this address already: try again in %s seconds", a.HeaderValue(contract.HeaderRetryAfter))
	}
	for _, holds := range expected {
		holds(a)
	}
	return a
}

// take counts a slot of a policy, which the check must have declared.
func (p *Probe) take(name string) {
	p.taken[name]++
	for policy, n := range p.check.Slots {
		if policy.Name == name && p.taken[name] <= n {
			return
		}
	}
	if name != "" {
		panic(fmt.Sprintf("check %s takes more of the limits than it declares", p.check.Name))
	}
}

// exchange dials, sends the request and returns its answer. It reads while it writes,
// because a service may answer before it has read everything.
func (p *Probe) exchange(r Request) (*Answer, error) {
	p.sent = &r
	ctx, cancel := context.WithTimeout(p.run.ctx, p.Options.Timeout)
	defer cancel()
	p.run.unanswered.Add(1)
	conn, err := p.run.at.dial(ctx, p.from)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	_ = conn.SetDeadline(deadline)
	go func() {
		_, _ = conn.Write(r.bytes(p.run.target)) // an early answer may close the connection
	}()
	reader := bufio.NewReader(io.LimitReader(conn, 2*maxBody))
	a, err := readAnswer(reader, r.Method)
	if err != nil {
		return nil, err
	}
	p.run.unanswered.Store(0)
	if r.Method == http.MethodHead { // must have no body; the request asked to close the connection
		a.Body, _ = io.ReadAll(io.LimitReader(reader, shownBody))
	}
	a.Probe, a.Request = p, r
	p.run.observe(a)
	return a, nil
}

// Sleep waits. It skips the check if the run is interrupted.
func (p *Probe) Sleep(d time.Duration) {
	if wait(p.run.ctx, d) != nil {
		p.Skip(interrupted)
	}
}

// ToolResults reports whether the service is set to answer errors of MCP tools as results.
func (p *Probe) ToolResults() bool { return p.Options.ToolErrors == contract.ToolErrorsResults }

// Tolerant reports whether the service is set to serve later protocol versions of MCP.
func (p *Probe) Tolerant() bool { return p.Options.Versions == contract.MCPVersionsTolerant }

// SendAtOnce sends a request n times concurrently from one address. An answer that did not
// come has no status.
func (p *Probe) SendAtOnce(n int, r Request) []*Answer {
	p.sent = &r
	answers := make([]*Answer, n)
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() {
			a, err := p.run.probe(p.check, p.from).exchange(r)
			if err != nil {
				a = &Answer{}
			}
			a.Probe, answers[i] = p, a
		})
	}
	group.Wait()
	return answers
}
