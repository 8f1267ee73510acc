package faults

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// leavesRedis is what an instance logs when it leaves Redis.
const leavesRedis = "cannot use Redis"

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

// workers is how many requests run at a time on three instances: enough that each of
// them always has several, and few enough that they do not keep Redis from answering
// within its 100 ms.
const workers = 12

// onRedis plays a scene on three instances that share a Redis. If the machine was busy
// and Redis took longer than 100 ms, each instance rightly decided by itself: the scene
// is played again with an empty Redis.
func onRedis(t *testing.T, s setup, scene func(f *fleet) (wrong string)) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
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
	t.Errorf("Redis took too long each time for %v", patience)
}

// TestThreeInstancesLimitAsOne fires one client's requests at three instances, over
// HTTP and MCP mixed: as many pass as one instance would let pass.
func TestThreeInstancesLimitAsOne(t *testing.T) {
	for _, tt := range []struct {
		policy    contract.Policy
		http, mcp func(c *caller, from []string) answer
	}{
		{contract.AskPolicy,
			func(c *caller, from []string) answer { return c.ask(plain, from...) },
			func(c *caller, from []string) answer { return c.tool("ask_faq", plain, from...) }},
		{contract.ContactPolicy,
			func(c *caller, from []string) answer {
				return c.send(http.MethodPost, contract.PathContact, pilotRequest("", false), from...)
			},
			func(c *caller, from []string) answer {
				return c.tool("request_pilot", pilotRequest("", false), from...)
			}},
		{contract.TrialPolicy, startTrial, startTrial},
	} {
		t.Run(tt.policy.Name, func(t *testing.T) {
			onRedis(t, setup{mail: mailtest.Listen(t, mailtest.Options{})}, func(f *fleet) (wrong string) {
				const requests = 60
				client := from(newAddr())
				got := statuses(byMany(workers, requests, func(i int) answer {
					if i%2 == 0 {
						return tt.mcp(f.callers[i%3], client)
					}
					return tt.http(f.callers[i%3], client)
				}))
				if got[http.StatusOK] != tt.policy.Quota || got[http.StatusTooManyRequests] != requests-tt.policy.Quota {
					return fmt.Sprintf("answers by status %v, want %d of 200 and else 429", got, tt.policy.Quota)
				}
				return ""
			})
		})
	}
}

// TestThreeInstancesShareAPool fires the questions of twelve people behind an assistant and
// of nobody in particular at three instances: of each person the quota passes at most, of
// all together exactly the pool's, and no log has a name.
func TestThreeInstancesShareAPool(t *testing.T) {
	s := setup{environ: []string{"FRONTDESK_SHARED_CLIENTS=openai=203.0.113.0/24", "FRONTDESK_SIGNING_KEY=" + harness.PEMKey(t, 0)}}
	onRedis(t, s, func(f *fleet) (wrong string) {
		const people, requests = 12, 180
		policy, accepted := contract.AskPolicy, make([]atomic.Int32, people)
		got := statuses(byMany(workers, requests, func(i int) answer {
			client, who := from(fmt.Sprintf("203.0.113.%d", i%200)), i/3%(people+1)
			if who == people {
				return f.callers[i%3].ask(plain, client...)
			}
			answer := f.callers[i%3].send(http.MethodPost, contract.PathMCP, fmt.Sprintf(
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_faq","arguments":%s,"_meta":{"openai/subject":"v1/person-%d"}}}`, plain, who), client...)
			if answer.status == http.StatusOK {
				accepted[who].Add(1)
			}
			return answer
		}))
		if got[http.StatusOK] != policy.Pool || got[http.StatusTooManyRequests] != requests-policy.Pool {
			return fmt.Sprintf("answers by status %v, want %d of 200 and else 429", got, policy.Pool)
		}
		for who := range accepted {
			if n := int(accepted[who].Load()); n > policy.Quota {
				return fmt.Sprintf("%d questions of person %d are answered, want at most %d", n, who, policy.Quota)
			}
		}
		if strings.Contains(f.log(), "person-") {
			return "a log has the name of a person"
		}
		return ""
	})
}

func startTrial(c *caller, from []string) answer {
	return c.toolAt(contract.PathWorkspaceMCP, "start_trial", `{"business":"AE","email":"ada@example.com"}`, from...)
}

// TestThreeInstancesCapAsOne asks three instances, each with a database of its own,
// until the model's calls of the day are used up.
func TestThreeInstancesCapAsOne(t *testing.T) {
	const dailyCap = 7
	model := modeltest.Listen(t, modeltest.Pick("refunds"))
	environ := append(withModel(t, model.URL()), withAdmin, fmt.Sprintf("FRONTDESK_MODEL_DAILY_CAP=%d", dailyCap))
	onRedis(t, setup{environ: environ}, func(f *fleet) string {
		before := model.Calls()
		f.useUp(t, dailyCap)
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
func (f *fleet) useUp(t *testing.T, dailyCap int) {
	t.Helper()
	for round := range dailyCap {
		if got := statuses(byMany(4, 4, func(i int) answer {
			return f.callers[i%len(f.callers)].ask(harness.Question(fmt.Sprintf("%s %d.%d", beyond, round, i)))
		})); got[http.StatusOK] != 4 {
			t.Errorf("answers by status: %v, want only 200", got)
		}
	}
}

// TestRedisFlaps: while Redis comes and goes ten times a second, three instances over one
// database hold the daily cap and answer every question, and an instance that has left
// Redis stays away for five seconds.
func TestRedisFlaps(t *testing.T) {
	t.Parallel()
	long(t)
	const dailyCap = 20
	database, server := programs.Postgres(t), programs.Redis(t)
	path, model, began := programs.NewWire(t, server.Addr), modeltest.Listen(t, modeltest.Pick("refunds")), time.Now()
	f := newFleet(t, 3, setup{environ: append(withModel(t, model.URL()), append(onPostgres(t, database.URL),
		"FRONTDESK_REDIS_URL=redis://"+path.Addr, fmt.Sprintf("FRONTDESK_MODEL_DAILY_CAP=%d", dailyCap))...)})
	end := make(chan struct{})
	go path.Flap(100*time.Millisecond, end)
	f.useUp(t, dailyCap)
	eventually(t, "an instance that leaves Redis", func() bool { return strings.Contains(f.log(), leavesRedis) })
	close(end)
	if calls := model.Calls(); calls != dailyCap {
		t.Errorf("%d calls of the model, want %d", calls, dailyCap)
	}
	for _, p := range f.instances {
		if n := strings.Count(p.log.String(), leavesRedis); n > 1+int(time.Since(began)/(5*time.Second)) {
			t.Errorf("an instance has left Redis %d times in %v", n, time.Since(began))
		}
	}
}
