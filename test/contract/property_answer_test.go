package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"frontdesk/contract"
	"frontdesk/test/harness"
)

type rpcAnswer struct {
	Error  *struct{ Code int }
	Result struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Text string }
	}
}

// observed reads an answer as an outcome of the model. fault says what is wrong with it without regard to the model.
func observed(a *httptest.ResponseRecorder) (o outcome, fault string) {
	header := a.Header()
	o.Status, o.Policy = a.Code, only(header, contract.HeaderRateLimitPolicy)
	o.Remaining = only(header, contract.HeaderRateLimit)
	if fault := faultOf(a.Code, header, a.Body.Bytes()); fault != "" {
		return o, fault
	}
	if seconds := only(header, contract.HeaderRetryAfter); seconds != "" {
		var err error
		if o.RetryAfter, err = strconv.Atoi(seconds); err != nil {
			return o, contract.HeaderRetryAfter + " is no number"
		}
	}
	var problem struct{ Code contract.Code }
	if a.Code >= 400 {
		_ = json.Unmarshal(a.Body.Bytes(), &problem) // faultOf has parsed it
		if problem.Code == contract.BadGateway {     // its Retry-After is advice, not a limit
			o.RetryAfter = 0
		}
	}
	var message rpcAnswer
	if json.Unmarshal(a.Body.Bytes(), &message) == nil {
		if message.Error != nil {
			o.RPC = message.Error.Code
		}
		if o.Failed = message.Result.IsError; o.Failed {
			if json.Unmarshal([]byte(message.Result.Content[0].Text), &problem) != nil {
				return o, "a failed result holds no problem record"
			}
		}
	}
	o.Code = problem.Code
	return o, ""
}

func only(header http.Header, name string) string {
	return strings.Join(header.Values(name), " and ")
}

func essence(body []byte, tool bool) string {
	if tool {
		var message rpcAnswer
		_ = json.Unmarshal(body, &message) // observed has parsed it
		body = message.Result.StructuredContent
	}
	return strings.TrimSpace(string(body))
}

// faultOf says what is wrong with an answer without regard to its request.
func faultOf(status int, header http.Header, body []byte) string {
	switch {
	case only(header, "X-Content-Type-Options") != "nosniff":
		return "sniffing is not forbidden"
	case only(header, contract.HeaderRequestID) == "":
		return "no " + contract.HeaderRequestID
	case header["Set-Cookie"] != nil:
		return "a cookie is set"
	case (status == 429) != (header.Get(contract.HeaderRetryAfter) != "") && status != 502:
		return contract.HeaderRetryAfter + " is only allowed with 429"
	case status < 400:
		return ""
	}
	return problemFault(status, header, body)
}

func problemFault(status int, header http.Header, body []byte) string {
	if kind := only(header, "Content-Type"); kind != contract.TypeProblem {
		return fmt.Sprintf("an error is %s", kind)
	}
	// A refusal of the MCP transport has a JSON-RPC error in place of the text.
	var record struct {
		contract.Problem
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &record); err != nil {
		return fmt.Sprintf("the problem record: %v", err)
	}
	p := record.Problem
	switch info := p.Code.Info(); {
	case info.Code != p.Code:
		return fmt.Sprintf("no such code: %s", p.Code)
	case p.Status != status:
		return fmt.Sprintf("the record's status is %d, the answer's %d", p.Status, status)
	case info.Status != status && status != 406:
		return fmt.Sprintf("%s is not the code of %d", p.Code, status)
	case p.Title == "" || p.Detail == "" || p.Hint == "" || p.Type != harness.Base+"/developers#errors-"+string(p.Code):
		return fmt.Sprintf("an empty field or a wrong type: %+v", p)
	case p.RequestID != header.Get(contract.HeaderRequestID):
		return fmt.Sprintf("the record's request_id is %q, not that of %v", p.RequestID, header)
	case p.OK || len(record.Error) == 0 || string(record.Error) == `""`:
		return "ok is true, or there is no error"
	}
	return ""
}
