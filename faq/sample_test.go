package faq

import (
	"testing"

	"frontdesk/content"
)

// The sample must go live as it is, so its golden questions must hold.
func TestSampleGolden(t *testing.T) {
	t.Parallel()
	sample, err := content.Load(content.Sample())
	if err != nil {
		t.Fatal(err)
	}
	if len(sample.Golden.Answered) == 0 || len(sample.Golden.Unanswered) == 0 {
		t.Fatal("the sample has no golden questions")
	}
	for _, fault := range New(sample.FAQ, sample.Golden.Unanswered, DefaultPrecision, resolve).CheckGolden(t.Context(), sample.Golden) {
		t.Error(fault)
	}
}
