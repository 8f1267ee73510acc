package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxModels bounds what is read of a list of models, in bytes: vendors serve
// hundreds, each with a description.
const maxModels = 4 << 20

// modelsPath is added to the address of the endpoint
// (https://platform.openai.com/docs/api-reference/models/list).
const modelsPath = "/models"

// StatusError is an answer of an endpoint with another status than 200.
type StatusError struct{ Status int }

func (e *StatusError) Error() string {
	return fmt.Sprintf("the model's endpoint answers with status %d", e.Status)
}

// Models lists the models that an endpoint says it has, without a call that counts
// or costs. Not every endpoint has such a list: without one the error is a
// *StatusError of 404 or 405. A nil transport means net/http's own.
func (e Endpoint) Models(ctx context.Context, transport http.RoundTripper) ([]string, error) {
	client := newClient(e, transport)
	defer client.http.CloseIdleConnections()
	response, err := client.send(ctx, http.MethodGet, modelsPath, nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxModels))
	if err != nil {
		return nil, bare(err)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(text, &list) != nil || list.Data == nil {
		return nil, errors.New("the model's endpoint answers with something else than a list of models")
	}
	ids := make([]string, len(list.Data))
	for i, model := range list.Data {
		ids[i] = model.ID
	}
	return ids, nil
}
