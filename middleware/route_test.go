package middleware

import (
	"net/http"
	"strconv"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// What is sent is signed, also where an error takes the place of an answer that was begun.
func TestSignOnRequest(t *testing.T) {
	t.Parallel()
	failing := func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write([]byte("half an answer"))
		return &contract.Error{Code: contract.BadGateway, Detail: "Then it broke."}
	}
	signed := ""
	sign := SignOnRequest(func(_ []string, status int, _ http.Header, body []byte) {
		signed = strconv.Itoa(status) + string(body)
	})
	please := http.Header{"Accept-Signature": {"sig1=()"}}
	w := serve(sign((&Problems{BaseURL: base}).Handle(failing)), get(t, "/v1/catalog", please))
	expect.Same(t, "status, code, and what is signed",
		[]any{502, contract.BadGateway, "502" + w.Body.String()}, []any{w.Code, problemOf(t, w).Code, signed})
	head := get(t, "/v1/catalog", please)
	head.Method = "HEAD"
	serve(sign(http.HandlerFunc(fine)), head)
	expect.Same(t, "signed of an answer without content", "200", signed)
	signed = ""
	serve(sign(http.HandlerFunc(fine)), get(t, "/v1/catalog", nil))
	expect.Same(t, "signed without a request", "", signed)
}
