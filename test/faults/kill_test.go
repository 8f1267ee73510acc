package faults

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// TestKilledOverAndOver kills the process with SIGKILL while eight callers send, when
// one conversation has reached a random stage, and starts it again on the same data,
// until the next kill. After each kill it compares answers, records and mails. It does
// not run in parallel with others: on a busy machine the database may take too long for
// a request, which is then refused.
func TestKilledOverAndOver(t *testing.T) {
	k := &killing{dir: t.TempDir(), mail: mailtest.Listen(t, login), chance: newChance(t, 3), was: map[int]records.Inquiry{}, mails: map[int]int{}}
	kills := sized(2, 100)
	for n := range kills {
		k.kill(t, n+1)
	}
	k.last(t)
	accepted, again := 0, 0
	for i, request := range k.requests {
		if request.status == http.StatusOK {
			accepted++
		}
		again += max(0, k.mails[i]-1)
	}
	t.Logf("%d kills, %d requests, %d answered 200, %d found interrupted at a start, %d mails came again where the server had taken one",
		kills, len(k.requests), accepted, k.interrupted, again)
}

// killing is the state that outlives the processes.
type killing struct {
	dir    string
	mail   *mailtest.Server
	chance *chance

	mu       sync.Mutex
	requests []attempt
	again    []int // those with a key whose answer was lost

	seen        int                     // mails that were looked at
	mails       map[int]int             // how many of each request
	was         map[int]records.Inquiry // when the last process had ended
	interrupted int
}

type attempt struct {
	key    string
	status int // the last answer; 0 without one
}

// kill lets a process work until one conversation hangs, and kills it then.
func (k *killing) kill(t *testing.T, number int) {
	t.Helper()
	points := append(slices.Clone(stages), mailtest.Quit)
	points = slices.DeleteFunc(points, func(s mailtest.Stage) bool { return s == mailtest.STARTTLS })
	hang := mailtest.Fault{Stage: points[k.chance.n(len(points))], Action: mailtest.Hang}
	after, conversations := 1+k.chance.n(24), 0
	k.mail.SetPlan(func() mailtest.Fault {
		if conversations++; conversations == after {
			return hang
		}
		return mailtest.Fault{}
	})
	p := setup{dir: k.dir, mail: k.mail}.start(t)
	c := newCaller(t, p.url)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for k.ask(c, k.next()) != 0 {
			}
		})
	}
	k.mail.WaitFaults(number)
	p.kill()
	callers.Wait()
	k.mail.WaitIdle()
	k.compare(t, fmt.Sprintf("kill %d, at %s", number, hang.Stage))
}

// next returns a request that was interrupted, or a new one; every other has a key.
func (k *killing) next() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n := len(k.again); n > 0 {
		i := k.again[n-1]
		k.again = k.again[:n-1]
		return i
	}
	i := len(k.requests)
	request := attempt{}
	if i%2 == 0 {
		request.key = "key-" + mark(i)
	}
	k.requests = append(k.requests, request)
	return i
}

func (k *killing) ask(c *caller, i int) int {
	k.mu.Lock()
	key := k.requests[i].key
	k.mu.Unlock()
	status := c.contact(mark(i), key).status
	k.mu.Lock()
	defer k.mu.Unlock()
	k.requests[i].status = status
	if status == 0 && key != "" {
		k.again = append(k.again, i)
	}
	return status
}

// compare checks what a process has left when it ended.
func (k *killing) compare(t *testing.T, when string) {
	t.Helper()
	now := map[int]records.Inquiry{}
	for _, one := range inquiries(t, k.dir) {
		i := markOf(t, one.Message)
		if now[i].ID != "" {
			t.Errorf("%s: request %d is stored twice", when, i)
		}
		now[i] = one
		if one.State != records.Sent && one.State != records.Pending {
			t.Errorf("%s: request %d is %s (%s)", when, i, one.State, one.Detail)
		}
	}
	k.compareMails(t, when, now)
	for i, request := range k.requests {
		if request.status == http.StatusOK && (now[i].State != records.Sent || k.mails[i] == 0) {
			t.Errorf("%s: request %d was answered 200, has %d mails and is %q", when, i, k.mails[i], now[i].State)
		}
		if request.status != http.StatusOK && request.status != 0 {
			t.Errorf("%s: request %d was answered %d", when, i, request.status)
		}
		if now[i].State == records.Pending {
			k.interrupted++
		}
	}
	k.was = now
}

// compareMails looks at the mails of one process: none of an inquiry that was noted
// as sent before it started, and at most one of each other.
func (k *killing) compareMails(t *testing.T, when string, now map[int]records.Inquiry) {
	t.Helper()
	all, arrived := k.mail.Messages(), map[int]bool{}
	for _, mail := range all[k.seen:] {
		header, text := mail.Read(t)
		i := markOf(t, text)
		if k.was[i].State == records.Sent || arrived[i] {
			t.Errorf("%s: request %d was sent again, without need", when, i)
		}
		if header.Get("Message-Id") != "<"+now[i].MessageID+">" {
			t.Errorf("%s: request %d is %q, and its mail has the Message-ID %s", when, i, now[i].MessageID, header.Get("Message-Id"))
		}
		arrived[i] = true
		k.mails[i]++
	}
	k.seen = len(all)
}

// last starts a process that is not killed: what was stored is sent, and a request that
// is repeated under its key is accepted.
func (k *killing) last(t *testing.T) {
	t.Helper()
	k.mail.SetPlan(nil)
	due := k.seen
	for _, one := range k.was {
		if one.State == records.Pending {
			due++
		}
	}
	p := setup{dir: k.dir, mail: k.mail}.start(t)
	c := newCaller(t, p.url)
	for _, i := range slices.Clone(k.again) {
		if k.was[i].ID == "" { // nothing was stored yet
			due++
		}
		if status := k.ask(c, i); status != http.StatusOK {
			t.Errorf("request %d, again under its key: %d", i, status)
		}
	}
	k.mail.Wait(due)
	p.stop()
	k.compare(t, "at the end")
	for i, one := range k.was {
		if one.State != records.Sent || k.mails[i] == 0 {
			t.Errorf("request %d was stored, is %s and has %d mails", i, one.State, k.mails[i])
		}
	}
}
