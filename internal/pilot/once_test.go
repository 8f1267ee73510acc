package pilot

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

// answered is the answer to a request.
type answered struct {
	id        string
	remaining int
	code      contract.Code
}

func send(ctx context.Context, desk *Desk, request contract.PilotRequest, key string) answered {
	accepted, decision, err := desk.Send(ctx, request, contract.IdempotencyKey{Value: key, Field: "Idempotency-Key"})
	got := answered{accepted.ID, decision.Remaining, ""}
	if err != nil {
		got.code = contract.AsError(err).Code
	}
	return got
}

// TestLifeOfAKey follows one key: a failure that is resumed, the answer that is repeated,
// and requests that are refused.
func TestLifeOfAKey(t *testing.T) {
	t.Parallel()
	desk, courier := newDesk()
	const key = "8e03978e-40d5-43dd-bc93-6894a57f9324"
	changed, previewed, elsewhere := request, request, request
	changed.Message += "!"
	previewed.Preview = desk.Preview(request).Digest
	elsewhere.Preview = "another"

	courier.fail = &contract.Error{Code: contract.BadGateway}
	check := func(what string, request contract.PilotRequest, want answered, calls int) {
		t.Helper()
		if got := send(t.Context(), desk, request, key); got != want || courier.calls != calls {
			t.Errorf("%s: %+v after %d mails, want %+v after %d", what, got, courier.calls, want, calls)
		}
	}
	check("first, not delivered", request, answered{"", 2, contract.BadGateway}, 1)
	first := courier.inquiry.ID
	check("other fields", changed, answered{"", 2, contract.InvalidRequest}, 1)
	check("resumed, not delivered", request, answered{"", 1, contract.BadGateway}, 2)
	courier.fail = nil
	check("resumed with another preview", elsewhere, answered{"", 1, contract.InvalidRequest}, 2)
	check("resumed with the preview", previewed, answered{first, 0, ""}, 3)
	check("answered again", request, answered{first, 0, ""}, 3)
	check("with the preview", previewed, answered{first, 0, ""}, 3)
	check("other fields", changed, answered{"", 0, contract.InvalidRequest}, 3)
	if got := send(t.Context(), desk, request, "another key"); got != (answered{"", 0, contract.RateLimited}) {
		t.Errorf("another key over the limit: %+v", got)
	}
	if len(courier.keyed) != 1 {
		t.Errorf("%d keys are stored: one was refused by the limit", len(courier.keyed))
	}
}

// TestRepeatedAnswer: a repeated answer has the same bytes as the first.
func TestRepeatedAnswer(t *testing.T) {
	t.Parallel()
	desk, _ := newDesk()
	first, _, err := desk.Send(t.Context(), request, contract.IdempotencyKey{Value: "k"})
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := desk.Send(t.Context(), request, contract.IdempotencyKey{Value: "k"})
	if diff := cmp.Diff(first, again); diff != "" || err != nil {
		t.Errorf("(-first +again):\n%s%v", diff, err)
	}
}

// TestSameKeyAtOnce: of many concurrent requests with one key, one is sent, all are
// answered, and one slot is used. The caller of the one that is sent has left.
func TestSameKeyAtOnce(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]error{"delivered": nil, "not delivered": &contract.Error{Code: contract.BadGateway}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				desk, courier := newDesk()
				courier.fail, courier.during = fail, func() { time.Sleep(10 * time.Second) }
				leaving, leave := context.WithCancel(t.Context())
				answers := make([]answered, 8)
				for n := range answers {
					go func() {
						time.Sleep(time.Duration(n) * time.Second)
						ctx := t.Context()
						if n == 0 {
							ctx = leaving
						}
						answers[n] = send(ctx, desk, request, "k")
					}()
				}
				time.Sleep(time.Second)
				leave()
				time.Sleep(10 * time.Second)
				synctest.Wait()
				want := answered{courier.inquiry.ID, 2, ""}
				if fail != nil {
					want = answered{"", 2, contract.BadGateway}
				}
				for n, got := range answers {
					if got != want {
						t.Errorf("request %d: %+v, want %+v", n, got, want)
					}
				}
				if courier.calls != 1 {
					t.Errorf("%d mails, want 1", courier.calls)
				}
			})
		})
	}
}

// TestLastSlotOfTwoInstances: the callers of two instances that share the limit send one
// request when one slot is left. One takes it, and all get its answer.
func TestLastSlotOfTwoInstances(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one, courier := newDesk()
		two, _ := newDesk()
		two.Limit, two.Courier = one.Limit, one.Courier
		for one.Limit.Remaining(t.Context(), limits.Client{}) > 1 {
			one.Limit.Take(t.Context(), limits.Client{})
		}
		courier.during = func() { time.Sleep(10 * time.Second) }
		answers := make([]answered, 8)
		for n := range answers {
			go func() { answers[n] = send(t.Context(), []*Desk{one, two}[n%2], request, "k") }()
		}
		time.Sleep(11 * time.Second)
		synctest.Wait()
		for n, got := range answers {
			if want := (answered{courier.inquiry.ID, 0, ""}); got != want {
				t.Errorf("request %d: %+v, want %+v", n, got, want)
			}
		}
		if got := send(t.Context(), two, request, "another key"); courier.calls != 1 || got.code != contract.RateLimited {
			t.Errorf("%d mails, want 1; then %+v, want %s", courier.calls, got, contract.RateLimited)
		}
	})
}

