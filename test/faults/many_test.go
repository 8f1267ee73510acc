package faults

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// senders is how many callers send at once.
const senders = 64

// tries is how often a caller with a key asks again: one of three conversations
// fails, so that a caller gives up once in a hundred thousand requests.
const tries = 10

// heard are the answers to one request, try by try.
type heard struct {
	statuses []int
	keyed    bool
}

func (h heard) accepted() bool { return h.statuses[len(h.statuses)-1] == http.StatusOK }

// TestNothingLost sends requests while one of twenty conversations breaks at each stage.
// Every 200 has its mail, a certain failure has none, and a mail comes twice only where
// the server took one and its answer was lost. Half of the requests have a key and are
// repeated; all mails of one request are identical.
func TestNothingLost(t *testing.T) {
	requests := sized(200, 9000)
	t.Run("in the clear, with a login", func(t *testing.T) {
		play := many{chance: newChance(t, 1), requests: requests, options: login, stages: []mailtest.Stage{
			mailtest.Greeting, mailtest.Hello, mailtest.Auth, mailtest.From, mailtest.To, mailtest.Data, mailtest.FinalDot, mailtest.Quit,
		}}
		play.run(t)
	})
	t.Run("with STARTTLS", func(t *testing.T) { // after which no fault can be put in
		play := many{chance: newChance(t, 2), requests: requests / 9, options: mailtest.Options{Security: mailtest.StartTLS}, stages: []mailtest.Stage{
			mailtest.Greeting, mailtest.Hello, mailtest.STARTTLS,
		}}
		play.run(t)
	})
}

type many struct {
	chance   *chance
	requests int
	options  mailtest.Options
	stages   []mailtest.Stage
}

// fault returns the fault of the next conversation: at each stage that it reaches it
// breaks with a probability of 5 %.
func (m many) fault() mailtest.Fault {
	for _, stage := range m.stages {
		if m.chance.n(20) > 0 {
			continue
		}
		switch m.chance.n(4) {
		case 0:
			return mailtest.Fault{Stage: stage, Action: mailtest.Refuse, Code: 451}
		case 1:
			return mailtest.Fault{Stage: stage, Action: mailtest.Refuse, Code: 554}
		case 2:
			return mailtest.Fault{Stage: stage, Action: mailtest.Lose}
		default:
			return mailtest.Fault{Stage: stage, Action: mailtest.Cut}
		}
	}
	return mailtest.Fault{}
}

func (m many) run(t *testing.T) {
	server := mailtest.Listen(t, m.options)
	server.SetPlan(m.fault)
	s := setup{dir: t.TempDir(), mail: server}
	if m.options.Security == mailtest.StartTLS {
		s.environ = []string{"SSL_CERT_FILE=" + server.RootsFile()}
	}
	p := s.start(t)
	start := time.Now()
	all := m.send(newCaller(t, p.url))
	took := time.Since(start)
	p.stop()
	server.WaitIdle()

	count := tally(t, all, arrived(t, server), inquiries(t, s.dir))
	t.Logf("%d requests, %d tries in %v (%.0f tries a second), %d faults: %v", len(all), count.tries, took.Round(time.Millisecond),
		float64(count.tries)/took.Seconds(), server.Faults(), count)
	if count.lost+count.falsely+count.twice > 0 || count.unstored > count.tries/20 || count.unconfirmed == 0 && m.requests > 1000 && m.options.User != "" {
		t.Errorf("a promise is broken, or was not tried: %v", count)
	}
}

// send sends all requests and returns the answers to each.
func (m many) send(c *caller) []heard {
	all := make([]heard, m.requests)
	next := make(chan int)
	var group sync.WaitGroup
	for range senders {
		group.Go(func() {
			for i := range next {
				all[i] = m.insist(c, i)
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	group.Wait()
	return all
}

// insist sends one request, and repeats it while it fails if it has a key.
func (m many) insist(c *caller, i int) heard {
	h, key := heard{keyed: i%2 == 0}, ""
	if h.keyed {
		key = "key-" + mark(i)
	}
	for range tries {
		h.statuses = append(h.statuses, c.contact(mark(i), key).status)
		if !h.keyed || h.accepted() {
			break
		}
	}
	return h
}

func mark(i int) string { return fmt.Sprintf("mark-%06d-", i) }

var marked = regexp.MustCompile(`mark-(\d{6})-`)

func markOf(t *testing.T, text string) int {
	t.Helper()
	found := marked.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no request has this text: %s", text)
	}
	i, _ := strconv.Atoi(found[1]) // six digits
	return i
}

// arrived returns the mails of each request.
func arrived(t *testing.T, server *mailtest.Server) map[int][]mailtest.Mail {
	t.Helper()
	mails := map[int][]mailtest.Mail{}
	for _, mail := range server.Messages() {
		_, text := mail.Read(t)
		i := markOf(t, text)
		mails[i] = append(mails[i], mail)
	}
	return mails
}

// counts are the outcomes of many requests.
type counts struct {
	tries, accepted, mails   int
	unstored                 int // tries answered 500
	lost, falsely, twice     int // broken promises
	unconfirmed, unconfTwice int // mails whose 250 was lost, and requests that came again after one
}

func (c counts) String() string {
	return fmt.Sprintf("%d answered 200, %d answered 500, %d mails; lost %d, wrong states %d, twice by our fault %d; %d answers of the mail server lost, after which %d mails came again",
		c.accepted, c.unstored, c.mails, c.lost, c.falsely, c.twice, c.unconfirmed, c.unconfTwice)
}

// tally compares the answers, the mails and the records of all requests.
func tally(t *testing.T, all []heard, mails map[int][]mailtest.Mail, stored []records.Inquiry) counts {
	t.Helper()
	var c counts
	inquiry := map[int]records.Inquiry{}
	for _, one := range stored {
		i := markOf(t, one.Message)
		if _, twice := inquiry[i]; twice {
			t.Errorf("request %d is stored twice", i)
		}
		inquiry[i] = one
	}
	for i, h := range all {
		c.add(t, h, mails[i], inquiry[i])
		for _, mail := range mails[i] {
			if header, _ := mail.Read(t); header.Get("Message-Id") != "<"+inquiry[i].MessageID+">" || string(mail.Data) != string(mails[i][0].Data) {
				t.Errorf("request %d has a mail that differs from its record: %s", i, header.Get("Message-Id"))
			}
		}
	}
	return c
}

func (c *counts) add(t *testing.T, h heard, mails []mailtest.Mail, stored records.Inquiry) {
	t.Helper()
	c.tries += len(h.statuses)
	c.mails += len(mails)
	unconfirmed, again := 0, false // the server's answer must have been lost for each but the last
	for i, mail := range mails {
		if mail.Unconfirmed {
			unconfirmed++
		} else if i < len(mails)-1 {
			again = true
		}
	}
	c.unconfirmed += unconfirmed
	if again {
		c.twice++
	}
	if len(mails) > 1 {
		c.unconfTwice += len(mails) - 1
	}
	for _, status := range h.statuses {
		switch status {
		case http.StatusOK, http.StatusBadGateway:
		case http.StatusInternalServerError: // the disk was busy for longer than a caller waits
			c.unstored++
		default:
			t.Errorf("a request was answered %d", status)
		}
	}
	if h.accepted() {
		c.accepted++
		if len(mails) == 0 {
			c.lost++
		}
	}
	if h.accepted() != (stored.State == records.Sent) || stored.State == records.Failed && len(mails) > unconfirmed {
		c.falsely++
	}
}
