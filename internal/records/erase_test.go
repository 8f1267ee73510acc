package records

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func (at Options) TestDeleteInquiry(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 2)
	expect.Error(t, "while its mail is under way", expect.ErrorOf(store.DeleteInquiry(t.Context(), "inq_0", leaseEnd)), ErrLeased)
	deleted := expect.Value(store.DeleteInquiry(t.Context(), "inq_0", leaseEnd.Add(time.Second)))(t)
	expect.Same(t, "DeleteInquiry", "inq_0@example.org", deleted.MessageID)
	expect.Error(t, "a second time", expect.ErrorOf(store.DeleteInquiry(t.Context(), "inq_0", leaseEnd)), ErrNotFound)
	expect.Same(t, "its tries", 0, len(expect.Value(store.Tries(t.Context(), "inq_0"))(t)))
	expect.Same(t, "left", 1, len(ids(t, store, InquiryQuery{})))
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
	addWorkspace(t, store, Workspace{ID: "wsp_0", State: contract.StateDraft, Business: "B", Email: "Ada@example.com", CreatedAt: now})
	for _, address := range []string{"ADA@example.com", "lada@example.community"} {
		expect.OK(t, store.addFeedback(t.Context(), Feedback{Comment: "write to " + address, CreatedAt: now}))
		change := Change{Source: ByPage, Diff: "+  answer: Ask " + address + "\n", To: address, At: now}
		expect.Value(store.AddChange(t.Context(), change, now))(t)
	}
	expect.Error(t, "while a mail is under way", expect.ErrorOf(store.Erase(t.Context(), "ada@example.com", leaseEnd)), ErrLeased)
	erased := expect.Value(store.Erase(t.Context(), "aDA@example.com", now))(t)
	want := Erased{Inquiries: 2, Workspaces: 1, Feedback: 1, Changes: 1, Keys: 1, Mentions: []string{"inq_2"}}
	expect.Same(t, "erased", want, erased)
	expect.Same(t, "left", []string{"inq_3", "inq_2"}, ids(t, store, InquiryQuery{}))
	want = Erased{Mentions: []string{"inq_2"}}
	expect.Same(t, "a second time", want, expect.Value(store.Erase(t.Context(), "ada@example.com", now))(t))
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"Ada@Example.com", true},
		{"<ada@example.com>, please", true},
		{"write to ada@example.com.", true},
		{"mailto:ada@example.com", true},
		{"lada@example.com", false},
		{"x.ada@example.com", false},
		{"ada@example.com.au", false},
		{"ada@example.community", false},
		{"lada@example.com (and ada@example.com)", true},
		{"", false},
	} {
		expect.Same(t, fmt.Sprintf("mentions(%q)", tt.text), tt.want, mentions("ada@example.com").MatchString(strings.ToLower(tt.text)))
	}
}
