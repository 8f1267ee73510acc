package limits

import (
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
)

// TestOnce: equal requests of one client at one time get one answer, which takes one
// slot; another key, another client and a later request get their own.
func TestOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limit := New(contract.ContactPolicy)
		var once Once[int]
		answers := 0
		ask := func(client, key string) (answer, remaining int) {
			ctx := WithClient(t.Context(), ClientOf(netip.MustParseAddr(client)))
			answer, decision, err := once.Do(ctx, limit, key, func() (int, Decision, error) {
				answers++
				answer := answers
				decision := limit.Take(ctx, ClientFrom(ctx))
				time.Sleep(time.Second)
				return answer, decision, nil
			})
			if err != nil {
				t.Error(err)
			}
			return answer, decision.Remaining
		}
		var equal sync.WaitGroup
		for range 5 {
			equal.Go(func() {
				if answer, remaining := ask("192.0.2.1", "a"); answer != 1 || remaining != 2 {
					t.Errorf("answer %d with %d left, want the first with 2", answer, remaining)
				}
			})
		}
		equal.Wait()
		for _, row := range []struct {
			name, client, key string
			answer, remaining int
		}{
			{"the same request, later", "192.0.2.1", "a", 2, 1},
			{"another key", "192.0.2.1", "b", 3, 0},
			{"another client", "192.0.2.2", "a", 4, 2},
		} {
			if answer, remaining := ask(row.client, row.key); answer != row.answer || remaining != row.remaining {
				t.Errorf("%s: answer %d with %d left, want %d with %d", row.name, answer, remaining, row.answer, row.remaining)
			}
		}
	})
}
