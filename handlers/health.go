package handlers

import (
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

var healthy = payload.JSON(contract.Health{Status: contract.HealthOK})

// Health is the liveness check.
func Health(w http.ResponseWriter, _ *http.Request) error {
	writeEncoded(w, healthy)
	return nil
}
