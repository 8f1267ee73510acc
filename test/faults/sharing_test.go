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
	"frontdesk/test/harness"
)

// leavesRedis is what an instance logs when it leaves Redis.
const leavesRedis = "cannot use Redis"

// beyond is a question that the embedded selector does not answer.
const beyond = "Will my grandmother's parrot need a passport to visit the moon?"

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

// TestThreeInstancesAsOne fires one client's requests at three instances, over HTTP and MCP
// mixed: as many pass as one instance would let pass. Then it asks them, each with a database
// of its own, until the model's calls of the day are used up.
func TestThreeInstancesAsOne(t *testing.T) {
	const requests, dailyCap = 60, 7
	model := modeltest.Listen(t, modeltest.Pick("refunds"))
	environ := append(withModel(t, model.URL()), withAdmin, fmt.Sprintf("FRONTDESK_MODEL_DAILY_CAP=%d", dailyCap))
	onRedis(t, setup{mail: mailtest.Listen(t, mailtest.Options{}), environ: environ}, func(f *fleet) (wrong string) {
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
			client := []string{"X-Forwarded-For", newAddr()}
			got := statuses(byMany(workers, requests, func(i int) answer {
				if i%2 == 0 {
					return tt.mcp(f.callers[i%3], client)
				}
				return tt.http(f.callers[i%3], client)
			}))
			if got[http.StatusOK] != tt.policy.Quota || got[http.StatusTooManyRequests] != requests-tt.policy.Quota {
				return fmt.Sprintf("%s: answers by status %v, want %d of 200 and else 429", tt.policy.Name, got, tt.policy.Quota)
			}
		}
		before := model.Calls()
		for round := range dailyCap { // four at a time: at most eight calls run at once, and further questions are answered without the model
			if got := statuses(byMany(4, 4, func(i int) answer {
				return f.callers[i%3].ask(harness.Question(fmt.Sprintf("%s %d.%d", beyond, round, i)))
			})); got[http.StatusOK] != 4 {
				return fmt.Sprintf("questions are answered by status: %v, want only 200", got)
			}
		}
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

func startTrial(c *caller, from []string) answer {
	return c.toolAt(contract.PathWorkspaceMCP, "start_trial", `{"business":"AE","email":"ada@example.com"}`, from...)
}
