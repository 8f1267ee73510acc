package records

import "testing"

// feedbackOf is all feedback, newest first: its owner reads it in an export.
func feedbackOf(t *testing.T, s *Store) []Feedback {
	t.Helper()
	rows, err := s.reads.QueryContext(t.Context(), `SELECT `+feedbackColumns+` FROM feedback ORDER BY created_at DESC, id DESC`)
	if err != nil {
		t.Fatal(err)
	}
	feedback, err := collect(rows, scanFeedback)
	if err != nil {
		t.Fatal(err)
	}
	return feedback
}
