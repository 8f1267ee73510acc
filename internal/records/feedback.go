package records

import "time"

// Feedback is what a caller thought of an answer. EntryID or Q says which answer;
// the other may be empty.
type Feedback struct {
	ID        string    `json:"id" db:"id,required"` // made when it is stored
	Helpful   bool      `json:"helpful" db:"helpful"`
	EntryID   string    `json:"entry_id,omitempty" db:"entry_id"`
	Q         string    `json:"q,omitempty" db:"q,text"`
	Comment   string    `json:"comment,omitempty" db:"comment,text"`
	CreatedAt time.Time `json:"created_at" db:"created_at"`

	// Key is that of the question whose answer AddBatch marks with the feedback; empty
	// for none.
	Key string `json:"-"`
}

var feedback = newTable(table[Feedback]{name: "feedback", kind: "feedback"})
