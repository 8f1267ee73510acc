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

// probe plays one check: it sends from an address of its own and remembers what it
// sent, for the report.
type probe struct {
	run   *runner
	check *Check
	from  *client
	sent  []request
	// unseen keeps its answers from the checks that watch.
	unseen bool
	// What the check has taken of its limits.
	asks, sends, trials int
}

// outcome ends a check early; a probe panics with it.
type outcome struct {
	status                Status
	expected, got, reason string
	slots                 int // that it would have taken
}

// expected ends the check: what was expected did not come.
func (p *probe) expected(expected, got string) {
	panic(outcome{status: Fail, expected: expected, got: got})
}

// skip ends the check: it cannot be played here.
func (p *probe) skip(reason string, args ...any) {
	panic(outcome{status: Skip, reason: fmt.Sprintf(reason, args...)})
}

// another is the same check from another client address; away from loopback there
// is only one.
func (p *probe) another() *probe {
	p.from = p.run.clients.next()
	return p
}

// send sends one request and reads its answer.
func (p *probe) send(r request) *answer {
	p.spend(r)
	answers, err := p.exchange(r, false)
	if len(answers) == 0 {
		p.expected("an answer", lostConnection(err))
	}
	a := answers[0]
	if a.status == http.StatusTooManyRequests && p.run.polite && !p.check.Slow {
		p.skip("the service limits this address already: try again in %s seconds", a.value("Retry-After"))
	}
	return a
}

// all sends bytes that may be several requests, or none, and reads every answer
// until the connection ends. No answer is an answer too.
func (p *probe) all(wire string) []*answer {
	answers, _ := p.exchange(request{wire: wire}, true)
	return answers
}

// exchange dials, writes and reads. The writing goes on beside the reading: a
// service may answer before it has read everything.
func (p *probe) exchange(r request, every bool) ([]*answer, error) {
	p.sent = append(p.sent, r)
	ctx, cancel := context.WithTimeout(p.run.ctx, p.run.options.timeout())
	defer cancel()
	p.run.silent.Add(1)
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
	method := r.method
	if every {
		method, _, _ = strings.Cut(r.wire, " ")
	}
	var answers []*answer
	for reader := bufio.NewReader(conn); len(answers) == 0 || every; {
		a, err := readAnswer(reader, method)
		if err != nil {
			return answers, err
		}
		p.run.silent.Store(0)
		if method == http.MethodHead && !every {
			a.body = untilClosed(reader)
		}
		a.probe, a.request = p, r
		answers = append(answers, a)
		if !p.unseen {
			p.run.watch.saw(a)
		}
	}
	return answers, nil
}

// untilClosed is what comes after a head that no body may follow. The request asked
// for the connection to be closed.
func untilClosed(r io.Reader) []byte {
	rest, _ := io.ReadAll(io.LimitReader(r, maxBody)) // a connection that breaks has ended too
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

// spend counts what a request takes of the limits against what the check has said
// it takes: a check that takes more is a mistake of its own, found by every run.
func (p *probe) spend(r request) {
	switch r.cost() {
	case contract.AskPolicy.Name:
		p.asks++
	case contract.ContactPolicy.Name:
		p.sends++
	case contract.TrialPolicy.Name:
		p.trials++
	}
	if p.asks > p.check.Asks || p.sends > p.check.Sends || p.trials > p.check.Trials {
		panic(fmt.Sprintf("check %s takes more of the limits than it says", p.check.Name))
	}
}

// sleep waits as a Retry-After tells, unless the run ends before.
func (p *probe) sleep(d time.Duration) {
	if err := wait(p.run.ctx, d); err != nil {
		p.skip("the run was interrupted")
	}
}

// show is the shell's form of what was sent, equal requests in a row as a loop.
func (p *probe) show() string {
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
