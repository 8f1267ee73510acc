package handlers

import (
	"net/http"

	"frontdesk/payload"
)

// Contact answers POST /v1/contact and POST /api/contact: validation first, then
// a dry run leaves, and only a valid real send asks the limit.
func (a *API) Contact(w http.ResponseWriter, r *http.Request) error {
	object, err := decodeByType(r, payload.PilotFields)
	if err != nil {
		return err
	}
	request, err := payload.Pilot(object)
	if err != nil {
		return err
	}
	if request.DryRun {
		writeJSON(w, a.Pilots.Preview(request))
		return nil
	}
	if err := a.Pilots.CheckPreview(request); err != nil {
		return err
	}
	accepted, decision, err := a.Pilots.Send(r.Context(), request)
	a.ContactLimit.SetHeaders(w.Header(), decision.Remaining)
	if err != nil {
		return err
	}
	writeJSON(w, accepted)
	return nil
}
