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

var feedbackTable = table[Feedback]{
	name:    "feedback",
	columns: "id, helpful, entry_id, q, comment, created_at",
	fields: func(f *Feedback) []any {
		return []any{&f.ID, &f.Helpful, &f.EntryID, &f.Q, &f.Comment, instant{&f.CreatedAt}}
	},
	kind: "feedback", id: "id", order: "created_at, id",
}
