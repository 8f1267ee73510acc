package faults

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/mailer/mailtest"
)

// beyond is a question that the embedded selector does not answer.
const beyond = "Will my grandmother's parrot need a passport to visit the moon?"

// withModel sets a model over a small content.
func withModel(t *testing.T, url string) []string {
	t.Helper()
	return []string{
		"FRONTDESK_CONTENT=" + smallContent(t), "FRONTDESK_MODEL_URL=" + url,
		"FRONTDESK_MODEL_NAME=" + modeltest.Name, "FRONTDESK_MODEL_KEY=" + modeltest.Key,
	}
}

// onRedis plays a scene on three instances that share a Redis. If the machine was busy
// and Redis took longer than 100 ms, each instance rightly decided by itself: the scene
// is played again with an empty Redis.
func onRedis(t *testing.T, s setup, scene func(f *fleet) (wrong string)) {
	t.Helper()
	for range 5 {
		s.environ = append(s.environ[:len(s.environ):len(s.environ)], "FRONTDESK_REDIS_URL="+programs.Redis(t).URL)
		f := newFleet(t, 3, s)
		wrong := scene(f)
		if !strings.Contains(f.log(), leavesRedis) {
			if wrong != "" {
				t.Error(wrong)
			}
			return
		}
		t.Log("Redis took too long")
	}
	t.Error("Redis took too long each time")
}

// TestThreeInstancesLimitAsOne fires one client's requests at three instances, over
// HTTP and MCP mixed: as many pass as one instance would let pass.
func TestThreeInstancesLimitAsOne(t *testing.T) {
	t.Run("ask", func(t *testing.T) {
		t.Parallel()
		onRedis(t, setup{}, func(f *fleet) string {
			who := newAddr()
			return f.fire(contract.AskPolicy, func(c *caller, overMCP bool) answer {
				if overMCP {
					return c.tool("ask_faq", plain, from(who)...)
				}
				return c.ask(plain, from(who)...)
			})
		})
	})
	t.Run("contact", func(t *testing.T) {
		t.Parallel()
		mails := mailtest.Listen(t, mailtest.Options{})
		onRedis(t, setup{mail: mails}, func(f *fleet) string {
			who, before := newAddr(), len(mails.Messages())
			wrong := f.fire(contract.ContactPolicy, func(c *caller, overMCP bool) answer {
				if overMCP {
					return c.tool("request_pilot", pilotRequest("", false), from(who)...)
				}
				return c.send(http.MethodPost, contract.PathContact, pilotRequest("", false), from(who)...)
			})
			if n := len(mails.Messages()) - before; n != contract.ContactPolicy.Quota {
				return fmt.Sprintf("%d mails, want %d; %s", n, contract.ContactPolicy.Quota, wrong)
			}
			return wrong
		})
	})
	t.Run("trial", func(t *testing.T) {
		t.Parallel()
		onRedis(t, setup{}, func(f *fleet) string {
			who := newAddr()
			return f.fire(contract.TrialPolicy, func(c *caller, _ bool) answer {
				return c.toolAt(contract.PathWorkspaceMCP, "start_trial", `{"business":"AE","email":"ada@example.com"}`, from(who)...)
			})
		})
	})
}

// fire sends sixty requests at once, and returns what is wrong with the answers.
func (f *fleet) fire(policy contract.Policy, send func(c *caller, overMCP bool) answer) (wrong string) {
	const requests = 60
	got := atOnce(requests, func(i int) answer { return send(f.callers[i%3], i%2 == 0) })
	if got[http.StatusOK] != policy.Quota || got[http.StatusTooManyRequests] != requests-policy.Quota {
		return fmt.Sprintf("answers by status %v, want %d of 200 and else 429", got, policy.Quota)
	}
	return ""
}

// TestThreeInstancesCapAsOne asks three instances, each with a database of its own,
// until the model's calls of the day are used up.
func TestThreeInstancesCapAsOne(t *testing.T) {
	const dailyCap = 7
	model := modeltest.Listen(t, modeltest.Pick("refunds"))
	environ := append(withModel(t, model.URL()), withAdmin, fmt.Sprintf("FRONTDESK_MODEL_DAILY_CAP=%d", dailyCap))
	onRedis(t, setup{environ: environ}, func(f *fleet) string {
		before := model.Calls()
		f.useUp(dailyCap)
		if calls := model.Calls() - before; calls != dailyCap {
			return fmt.Sprintf("%d calls of the model, want %d", calls, dailyCap)
		}
		for i, p := range f.instances {
			if left := p.metric(t, "frontdesk_model_cap_left"); left != "0" {
				return fmt.Sprintf("instance %d reports %s calls that are left, want 0", i, left)
			}
		}
		return ""
	})
}

// useUp asks more questions than the cap of the model allows, four at a time: at most
// eight calls run at once, and further questions are answered without the model.
func (f *fleet) useUp(dailyCap int) {
	for round := range dailyCap {
		atOnce(4, func(i int) answer {
			return f.callers[i%len(f.callers)].ask(asked(fmt.Sprintf("%s %d.%d", beyond, round, i)))
		})
	}
}

// TestCapWithoutRedis holds the daily cap on three instances over one database while
// Redis comes and goes ten times a second.
func TestCapWithoutRedis(t *testing.T) {
	t.Parallel()
	long(t)
	const dailyCap = 20
	database, server := programs.Postgres(t), programs.Redis(t)
	path, model := newWire(t, server.Addr), modeltest.Listen(t, modeltest.Pick("refunds"))
	f := newFleet(t, 3, setup{environ: append(withModel(t, model.URL()), append(onPostgres(t, database.URL),
		"FRONTDESK_REDIS_URL=redis://"+path.addr, fmt.Sprintf("FRONTDESK_MODEL_DAILY_CAP=%d", dailyCap))...)})
	end := make(chan struct{})
	go path.flap(100*time.Millisecond, end)
	f.useUp(dailyCap)
	close(end)
	if calls := model.Calls(); calls != dailyCap {
		t.Errorf("%d calls of the model, want %d", calls, dailyCap)
	}
}
