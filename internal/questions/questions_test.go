package questions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ question, want string }{
		{"Write to ada.l+x@mail.example.com, please", "Write to [mail], please"},
		{"my mail is <ada@example.com>", "my mail is <[mail]>"},
		{"I am @ada@social.example", "I am [mail]"},
		{"mail zoë@bücher.example or ａ＠ｂ.example", "mail [mail] or [mail]"},
		{"see https://example.com/a?b=c#d and www.x.de", "see [url] and [url]"},
		{"see example.com/order/7, or desk.example.", "see [url] or [url]."},
		{"2https://desk/ada and _http://desk/ada", "2[url] and _[url]"},
		{"see _www.desk.example/ada", "see _[url]"},
		{"Call +49 (0)341 / 123-45 67 today", "Call [number] today"},
		{"Call 01 23 45 67 89, or 0761.555.0123", "Call [number], or [number]"},
		{"電話は０３－１２３４です", "電話は[number]です"},
		{"06·12·34·56·78, 555−1234−567 or 0761 10 000 €", "[number] or [number] €"},
		{"order no. 4711-0815?", "order no. [number]?"},
		{"Bestellnummer RE-4711, order AB-C/12", "Bestellnummer [number], order [number]"},
		{"Where is order 12 of Bestellnummer A7-9", "Where is order [number] of Bestellnummer [number]"},
		{"customer number: 77, n° 5 and #8", "customer number: [number], n° [number] and #[number]"},
		{"card 4111 1111 1111 1111, 12/28", "card [number]"},
		{"IBAN DE89 3704 0044 0532 0130 00, please", "IBAN [number], please"},
		{"IBAN de89370400440532013000", "IBAN de[number]"},
		{"from 10.0.0.1:8080", "from [number]"},
		{"رقم ١٢٣٤٥٦", "رقم [number]"},
		{"I was born on 24.12.1987, or 1987-12-24", "I was born on [number], or [number]"},
		{"born 24/12/87", "born [number]"},
		{"geboren am 3. April 1985, nascida em 3 de abril de 1985", "geboren am [number], nascida em [number]"},
		{"born April 3rd, 1985, 3/Apr/1985 or el 3 de abril del 1985", "born [number], [number] or el [number]"},
		{"My name is Ada Lovelace and I bake", "My name is [name] and I bake"},
		{"my name is ada lovelace, can i come", "my name is [name], can i come"},
		{"Ich heiße Zoë. Kann ich kommen?", "Ich heiße [name]. Kann ich kommen?"},
		{"Je m’appelle Jean-Luc d'Arc, ouvert ?", "Je m’appelle [name] d'Arc, ouvert ?"},
		{"my name is: Dr. J. Smith jr", "my name is: [name] jr"},
		{"Mijn naam is Jan van der Berg de bakker", "Mijn naam is [name] de bakker"},
		{"mijn naam is van der Berg", "mijn naam is [name]"},
		{"Chamo-me Inês Sá Costa e quero um bolo", "Chamo-me [name] e quero um bolo"},
		{"Me chamo João Silva, posso ir?", "Me chamo [name], posso ir?"},
	} {
		expect.Same(t, fmt.Sprintf("Mask(%q)", tt.question), tt.want, Mask(tt.question))
		expect.Same(t, "IsMasked: "+tt.want, true, IsMasked(tt.want))
	}
	for _, question := range []string{ // they say nothing about a person
		"Do you bake?", "A table on 24.12. 19:00, or 10.30−12.30?", "10 000,50 €?",
		fmt.Sprintf("Closed on 31.12.%d?", time.Now().Year()), "Do kids (8 and 10) pay?",
		"Can I come b4 9, or 2nite?", "Is it 3,50 or 4.20?", "Is 1.240,50 € for 12 people right?",
		"Open 06:30-18:00, 8–12 and 24/7?", "Open on 24.12., or on 31.12.2099?",
		"Open on 3 April 2099, or May 1, 2099?", "4 Sterne 2019, or 10 bis 2000 Euro?",
		"Courses for 6, 8, 10 and 12 years in 2027", "Do you print A4 or 10 x 15 cm?",
		"Is there a number to call, or an order?", "No covid-19 test, open 9–12 · 14–18?", "What, e.g., is it? Yes...no",
	} {
		expect.Same(t, "Mask", question, Mask(question))
		expect.Same(t, "IsMasked: "+question, false, IsMasked(question))
	}
}

