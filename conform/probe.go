package conform

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"frontdesk/contract"
)

// Probe plays one check. It sends from one client address and records what it sent
// for the report.
type Probe struct {
	run   *Session
	check *Check
	from  *client
	sent  []Request
	// unobserved keeps its answers from the checks that observe every answer.
	unobserved bool
	// asks, sends and trials count what the check has taken of its limits.
	asks, sends, trials int
}

// outcome is how a check ended. A probe panics with it to end a check early.
type outcome struct {
	status                Status
	expected, got, reason string
	slots                 int // of a limit that the check would have taken
}

// Fail ends the check: something else came than what was expected.
func (p *Probe) Fail(expected, got string) {
	panic(outcome{status: Fail, expected: expected, got: got})
}

// Skip ends the check: it cannot be played here, for the reason.
func (p *Probe) Skip(reason string, args ...any) {
	panic(outcome{status: Skip, reason: fmt.Sprintf(reason, args...)})
}

// FromAnotherAddress makes the probe send from another client address. Away from
// loopback there is only one.
func (p *Probe) FromAnotherAddress() *Probe {
	p.from = p.run.clients.next()
	return p
}

// Send sends one request and returns its answer. No answer fails the check.
func (p *Probe) Send(r Request) *Answer {
	p.spend(r)
	answers, err := p.Exchange(r, false)
	if len(answers) == 0 {
		p.Fail("an answer", lostConnection(err))
	}
	a := answers[0]
	if a.Status == http.StatusTooManyRequests && p.run.polite && !p.check.Slow {
		p.Skip("the service limits this address already: try again in %s seconds", a.HeaderValue("Retry-After"))
	}
	return a
}

// SendRaw sends bytes that may be several requests, or none, and returns every answer
// until the connection ends. There may be none.
func (p *Probe) SendRaw(wire string) []*Answer {
	answers, _ := p.Exchange(Request{Raw: wire}, true)
	return answers
}

// Exchange dials, sends the request and returns its answer, or with every all answers
// until the connection ends. It writes while it reads, because a service may answer
// before it has read everything.
func (p *Probe) Exchange(r Request, every bool) ([]*Answer, error) {
	p.sent = append(p.sent, r)
	ctx, cancel := context.WithTimeout(p.run.ctx, p.run.options.timeout())
	defer cancel()
	p.run.unanswered.Add(1)
	conn, err := p.run.dial(ctx, p.from)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	_ = conn.SetDeadline(deadline)
	go func() {
		_, _ = conn.Write(r.bytes(p.run.target)) // an early answer may close the connection
	}()
	method := r.Method
	if every {
		method, _, _ = strings.Cut(r.Raw, " ")
	}
	var answers []*Answer
	for reader := bufio.NewReader(conn); len(answers) == 0 || every; {
		a, err := readAnswer(reader, method)
		if err != nil {
			return answers, err
		}
		p.run.unanswered.Store(0)
		if method == http.MethodHead && !every {
			a.Body = untilClosed(reader)
		}
		a.Probe, a.Request = p, r
		answers = append(answers, a)
		if !p.unobserved {
			p.run.observer.observe(a)
		}
	}
	return answers, nil
}

// untilClosed returns what follows a head that must have no body. The request asked
// for the connection to be closed.
func untilClosed(r io.Reader) []byte {
	rest, _ := io.ReadAll(io.LimitReader(r, MaxBody)) // a connection that breaks has ended too
	return rest
}

func lostConnection(err error) string {
	switch {
	case errors.Is(err, io.EOF):
		return "the connection was closed without an answer"
	case err != nil:
		return err.Error()
	}
	return "nothing"
}

// spend counts what a request takes of the limits. It panics when the check takes more
// than it declares, which is a mistake in the check.
func (p *Probe) spend(r Request) {
	switch r.Policy() {
	case contract.AskPolicy.Name:
		p.asks++
	case contract.ContactPolicy.Name:
		p.sends++
	case contract.TrialPolicy.Name:
		p.trials++
	}
	if p.asks > p.check.Asks || p.sends > p.check.Sends || p.trials > p.check.Trials {
		panic(fmt.Sprintf("check %s takes more of the limits than it declares", p.check.Name))
	}
}

// Sleep waits, and skips the check when the run is interrupted.
func (p *Probe) Sleep(d time.Duration) {
	if err := wait(p.run.ctx, d); err != nil {
		p.Skip("%s", interrupted)
	}
}

// commands returns shell commands that repeat what was sent, equal requests in a row as
// a loop.
func (p *Probe) commands() string {
	var commands []string
	for i := 0; i < len(p.sent); {
		command, times := p.sent[i].command(p.run.target), 0
		for ; i < len(p.sent) && p.sent[i].command(p.run.target) == command; i++ {
			times++
		}
		if times > 1 {
			command = fmt.Sprintf("for i in $(seq %d); do %s; done", times, command)
		}
		commands = append(commands, command)
	}
	return strings.Join(commands[max(0, len(commands)-shownCommands):], "\n")
}

// shownCommands is how many commands of one check a report shows.
const shownCommands = 8

// First returns the first of the answers. It fails the check when there is none.
func (p *Probe) First(answers []*Answer) *Answer {
	if len(answers) == 0 {
		p.Fail("an answer", "the connection was closed without one")
	}
	return answers[0]
}

// Sink returns the mail sink of the run; checks that use it are played only with one.
func (p *Probe) Sink() *Sink { return p.run.options.Sink }

// IsHTTPS reports whether the service is called over https.
func (p *Probe) IsHTTPS() bool { return p.run.target.Scheme == "https" }

// Clone returns a probe of the same check and address, for requests at the same time.
func (p *Probe) Clone() *Probe { return &Probe{run: p.run, check: p.check, from: p.from} }

// Record notes a request that another probe of the check sends, for the report.
func (p *Probe) Record(r Request) { p.sent = append(p.sent, r) }
