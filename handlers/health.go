package handlers

import (
	"net/http"

	"frontdesk/contract"
)

// Health is the liveness check.
func Health(w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, contract.Health{Status: contract.HealthOK})
	return nil
}