// No address and no long number is left over, and what was masked stays as it is.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{"a@b", "1 2", "http://x", "x.yy/1", "@@1@", "[number]12345", "\xff@1", "00A://0",
		"my name is a b c", "order 1",
		"DE12 3456 7890"} {
		f.Add(seed)
	}
	long := regexp.MustCompile(`\pN{5}`)
	f.Fuzz(func(t *testing.T, question string) {
		got := Mask(question)
		if mailPattern.MatchString(got) || urlPattern.MatchString(got) || long.MatchString(got) {
			t.Fatalf("Mask(%q) = %q", question, got)
		}
	})
}

type shelf struct {
	mu       sync.Mutex
	asked    []records.Question
	answers  []records.Answered
	feedback []records.Feedback
	batches  int
	err      error
	hang     bool
}

func (s *shelf) AddBatch(ctx context.Context, batch records.Batch, _ int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches++
	if s.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	if s.err != nil {
		return s.err
	}
	s.asked = append(s.asked, batch.Questions...)
	s.answers = append(s.answers, batch.Answers...)
	s.feedback = append(s.feedback, batch.Feedback...)
	return nil
}

func run(t *testing.T, s *shelf, config Config) (k *Recorder, log *bytes.Buffer, stop func()) {
	log = &bytes.Buffer{}
	config.Store, config.Log = s, zerolog.New(zerolog.SyncWriter(log))
	k = NewRecorder(config)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { k.Run(ctx) })
	return k, log, func() { cancel(); running.Wait() }
}

// Equal questions become one, masked, and so do equal answers, with how sure the last was.
func TestRecorder(t *testing.T) {
	by := func(entry string, match contract.Match, confidence float64) contract.Answer {
		return contract.Answer{EntryID: new(entry), Match: match, Confidence: confidence}
	}
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		s := &shelf{}
		k, log, stop := run(t, s, Config{Questions: true, Answered: true})
		for _, note := range []struct {
			q      string
			answer contract.Answer
		}{
			{"Can I pay 40 to ada@example.com?", contract.Answer{}},
			{"CAN I PAY?", contract.Answer{}},
			{"Can I pay?", contract.Answer{}},
			{"?!", contract.Answer{}},
			{"Price for ada@example.com?", by("price", contract.MatchSelector, 0.97)},
			{"price for bob@example.com", by("price", contract.MatchSelector, 0.98)},
			{"When?", by("hours", contract.MatchAlternate, 0)},
			{"When?", by("holidays", contract.MatchModel, 0)},
		} {
			k.Keep(t.Context(), note.q, note.answer)
		}
		stop()
		expect.Same(t, "questions", []records.Question{
			{Key: "can i pay 40 to mail", Q: "Can I pay 40 to [mail]?", Unanswered: 1, LastAt: now},
			{Key: "can i pay", Q: "CAN I PAY?", Unanswered: 2, LastAt: now},
		}, s.asked)
		expect.Same(t, "answers", []records.Answered{
			{Key: "price for mail", Q: "Price for [mail]?", EntryID: "price", Match: contract.MatchSelector, Confidence: 0.98,
				Asked: 2, LastAt: now},
			{Key: "when", Q: "When?", EntryID: "hours", Match: contract.MatchAlternate, Confidence: 1, Asked: 1, LastAt: now},
			{Key: "when", Q: "When?", EntryID: "holidays", Match: contract.MatchModel, Asked: 1, LastAt: now},
		}, s.answers)
		expect.Same(t, "the log", "", log.String())
	})
}

func TestNoOneWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{hang: true}
		k, log, stop := run(t, s, Config{Questions: true})
		begun := time.Now()
		const asked = 10 * queued
		for i := range asked {
			k.Keep(t.Context(), fmt.Sprint("secret ", i), contract.Answer{})
		}
		expect.Same(t, "somebody waited", 0, time.Since(begun))
		begun = time.Now()
		stop()
		expect.AtMost(t, "the end took", 3*storeTimeout, time.Since(begun))
		expect.Same(t, "log lines", 1, strings.Count(log.String(), "\n"))
		expect.Lacks(t, "the log", log.String(), "secret")
		expect.Same(t, "dropped notes are counted", asked, k.Dropped())
	})
}

func TestBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		k, _, stop := run(t, s, Config{Questions: true})
		s.mu.Lock() // the database is busy with the first note
		for i := range 1000 {
			k.Keep(t.Context(), fmt.Sprint("Question ", string(rune('a'+i%20)), "?"), contract.Answer{})
		}
		s.mu.Unlock()
		stop()
		expect.AtMost(t, "batches", 1000/batched+2, s.batches)
		total := 0
		for _, asked := range s.asked {
			total += asked.Unanswered
		}
		expect.Same(t, "questions are counted", []any{1000, int64(0)}, []any{total, k.Dropped()})
	})
}

func TestDatabaseDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		k, log, stop := run(t, s, Config{Questions: true})
		defer stop()
		set := func(err error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.err = err
		}
		for round := range 2 {
			set(errors.New("down"))
			for range 10 {
				k.Keep(t.Context(), "Do you bake?", contract.Answer{})
				synctest.Wait()
			}
			set(nil)
			time.Sleep(logInterval)
			k.Keep(t.Context(), "Do you sing?", contract.Answer{})
			synctest.Wait()
			expect.Same(t, "log lines", round+1, strings.Count(log.String(), "\n"))
		}
		expect.Same(t, "dropped notes are counted", 20, k.Dropped())
	})
}

// The caller hears of a database that fails, and of nothing else.
func TestFeedbackErrors(t *testing.T) {
	for err, want := range map[error]error{io.ErrClosedPipe: io.ErrClosedPipe, records.ErrDailyRows: nil} {
		synctest.Test(t, func(t *testing.T) {
			s, again := &shelf{err: err}, records.Feedback{Q: "Why?"}
			k, _, stop := run(t, s, Config{})
			defer stop()
			expect.Error(t, err.Error(), k.AddFeedback(context.Background(), again), want)
			s.err = nil
			expect.OK(t, k.AddFeedback(context.Background(), again))
			if want != nil {
				expect.Same(t, "it counts when it is sent again", "why", s.feedback[0].Key)
			}
		})
	}
}

func question(number int64, q string, unanswered, unhelpful int) records.Question {
	at := time.Date(2026, 1, 1, 0, 0, int(number), 0, time.UTC)
	return records.Question{Number: number, Key: fmt.Sprint("k", number), Q: q, Unanswered: unanswered, Unhelpful: unhelpful,
		FirstAt: at, LastAt: at}
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
	expect.Same(t, "groups", []row{
		{1, 5, []string{"Can I bring my dogs?", "Can I bring my old dog?"}},
		{2, 3, []string{"do you sing at weddings?!"}},
		{3, 3, []string{}},
		{8, 2, []string{"犬を連れていってもいいですか？"}},
		{6, 1, []string{}},
		{10, 1, []string{}},
		{11, 1, []string{}},
	}, got)
	group := groups[1]
	expect.Same(t, "the group of 7",
		[]any{[]int64{2, 7}, []string{"k2", "k7"}, "songs", 2, 1, songs.LastAt},
		[]any{group.Numbers, group.Keys, group.EntryID, group.Unanswered, group.Unhelpful, group.LastAt})
	expect.Same(t, "groups of nothing", []Group{}, Groups(nil))
}

