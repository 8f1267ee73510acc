package records

import "time"

// Feedback is a caller's opinion of an answer. EntryID or Q identifies the answer; the other
// may be empty.
type Feedback struct {
	ID        string    `json:"id"` // made when it is stored
	Helpful   bool      `json:"helpful"`
	EntryID   string    `json:"entry_id,omitempty"`
	Q         string    `json:"q,omitempty"`
	Comment   string    `json:"comment,omitempty"`
	CreatedAt time.Time `json:"created_at"`

	// Key is the key of the question whose answer AddBatch marks with the feedback; empty
	// for none.
	Key string `json:"-"`
}

const feedbackColumns = `id, helpful, entry_id, q, comment, created_at`

func (f *Feedback) fields() []any {
	return []any{&f.ID, &f.Helpful, &f.EntryID, &f.Q, &f.Comment, instant{&f.CreatedAt}}
}

var feedbackTable = table[Feedback, *Feedback]{
	kind: "feedback", id: "id",
	page: `SELECT ` + feedbackColumns + ` FROM feedback WHERE (created_at, id) > ($1, $2)
		ORDER BY created_at, id LIMIT $3`,
	after: func(f *Feedback) []any { return []any{f.CreatedAt.UnixMicro(), f.ID} },
	line:  func(f *Feedback) any { return f },
	insert: `INSERT INTO feedback (` + feedbackColumns + `) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT DO NOTHING`,
}
