package records

import "testing"

// feedbackOf is all feedback, newest first: its owner reads it in an export.
func feedbackOf(t *testing.T, s *Store) []Feedback {
	t.Helper()
	list, err := feedback.list(t.Context(), s.reads, `ORDER BY created_at DESC, id DESC`)
	must(t, err)
	return list
}
