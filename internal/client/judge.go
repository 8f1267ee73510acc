package client

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"frontdesk/contract"
)

// judge distinguishes a success, a refusal, and the answer of another program.
func (a address) judge(response *http.Response, body []byte) ([]byte, error) {
	if target := response.Header.Get("Location"); target != "" && response.StatusCode/100 == 3 {
		return nil, redirected(a, target)
	}
	kind := response.Header.Get("Content-Type")
	if !isJSON(kind) || !json.Valid(body) {
		return nil, foreign(a, fmt.Sprintf("HTTP %d and no JSON (Content-Type %q)", response.StatusCode, kind))
	}
	if response.StatusCode == http.StatusOK {
		return body, nil
	}
	var problem contract.Problem
	if json.Unmarshal(body, &problem) != nil || problem.Code == "" {
		return nil, foreign(a, fmt.Sprintf("HTTP %d without a problem record", response.StatusCode))
	}
	return nil, refused(problem, response, body)
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == contract.TypeJSON || strings.HasSuffix(kind, "+json"))
}
