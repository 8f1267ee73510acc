package routes

import (
	"net/http"

	"frontdesk/contract"
	"frontdesk/handlers"
)

// keyRoutes is the directory of the service's keys (section 5.8).
func keyRoutes(api *handlers.API) []Route {
	return []Route{
		{Method: http.MethodGet, Path: contract.PathKeyDirectory,
			Purpose: "the service's own verification keys", Handler: api.KeyDirectory, AnyOrigin: true},
	}
}
