package handlers

import (
	"context"
	"net/http"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
)

// Ask answers POST /v1/ask and POST /api/ask.
func (a *API) Ask(w http.ResponseWriter, r *http.Request) error {
	question, err := read(r, decodeJSON, payload.QuestionFields, payload.Question)
	if err != nil {
		return err
	}
	answer := a.Answers.Ask(r.Context(), question.Q)
	if answer.Encoded != nil {
		writeEncoded(w, answer.Encoded)
		return nil
	}
	writeJSON(w, answer)
	return nil
}

// Feedback answers POST /api/ask/feedback.
func (a *API) Feedback(w http.ResponseWriter, r *http.Request) error {
	feedback, err := read(r, decodeJSON, payload.FeedbackFields, payload.Feedback)
	if err != nil {
		return err
	}
	if err := a.keepFeedback(r.Context(), feedback); err != nil {
		return err
	}
	writeJSON(w, contract.FeedbackTaken{OK: true})
	return nil
}

// keepFeedback stores feedback on an answer.
func (a *API) keepFeedback(ctx context.Context, feedback contract.Feedback) error {
	if feedback.EntryID != "" && !a.Answers.Has(feedback.EntryID) {
		return contract.Invalid(contract.FieldEntryID,
			contract.FieldEntryID+" "+payload.Shown(feedback.EntryID)+" is not the id of an entry")
	}
	return a.Feedbacks.AddFeedback(ctx, records.Feedback{
		Helpful:   *feedback.Helpful,
		EntryID:   feedback.EntryID,
		Q:         feedback.Q,
		Comment:   feedback.Comment,
		CreatedAt: time.Now().UTC(),
	})
}
