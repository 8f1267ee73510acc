package faq

import (
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

// The sample must go live as it is, so its golden questions must hold.
func TestSampleGolden(t *testing.T) {
	t.Parallel()
	sample := expect.Value(content.Load(content.Sample()))(t)
	if len(sample.Golden.Answered) == 0 || len(sample.Golden.Unanswered) == 0 {
		t.Fatal("the sample has no golden questions")
	}
	for _, fault := range New(sample.FAQ, sample.Golden.Unanswered, resolve).CheckGolden(t.Context(), sample.Golden) {
		t.Error(fault)
	}
}
