package gaps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/records"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"Do you bake?": "Do you bake?",
		"Write to ada.l+x@mail.example.com, please":    "Write to [mail], please",
		"my mail is <ada@example.com>":                 "my mail is <[mail]>",
		"I am @ada@social.example":                     "I am [mail]",
		"mail zoë@bücher.example or ａ＠ｂ.example":       "mail [mail] or [mail]",
		"see https://example.com/a?b=c#d and www.x.de": "see [url] and [url]",
		"see example.com/order/7, or desk.example.":    "see [url] or [url].",
		"Call +49 (0)341 / 123-45 67 today":            "Call [number] today",
		"order no. 4711-0815?":                         "order no. [number]?",
		"card 4111 1111 1111 1111, 12/28":              "card [number]",
		"Is it 3,50 or 4.20?":                          "Is it [number] or [number]?",
		"IBAN DE89 3704 0044":                          "IBAN DE[number]",
		"from 10.0.0.1:8080":                           "from [number]",
		"رقم ١٢٣٤":                                     "رقم [number]",
		"電話は０３－１２３４です":                                 "電話は[number]－[number]です",
		"What, e.g., is it? Yes...no":                  "What, e.g., is it? Yes...no",
	} {
		if got := Mask(question); got != want {
			t.Errorf("Mask(%q) = %q, want %q", question, got, want)
		}
		if IsMasked(want) != (question != want) {
			t.Errorf("IsMasked(%q) is wrong", want)
		}
	}
}

// FuzzMask holds that nothing that could be an address or a number is left over.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{"a@b", "1 2", "http://x", "x.yy/1", "@@1@", "[number]1", "\xff@1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, question string) {
		got := Mask(question)
		if mailPattern.MatchString(got) || numberPattern.MatchString(got) || strings.Contains(got, "://") && urlPattern.MatchString(got) {
			t.Fatalf("Mask(%q) = %q", question, got)
		}
	})
}

// shelf is a store in memory that can be out of order.
type shelf struct {
	mu    sync.Mutex
	asked []records.Asked
	err   error
	hang  bool
}

func (s *shelf) AddQuestion(ctx context.Context, asked records.Asked) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	if s.err == nil {
		s.asked = append(s.asked, asked)
	}
	return s.err
}

// run runs a keeper in a bubble until stop is called, which waits for its end.
func run(t *testing.T, s *shelf) (k *Keeper, log *bytes.Buffer, stop func()) {
	log = &bytes.Buffer{}
	k = NewKeeper(s, zerolog.New(zerolog.SyncWriter(log)))
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { k.Run(ctx) })
	return k, log, func() { cancel(); running.Wait() }
}

func TestKeeper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		k, log, stop := run(t, s)
		id := "refunds"
		k.Answered("What do I get back?", contract.Answer{EntryID: &id})
		k.Answered("Can I pay 40 to ada@example.com?", contract.Answer{})
		k.Unhelpful("CAN I PAY?", id)
		k.Unhelpful("", id)
		k.Answered("?!", contract.Answer{})
		stop()
		now := time.Now()
		want := []records.Asked{
			{Key: "can i pay number to mail", Q: "Can I pay [number] to [mail]?", At: now},
			{Key: "can i pay", Q: "CAN I PAY?", Unhelpful: true, EntryID: id, At: now},
		}
		if diff := cmp.Diff(want, s.asked); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if log.Len() > 0 {
			t.Errorf("the log says %s", log)
		}
	})
}

// TestNobodyWaits asks far more than a database that hangs can take.
func TestNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{hang: true}
		k, log, stop := run(t, s)
		begun := time.Now()
		for i := range 10 * queued {
			k.Answered(fmt.Sprint("secret ", i), contract.Answer{})
		}
		if time.Since(begun) != 0 {
			t.Error("somebody waited")
		}
		begun = time.Now()
		stop()
		if took := time.Since(begun); took > 3*storeTimeout {
			t.Errorf("the end took %v", took)
		}
		if n := strings.Count(log.String(), "\n"); n != 1 || strings.Contains(log.String(), "secret") {
			t.Errorf("%d log lines:\n%s", n, log)
		}
	})
}

