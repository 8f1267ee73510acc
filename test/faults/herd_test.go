package faults

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// herd are instances on one database that are killed and started again while
// requests come in.
type herd struct {
	*chance
	setup setup
	mails *mailtest.Server

	mu    sync.Mutex
	fleet *fleet
	kills int
}

func newHerd(t *testing.T, d database, n int) *herd {
	t.Helper()
	mails := mailtest.Listen(t, mailtest.Options{})
	s := setup{mail: mails, environ: onPostgres(t, d.URL)}
	return &herd{chance: newChance(t, 100+uint64(n)), setup: s, mails: mails, fleet: newFleet(t, n, s)}
}

// any returns the caller of a random instance, as a load balancer would choose it.
func (h *herd) any() *caller {
	n := h.n(len(h.fleet.callers))
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fleet.callers[n]
}

// killOne ends one of the instances as a crash does, and starts another in its place.
func (h *herd) killOne(t *testing.T) {
	t.Helper()
	i := h.n(len(h.fleet.instances))
	h.fleet.instances[i].kill()
	h.kills++
	p := h.setup.start(t)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fleet.instances[i], h.fleet.callers[i] = p, newCaller(t, p.url)
}

// mailFault breaks one conversation of twenty at some stage.
func (h *herd) mailFault() mailtest.Fault {
	if h.n(20) > 0 {
		return mailtest.Fault{}
	}
	stages := []mailtest.Stage{mailtest.Greeting, mailtest.Hello, mailtest.From, mailtest.To, mailtest.Data, mailtest.FinalDot, mailtest.Quit}
	actions := []mailtest.Action{mailtest.Refuse, mailtest.Cut, mailtest.Lose}
	return mailtest.Fault{Stage: stages[h.n(len(stages))], Action: actions[h.n(len(actions))]}
}

// told are the answers to one request, try by try.
type told struct {
	key      string // of every other request
	statuses []int
}

func (o told) accepted() bool { return o.statuses[len(o.statuses)-1] == http.StatusOK }

// cut returns how often the answer was lost with its instance.
func (o told) cut() (n int) {
	for _, status := range o.statuses {
		if status == 0 {
			n++
		}
	}
	return n
}

// try sends a request to some instance; with a key again while it fails.
func (h *herd) try(i int) told {
	o, tries := told{}, 1
	if i%2 == 0 {
		o.key, tries = fmt.Sprintf("key-%d", i), 3
	}
	for range tries {
		o.statuses = append(o.statuses, h.ask(i, o.key).status)
		if o.accepted() {
			break
		}
	}
	return o
}

// ask sends a request to an instance that listens, as a load balancer does. One that was
// refused only when net/http sent it again may have reached the instance that was killed.
func (h *herd) ask(i int, key string) (got answer) {
	for ok := false; !ok; ok = got.again || !errors.Is(got.err, syscall.ECONNREFUSED) {
		got = h.any().contact(numbered(i), key)
	}
	return got
}

func numbered(i int) string { return fmt.Sprintf("request-%06d-", i) }

var number = regexp.MustCompile(`request-(\d{6})-`)

// numberOf is the number in a mail or a record; -1 when there is none.
func numberOf(text string) int {
	found := number.FindStringSubmatch(text)
	if found == nil {
		return -1
	}
	n, _ := strconv.Atoi(found[1]) // six digits
	return n
}

// recover waits until the instances have sent what the killed ones left pending. Nothing
// else is under way, so it ends the leases at once instead of waiting a minute.
func (h *herd) recover(t *testing.T, d database) {
	t.Helper()
	const pending = `SELECT count(*) FROM inquiries WHERE state = 'pending'`
	left := d.number(t, pending)
	if _, err := d.session.ExecContext(t.Context(), `UPDATE inquiries SET lease_until = 1 WHERE state = 'pending'`); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what was interrupted to be sent", func() bool { return d.number(t, pending) == 0 })
	h.mails.WaitIdle()
	t.Logf("%d killed instances left %d requests under way", h.kills, left)
}

// check compares the answers, the mails and the records of all requests.
func (h *herd) check(t *testing.T, all []told, stored []records.Inquiry) {
	t.Helper()
	mails, inquiries := h.arrived(t), map[int]records.Inquiry{}
	for _, inquiry := range stored {
		i := numberOf(inquiry.Message)
		if _, twice := inquiries[i]; twice {
			t.Errorf("request %d is stored twice", i)
		}
		inquiries[i] = inquiry
	}
	var sum struct{ accepted, mails, unconfirmed, cut, again, lost, wrong, twice int }
	for i, o := range all {
		got, confirmed := mails[i], 0
		for _, mail := range got {
			if !mail.Unconfirmed {
				confirmed++
			}
			if header, _ := mail.Read(t); header.Get("Message-Id") != "<"+inquiries[i].MessageID+">" {
				t.Errorf("request %d has a mail under another Message-ID", i)
			}
		}
		sum.mails, sum.cut, sum.unconfirmed = sum.mails+len(got), sum.cut+o.cut(), sum.unconfirmed+len(got)-confirmed
		sum.again += max(0, len(got)-1)
		switch state := inquiries[i].State; {
		case o.accepted() && len(got) == 0, o.key != "" && !o.accepted():
			sum.lost++
			t.Errorf("request %d: %+v, %d mails, %s", i, o, len(got), state)
		case o.accepted() != (state == records.Sent) && o.cut() == 0, state == records.Failed && confirmed > 0:
			sum.wrong++
			t.Errorf("request %d: %+v, %d mails, %s", i, o, len(got), state)
		case confirmed > 1+o.cut():
			sum.twice++
			t.Errorf("request %d: %+v, %d mails", i, o, len(got))
		}
		if o.accepted() {
			sum.accepted++
		}
	}
	t.Logf("%d requests, %d faults of mail: %+v", len(all), h.mails.Faults(), sum)
}

// arrived returns the mails of each request.
func (h *herd) arrived(t *testing.T) map[int][]mailtest.Mail {
	t.Helper()
	mails := map[int][]mailtest.Mail{}
	for _, mail := range h.mails.Messages() {
		_, text := mail.Read(t)
		i := numberOf(text)
		mails[i] = append(mails[i], mail)
	}
	return mails
}
