package faults

import (
	"fmt"
	"net/http"
	"testing"

	"frontdesk/mailer/mailtest"
)

// TestInstancesLoseNothing spreads requests over two and over three instances on one
// database, of which one is killed every other second, while one of twenty mails
// fails. In the end every accepted request has its mail, and it has two only where an
// answer of the mail server or of a killed instance was lost.
func TestInstancesLoseNothing(t *testing.T) {
	t.Parallel()
	long(t)
	for _, n := range []int{2, 3} {
		t.Run(fmt.Sprint(n, " instances"), func(t *testing.T) {
			t.Parallel()
			playHerd(t, n)
		})
	}
}

func playHerd(t *testing.T, instances int) {
	const requests, workers, kills = 1000, 8, 6
	d := newDatabase(t)
	h := newHerd(t, d, instances)
	h.mails.SetPlan(h.mailFault)
	all, done, kill := make([]told, requests), make(chan struct{}), make(chan struct{}, kills)
	go func() {
		defer close(done)
		byMany(workers, requests, func(i int) answer {
			if i%(requests/kills) == requests/kills/2 {
				kill <- struct{}{}
			}
			all[i] = h.try(i)
			return answer{}
		})
	}()
	for running := true; running; {
		select {
		case <-kill:
			h.killOne(t)
		case <-done:
			running = false
		}
	}
	h.mails.SetPlan(nil)
	h.recover(t, d)
	for i, o := range all { // a caller with a key repeats its request until it is accepted
		if o.key != "" && !o.accepted() {
			all[i].statuses = append(o.statuses, h.ask(i, o.key).status)
		}
	}
	h.check(t, all, d.inquiries(t))
}

// TestOneKeyOnAllInstances sends one request under one key to three instances at
// once, again and again: it is mailed once, and every caller gets the same answer.
func TestOneKeyOnAllInstances(t *testing.T) {
	t.Parallel()
	long(t)
	d, mails := newDatabase(t), mailtest.Listen(t, mailtest.Options{})
	f := newFleet(t, 3, setup{mail: mails, environ: onPostgres(t, d.URL)})
	const keys, callers = 30, 9
	for k := range keys {
		bodies := map[string]int{}
		for _, got := range byMany(callers, callers, func(i int) answer {
			return f.callers[i%3].contact(numbered(k), fmt.Sprintf("key-%d", k))
		}) {
			wantStatus(t, got, http.StatusOK)
			bodies[got.body]++
		}
		if len(bodies) != 1 {
			t.Errorf("key %d: the answers differ: %v", k, bodies)
		}
	}
	if n, stored := len(mails.Messages()), len(d.inquiries(t)); n != keys || stored != keys {
		t.Errorf("%d mails and %d records of %d keys", n, stored, keys)
	}
}
