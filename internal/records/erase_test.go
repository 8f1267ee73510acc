package records

import (
	"os"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func (at Options) TestDeleteInquiry(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 2)
	remove := func(now time.Time) (string, error) {
		deleted, err := store.DeleteInquiry(t.Context(), "inq_0", now)
		return deleted.MessageID, err
	}
	expect.Error(t, "while its mail is under way", expect.ErrorOf(remove(leaseEnd)), ErrLeased)
	expect.Same(t, "deleted", "inq_0@example.org", expect.Value(remove(leaseEnd.Add(time.Second)))(t))
	expect.Error(t, "a second time", expect.ErrorOf(remove(leaseEnd)), ErrNotFound)
	emptied(t, at)
	expect.Same(t, "its tries", 0, len(expect.Value(store.Tries(t.Context(), "inq_0"))(t)))
	expect.Same(t, "left", 1, len(ids(t, store, InquiryQuery{})))
}

// emptied expects that the write-ahead log of SQLite, which holds deleted rows too, is empty.
func emptied(t *testing.T, at Options) {
	t.Helper()
	if at.URL == "" {
		expect.Same(t, "write-ahead log", int64(0), expect.Value(os.Stat(at.path()+"-wal"))(t).Size())
	}
}

func (at Options) TestErase(t *testing.T) {
	store := openAt(t, at)
	now := leaseEnd.Add(time.Minute)
	hers, other := sample(0), sample(2)
	upper := sample(1)
	upper.Email = "ADA@Example.COM"
	other.Email, other.Message = "bob@example.com", "Ada (Ada@example.com) sent me"
	near := sample(3)
	near.Email, near.Message = "lada@example.community", "no one else"
	key := NewKey(hers.Email, "key", Fingerprint("x"))
	expect.Value(store.AddInquiry(t.Context(), hers, key))(t)
	for _, inquiry := range []Inquiry{upper, other, near} {
		add(t, store, inquiry)
	}
	addWorkspace(t, store, Workspace{ID: "wsp_0", State: contract.StateDraft, Email: "Ada@example.com", CreatedAt: now})
	for _, address := range []string{"ADA@example.com", "lada@example.community"} {
		expect.OK(t, store.addFeedback(t.Context(), Feedback{Comment: "write to " + address, CreatedAt: now}))
		change := Change{Source: ByPage, Diff: "+  answer: Ask " + address + "\n", To: address, At: now}
		expect.Value(store.AddChange(t.Context(), change, now))(t)
	}
	erase := func(now time.Time) (Erased, error) { return store.Erase(t.Context(), "aDA@example.com", now) }
	expect.Error(t, "while a mail is under way", expect.ErrorOf(erase(leaseEnd)), ErrLeased)
	want := Erased{Inquiries: 2, Workspaces: 1, Feedback: 1, Changes: 1, Keys: 1, Mentions: []string{"inq_2"}}
	expect.Same(t, "erased", want, expect.Value(erase(now))(t))
	emptied(t, at)
	expect.Same(t, "left", []string{"inq_3", "inq_2"}, ids(t, store, InquiryQuery{}))
	expect.Same(t, "a second time", Erased{Mentions: want.Mentions}, expect.Value(erase(now))(t))
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for want, texts := range map[bool][]string{
		true: {
			"Ada@Example.com", "<ada@example.com>, please", "write to ada@example.com.", "mailto:ada@example.com",
			"lada@example.com (and ada@example.com)", "@@\n+ada@example.com", `{"text":"Ask\nada@example.com\n"}`,
		},
		false: {"lada@example.com", "x.ada@example.com", "ada@example.com.au", "ada@example.community", ""},
	} {
		for _, text := range texts {
			expect.Same(t, text, want, mentions("ada@example.com").MatchString(strings.ToLower(text)))
		}
	}
}