// TestKeyOfAnotherClient: a retry from another IP address gets the answer of the first
// request, and the limit of its own client.
func TestKeyOfAnotherClient(t *testing.T) {
	t.Parallel()
	desk, courier := newDesk()
	from := func(address string) context.Context {
		return limits.WithClient(t.Context(), limits.ClientOf(netip.MustParseAddr(address)))
	}
	first := send(from("192.0.2.1"), desk, request, "k")
	if got, want := send(from("192.0.2.2"), desk, request, "k"), (answered{first.id, 3, ""}); got != want || courier.calls != 1 {
		t.Errorf("%+v after %d mails, want %+v after 1", got, courier.calls, want)
	}
}

// TestKeyIsScoped: a key is another key for another e-mail address, so guessing it gains
// nothing; it is the same for another spelling of the address.
func TestKeyIsScoped(t *testing.T) {
	t.Parallel()
	desk, courier := newDesk()
	stranger, shouting := request, request
	stranger.Email, shouting.Email = "eve@example.com", strings.ToUpper(request.Email)
	guessed := send(t.Context(), desk, stranger, "k")
	if first := send(t.Context(), desk, request, "k"); first.code != "" || first.id == guessed.id || courier.calls != 2 {
		t.Errorf("%+v after the stranger's %+v, want an inquiry of its own", first, guessed)
	}
	if got := send(t.Context(), desk, shouting, "k"); got.code != contract.InvalidRequest {
		t.Errorf("another case of the address: %+v, want invalid_request: the mail would differ", got)
	}
}

// TestKeysCannotBeGuessed: nine refusals of a used key are free, three take slots of the
// limit, and the next is rate-limited.
func TestKeysCannotBeGuessed(t *testing.T) {
	t.Parallel()
	desk, courier := newDesk()
	ctx := limits.WithClient(t.Context(), limits.ClientOf(netip.MustParseAddr("192.0.2.9")))
	send(t.Context(), desk, request, "k")
	want := slices.Concat(slices.Repeat([]answered{{"", 3, contract.InvalidRequest}}, 9), []answered{
		{"", 2, contract.InvalidRequest}, {"", 1, contract.InvalidRequest}, {"", 0, contract.InvalidRequest}, {"", 0, contract.RateLimited}})
	var got []answered
	for n := range want {
		other := request
		other.Message = fmt.Sprint("Guess ", n)
		got = append(got, send(ctx, desk, other, "k"))
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(answered{})); diff != "" || courier.calls != 1 {
		t.Errorf("%d mails, want 1 (-want +got):\n%s", courier.calls, diff)
	}
}

// queue is a joiner with one inquiry that waits for its mail.
type queue struct {
	waiting records.Inquiry
	bound   []string
}

func (q *queue) Queued(_ context.Context, inquiry records.Inquiry) (records.Inquiry, bool, error) {
	return q.waiting, inquiry.Message == q.waiting.Message, nil
}

func (q *queue) Bind(_ context.Context, key records.Key, id string) error {
	q.bound = append(q.bound, scoped(key)+" "+id)
	return nil
}

// TestJoin: a request joins the inquiry of an equal one, with its answer and under a slot
// of its own; its key becomes one of the inquiry. A preview must match the stored mail.
func TestJoin(t *testing.T) {
	t.Parallel()
	desk, courier := newDesk()
	key := contract.IdempotencyKey{Value: "k", Field: "Idempotency-Key"}
	courier.fail = &contract.Error{Code: contract.BadGateway}
	if got := send(t.Context(), desk, request, "first"); got.code != contract.BadGateway {
		t.Fatalf("first: %+v", got)
	}
	waiting := courier.inquiry
	joiner := &queue{waiting: waiting}
	desk.Joiner, courier.fail = joiner, nil
	elsewhere, other := request, request
	elsewhere.Preview, other.Message = "another", "another"
	for _, step := range []struct {
		name    string
		request contract.PilotRequest
		key     string
		want    answered
		bound   int
	}{
		{"with another preview", elsewhere, key.Value, answered{"", 2, contract.InvalidRequest}, 0},
		{"without a key", request, "", answered{waiting.ID, 1, ""}, 0},
		{"with a key", request, key.Value, answered{waiting.ID, 0, ""}, 1},
		{"over the limit", request, "", answered{"", 0, contract.RateLimited}, 1},
		{"another request over the limit", other, "", answered{"", 0, contract.RateLimited}, 1},
	} {
		if got := send(t.Context(), desk, step.request, step.key); got != step.want || len(joiner.bound) != step.bound {
			t.Errorf("%s: %+v with %d keys bound, want %+v with %d", step.name, got, len(joiner.bound), step.want, step.bound)
		}
	}
	if want := scoped(storedKey(request, key)) + " " + waiting.ID; len(joiner.bound) != 1 || joiner.bound[0] != want {
		t.Errorf("bound %v, want %s", joiner.bound, want)
	}
}
