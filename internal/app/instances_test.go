package app_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/admin"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/test/harness"
)

type sender func(t *testing.T, d *harness.Desk, client *http.Client, key string) harness.Answer

var keyed = map[string]sender{
	"contact": func(t *testing.T, d *harness.Desk, client *http.Client, key string) harness.Answer {
		return d.Send(t, client, "POST", contract.PathContact, harness.ContactBody(""), contract.HeaderIdempotencyKey+": "+key)
	},
	"trial": func(t *testing.T, d *harness.Desk, client *http.Client, key string) harness.Answer {
		return d.CallTool(t, client, contract.PathWorkspaceMCP, "start_trial", `{"business":"AE","email":"ada@example.com","idempotency_key":"`+key+`"}`)
	},
}

// Of a request that two instances get at once, the one that claims the key takes the last slot.
func TestInstancesShareLastSlot(t *testing.T) {
	t.Parallel()
	for name, send := range keyed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := programs.Postgres(t)
			// Repeated when the machine was too slow: an instance rightly decides by itself when Redis takes longer
			// than 100 ms, and others look half a second for the request that has the key.
			for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
				redis, desks := programs.Redis(t), [2]*harness.Desk{}
				for i := range desks {
					desks[i] = harness.Start(t, func(s *config.Settings) {
						harness.OnPostgres(t, database)(s)
						s.RedisURL = redis.URL
					})
				}
				fault, slow := lastSlot(t, send, desks)
				if !slow && desks[0].SharesLimits() && desks[1].SharesLimits() {
					if fault != "" {
						t.Error(fault)
					}
					return
				}
				t.Logf("the machine was too slow: %s\n%s%s", fault, desks[0].Log, desks[1].Log)
			}
			t.Error("the machine was always too slow")
		})
	}
}

// lastSlot leaves one slot, and sends one request with a key many times at once to both desks. It reports an answer
// that is not the first, a slot that is left, and that it took longer than a key is looked for.
func lastSlot(t *testing.T, send sender, desks [2]*harness.Desk) (fault string, slow bool) {
	t.Helper()
	client := harness.NewClient(t)
	for range contract.ContactPolicy.Quota - 1 { // that of trials is the same
		harness.WantStatus(t, send(t, desks[0], client, rand.Text()), 200)
	}
	answers, key := make([]harness.Answer, 12), rand.Text()
	started := time.Now()
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i] = send(t, desks[i%2], client, key) })
	}
	group.Wait()
	slow = time.Since(started) > 500*time.Millisecond
	for _, got := range answers {
		if got.StatusCode != 200 || !bytes.Equal(got.Text, answers[0].Text) {
			return fmt.Sprintf("%d %s, want the 200 of all: %s", got.StatusCode, got.Text, answers[0].Text), slow
		}
	}
	for _, d := range desks {
		if got := send(t, d, client, rand.Text()); got.StatusCode != 429 {
			return fmt.Sprintf("another key: %d, want 429", got.StatusCode), slow
		}
	}
	for i := range contract.AskPolicy.Quota + 1 {
		got := desks[i%2].Send(t, client, "POST", contract.PathAsk, harness.Question("Who is it for?"))
		if (got.StatusCode == 200) != (i < contract.AskPolicy.Quota) {
			return fmt.Sprintf("question %d: %d", i+1, got.StatusCode), slow
		}
	}
	return "", slow
}

// The folder keeps what the encoder has read and the socket of frontdesk reload.
func TestDataFolderBesidePostgres(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "new")
	harness.Start(t, func(s *config.Settings) {
		harness.OnPostgres(t, &programs.Server{URL: "postgres://desk@127.0.0.1:1/desk"})(s) // which is down
		s.DataFolder.Data = data
	})
	expect.Value(os.ReadDir(data))(t)
}

// Two services on one data folder are warned of in the log of the second, on the page of the state and in doctor.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	first := harness.Start(t, harness.WithAdmin)
	first.WaitReady(t)
	inFirst := func(s *config.Settings) { s.Data = first.Settings.Data }
	if admin.HasSecond(t.Context(), first.Settings.Dir()) {
		t.Error("one service counts as two")
	}
	t.Run("two", func(t *testing.T) {
		second := harness.Start(t, inFirst)
		second.Log.Wait(t, "two services run on one data folder", 1)
		openPages(t, first).get(t, "/owner/state", 200, "Two copies of the desk are using the same data folder")
		_, out, _ := harness.Command(t, "doctor", "--data", first.Settings.Dir())
		expect.Holds(t, "doctor", out, "two services run on")
	})
	if admin.HasSecond(t.Context(), first.Settings.Dir()) {
		t.Error("a service that ended still counts")
	}
}

func TestSystemdNotify(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	listener := expect.Value(net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"}))(t)
	t.Cleanup(func() { _ = listener.Close() })
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "100000")
	t.Setenv("WATCHDOG_PID", "")
	states := make(chan string, 1000)
	go func() {
		for buffer := make([]byte, 1<<10); ; {
			n, err := listener.Read(buffer)
			if err != nil {
				close(states)
				return
			}
			states <- string(buffer[:n])
		}
	}()
	waitFor := func(want string) {
		t.Helper()
		for state := range states {
			if strings.Contains(state, want) {
				return
			}
		}
		t.Errorf("systemd never hears %s", want)
	}
	var d *harness.Desk
	t.Run("service", func(t *testing.T) {
		d = harness.Start(t, harness.WithAdmin)
		d.Operate(t, "/healthz", 200)
		waitFor("READY=1")
		waitFor("WATCHDOG=1")
		waitFor("WATCHDOG=1")
	}) // stops the service
	waitFor("STOPPING=1")
	expect.Lacks(t, "the log", d.Log.String(), `"level":"error"`)
}