// TestDatabaseDown logs one line when questions begin to be lost, and one when they
// are kept again.
func TestDatabaseDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{err: errors.New("down")}
		k, log, stop := run(t, s)
		defer stop()
		for round := range 2 {
			for range 10 {
				k.Answered("Do you bake?", contract.Answer{})
			}
			synctest.Wait()
			s.mu.Lock()
			s.err = nil
			s.mu.Unlock()
			k.Answered("Do you sing?", contract.Answer{})
			synctest.Wait()
			s.mu.Lock()
			if len(s.asked) != round+1 {
				t.Errorf("kept: %v", s.asked)
			}
			s.err = errors.New("down")
			s.mu.Unlock()
		}
		if n := strings.Count(log.String(), "\n"); n != 4 {
			t.Errorf("%d log lines, want two for each time:\n%s", n, log)
		}
	})
}

func TestKeepingNothing(t *testing.T) {
	t.Parallel()
	var k *Keeper
	k.Answered("Do you bake?", contract.Answer{})
	k.Unhelpful("Do you bake?", "")
	k.Run(t.Context()) // which has nothing to do
}

func question(number int64, q string, unanswered, unhelpful int) records.Question {
	at := time.Date(2026, 1, 1, 0, 0, int(number), 0, time.UTC)
	return records.Question{Number: number, Q: q, Unanswered: unanswered, Unhelpful: unhelpful, FirstAt: at, LastAt: at}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	songs := question(7, "do you sing at weddings?!", 0, 1)
	songs.EntryID = "songs"
	groups := Groups([]records.Question{
		question(1, "Can I bring my dog?", 1, 0),
		question(2, "Do you sing at weddings?", 2, 0),
		question(3, "Do you deliver?", 2, 1),
		question(5, "Can I bring my dogs?", 3, 0),
		question(6, "Can I bring my car?", 1, 0),
		songs,
		question(8, "犬を連れて行ってもいいですか", 1, 0),
		question(9, "犬を連れていってもいいですか？", 1, 0),
		question(10, "ok", 1, 0),
		question(11, "no", 1, 0),
		question(12, "Can I bring my old dog?", 1, 0), // a word more is no other subject
	})
	type row struct {
		Number int64
		Count  int
		Like   []string
	}
	var got []row
	for _, g := range groups {
		got = append(got, row{g.Number, g.Count, g.Like})
	}
	want := []row{
		{1, 5, []string{"Can I bring my dogs?", "Can I bring my old dog?"}},
		{2, 3, []string{"do you sing at weddings?!"}},
		{3, 3, []string{}},
		{8, 2, []string{"犬を連れていってもいいですか？"}},
		{6, 1, []string{}},
		{10, 1, []string{}},
		{11, 1, []string{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	group, ok := Find(groups, 7)
	if !ok || group.Number != 2 || group.EntryID != "songs" || group.Unanswered != 2 || group.Unhelpful != 1 || !group.LastAt.Equal(songs.LastAt) {
		t.Errorf("the group of 7 is %+v, %v", group, ok)
	}
	if _, ok := Find(groups, 4); ok {
		t.Error("there is a group of a number that was not given")
	}
	if got := Groups(nil); got == nil || len(got) > 0 {
		t.Errorf("groups of nothing: %v", got)
	}
}

// BenchmarkGroups groups a year of questions that are all different.
func BenchmarkGroups(b *testing.B) {
	var questions []records.Question
	for i := range 10_000 {
		questions = append(questions, question(int64(i), fmt.Sprintf("Can I %c%c%c the %x with a discount?", 'a'+i%26, 'a'+i/26%26, 'a'+i/676, i*7919), 1, 0))
	}
	for b.Loop() {
		Groups(questions)
	}
}