// TestManyGroups compares only the most asked questions, and loses none.
func TestManyGroups(t *testing.T) {
	t.Parallel()
	words := strings.Fields("do you have any cake bread rolls for my dog cat wedding on sunday monday morning with " +
		"without nuts sugar gluten please how much is it when open closed deliver to berlin hamburg order online phone")
	random, questions, total := rand.New(rand.NewPCG(1, 2)), make([]records.Question, 2*maxCompared), 0
	for i := range questions {
		var question []string
		for range 4 + random.IntN(8) {
			question = append(question, words[random.IntN(len(words))])
		}
		questions[i] = records.Question{Number: int64(i + 1), Q: strings.Join(question, " "), Unanswered: 1}
	}
	for _, group := range Groups(questions) {
		total += group.Count
	}
	expect.Same(t, "questions are in groups", len(questions), total)
	last := &questions[len(questions)-1]
	questions[3].Q, last.Q = "Do you sell bicycles?", "Do you sell bicycles??"
	isTogether := func() bool {
		return slices.ContainsFunc(Groups(questions), func(g Group) bool { return g.Number == 4 && len(g.Numbers) > 1 })
	}
	expect.Same(t, "asked once, compared", false, isTogether())
	last.Unanswered = 2
	expect.Same(t, "asked most, compared", true, isTogether())
}

func keep(t *testing.T, config Config, work func(*Recorder)) (stored *shelf) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		stored = &shelf{}
		recorder, _, stop := run(t, stored, config)
		work(recorder)
		stop()
	})
	return stored
}

func TestKeep(t *testing.T) {
	t.Parallel()
	hours := contract.Answer{Answer: "At nine.", EntryID: new("hours"), Match: contract.MatchExact}
	none, both := contract.Answer{Answer: "Write to us."}, Config{Questions: true, Answered: true}
	ctx := t.Context()
	check := WithoutKeeping(ctx)
	for _, tt := range []struct {
		name              string
		answer            contract.Answer
		config            Config
		ctx               context.Context
		question, answers int // that are kept
	}{
		{"an entry answers", hours, Config{Questions: true}, ctx, 0, 0},
		{"an entry answers, and that is kept", hours, both, ctx, 0, 1},
		{"no entry answers", none, both, ctx, 1, 0},
		{"no entry answers, and that is not kept", none, Config{Answered: true}, ctx, 0, 0},
		{"a check", none, both, check, 0, 0},
		{"an answered check", hours, both, check, 0, 0},
	} {
		stored := keep(t, tt.config, func(recorder *Recorder) { recorder.Keep(tt.ctx, "When do you open?", tt.answer) })
		expect.Same(t, tt.name, []any{tt.question, tt.answers}, []any{len(stored.asked), len(stored.answers)})
	}
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	const q, masked, key = "Did ada@example.com order?", "Did [mail] order?", "did mail order"
	ctx := limits.WithClient(context.Background(), limits.ClientOf(netip.MustParseAddr("192.0.2.7")))
	for _, tt := range []struct {
		name  string
		keeps bool
		ctx   context.Context
		want  []records.Feedback
	}{
		{"questions are kept", true, ctx, []records.Feedback{{Q: masked, Key: key}, {Q: masked}}},
		{"questions are not kept", false, ctx, []records.Feedback{{Key: key}, {}}},
		{"a check of the service", true, WithoutKeeping(ctx), nil},
	} {
		stored := keep(t, Config{Questions: tt.keeps}, func(recorder *Recorder) {
			for range 2 { // the second mark of the day does not count
				expect.OK(t, recorder.AddFeedback(tt.ctx, records.Feedback{Q: q}))
			}
		})
		expect.Same(t, tt.name, tt.want, stored.feedback)
	}
}
