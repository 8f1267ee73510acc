package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"frontdesk/internal/model"
)

// latestTag is what Ollama adds to a name without a tag.
const latestTag = ":latest"

// model requests the endpoint's list of models, which is free.
func (e *examination) model(ctx context.Context) Finding {
	endpoint := e.service.Model
	if !endpoint.IsSet() {
		return skipped("none is set")
	}
	models, err := endpoint.Models(ctx)
	if refused, isRefused := errors.AsType[*model.StatusError](err); isRefused {
		return judgeStatus(endpoint, refused.Status)
	}
	if err != nil {
		return failed(fmt.Sprintf("%s: %v", endpoint, err),
			"Is the endpoint running, and is FRONTDESK_MODEL_URL its address with /v1? Until then, questions are answered "+
				"without a model.")
	}
	if !slices.Contains(models, endpoint.Name) && !slices.Contains(models, endpoint.Name+latestTag) {
		return warning(fmt.Sprintf("%s: the endpoint has %d models, none of that name", endpoint, len(models)),
			"Compare FRONTDESK_MODEL_NAME with the endpoint's list of models.")
	}
	return ok(endpoint.String())
}

// judgeStatus distinguishes a refused key from an endpoint without a list of models.
func judgeStatus(endpoint model.Endpoint, status int) Finding {
	what := fmt.Sprintf("%s: status %d", endpoint, status)
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return failed(what, "The endpoint refuses the key: check FRONTDESK_MODEL_KEY.")
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return warning(what+": it answers, but has no list of models to check the name and the key against",
			"If FRONTDESK_MODEL_URL is right (it includes /v1), the first question that needs the model will show whether it "+
				"works.")
	}
	return failed(what, "The endpoint cannot be used now; until it can, questions are answered without a model.")
}
