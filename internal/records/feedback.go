package records

import (
	"time"
)

// Feedback is what a caller thought of an answer. EntryID or Q says which answer;
// the other may be empty.
type Feedback struct {
	ID        string    `json:"id"` // made when it is stored
	Helpful   bool      `json:"helpful"`
	EntryID   string    `json:"entry_id,omitempty"`
	Q         string    `json:"q,omitempty"`
	Comment   string    `json:"comment,omitempty"`
	CreatedAt time.Time `json:"created_at"`

	// Key is that of the question whose answer AddBatch marks with the feedback; empty
	// for none. Client identifies the client that gives the feedback: it is never stored,
	// only hashed under a secret of the day, so that its repeated marks count once.
	Key    string `json:"-"`
	Client string `json:"-"`
}

var feedback = table[Feedback]{
	name:    "feedback",
	columns: "id, helpful, entry_id, q, comment, created_at",
	fields: func(f *Feedback) []any {
		return []any{&f.ID, &f.Helpful, &f.EntryID, &f.Q, &f.Comment, required(&f.CreatedAt)}
	},
	kind: "feedback", order: "created_at, id", since: "created_at",
	id:       func(f *Feedback) string { return f.ID },
	conflict: `ON CONFLICT (id) DO NOTHING`,
}
