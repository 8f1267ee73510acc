package handlers

import (
	"context"
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

// Contact answers POST /v1/contact and POST /api/contact. It validates first, then
// answers a dry run; only a valid real send takes a slot of the limit.
func (a *API) Contact(w http.ResponseWriter, r *http.Request) error {
	request, err := read(r, decodeByType, payload.PilotFields, payload.Pilot)
	if err != nil {
		return err
	}
	if request.DryRun {
		writeJSON(w, a.Pilots.Preview(request))
		return nil
	}
	accepted, err := send(w, r, request, a.Pilots.Send)
	if err != nil {
		return err
	}
	writeJSON(w, accepted)
	return nil
}

// send passes a valid request to Send or Quarantine of Pilots. The answer has the headers of
// the limit unless the preview or the key is refused.
func send(w http.ResponseWriter, r *http.Request, request contract.PilotRequest,
	to func(context.Context, contract.PilotRequest, contract.IdempotencyKey) (contract.Accepted, limits.Decision, error),
) (contract.Accepted, error) {
	key, err := contract.ParseKey(contract.HeaderIdempotencyKey, r.Header.Values(contract.HeaderIdempotencyKey))
	if err != nil {
		return contract.Accepted{}, err
	}
	accepted, decision, err := to(r.Context(), request, key)
	decision.SetOutcome(w.Header(), err)
	return accepted, err
}
