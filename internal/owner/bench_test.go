package owner_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/internal/curation"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
)

// BenchmarkPages reads each page with a thousand entries, a thousand inquiries and ten
// thousand questions.
func BenchmarkPages(b *testing.B) {
	store := expect.Value(records.Open(b.Context(), records.Options{Dir: b.TempDir()}))(b)
	defer store.Close() // nothing of it is kept
	dir := b.TempDir()
	expect.OK(b, expect.ErrorOf(content.Init(dir, "")))
	faq := "fallback: Write to us.\nentries:\n"
	for n := range 1000 {
		faq += fmt.Sprintf("  - id: e%d\n    question: What about thing %[1]d?\n    alternates:\n      - How is thing %[1]d?\n      - Tell me about thing %[1]d\n    answer: |\n      Thing %[1]d is fine.\n\n", n)
	}
	expect.OK(b, errors.Join(os.WriteFile(filepath.Join(dir, "faq.yaml"), []byte(faq), 0o600), os.Remove(filepath.Join(dir, "golden.yaml"))))
	loaded := expect.Value(content.Load(os.DirFS(dir)))(b)
	now := time.Now()
	for n := range 1000 {
		id := fmt.Sprint("inq_", n)
		expect.OK(b, store.AddInquiry(b.Context(), records.Inquiry{
			ID: id, MessageID: id, Name: "Ada Lovelace", Business: "Analytical Engines", Email: "ada@example.com",
			Message: fmt.Sprint("We would like to try number ", n), State: records.Sent, CreatedAt: now.Add(-time.Duration(n) * time.Hour),
		}, records.Claim{}))
	}
	var batch records.Batch
	for n := range 10_000 {
		q := fmt.Sprintf("Question %d about thing %d and place %d", n*7919%10_007, n%97, n%89)
		batch.Questions = append(batch.Questions, records.Question{Key: content.QuestionKey(q), Q: q, Unanswered: 1 + n%9, LastAt: now.Add(-time.Duration(n) * time.Minute)})
	}
	expect.Value(store.AddBatch(b.Context(), batch, int(1e6)))(b)
	for day := range int64(365) {
		expect.OK(b, store.AddDayTotals(b.Context(), owner.Today(now)-day, map[string]int{owner.DayAnswered: 50, owner.DayUnanswered: 9}))
	}
	service := &fakeService{store: store, live: owner.Live{Content: loaded, Revision: "abc", Since: now}}
	pages := owner.New(owner.Config{
		Service: service, Curator: &curation.Curator{Store: store, Content: os.DirFS(dir), Dir: dir}, Obstacle: func() string { return "" }, Store: store, Token: token, KeepsAnswered: true,
		HTTPS: func(string) bool { return false }, Log: zerolog.Nop(),
	})
	get := func(b *testing.B, path string) {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		if pages.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	get(b, "/owner/")
	b.Run("/owner/ after a new question", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			q := fmt.Sprintf("A new question %d about thing 7", n)
			asked := records.Batch{Questions: []records.Question{{Key: content.QuestionKey(q), Q: q, Unanswered: 10, LastAt: now.Add(time.Duration(n) * time.Second)}}}
			expect.Value(store.AddBatch(b.Context(), asked, int(1e6)))(b)
			get(b, "/owner/")
		}
	})
	for _, path := range []string{
		"/owner/", "/owner/inquiries", "/owner/inquiries?page=40&show=all", "/owner/inquiries?show=all&q=number+999", "/owner/inquiries/inq_500",
		"/owner/questions", "/owner/questions?q=place+7", "/owner/questions/1", "/owner/answers", "/owner/answers/e500", "/owner/answers/e500/edit", "/owner/changes", "/owner/state",
	} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				get(b, path)
			}
		})
	}
}
