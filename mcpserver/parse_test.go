package mcpserver

import (
	"bytes"
	"encoding/json"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func IDOf(body []byte) (id []byte, ok bool) {
	m, err := parse(body)
	return m.id, err == nil
}

// encoding/json reads every accepted body in the same way.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"a","method":"p\u0069ng","params":{"a":1}}`,
		`{"jsonrpc":"2.0","id":-1.5e3 ,"method":"x","params":null}`, `{"jsonrpc":"2.0","method":"\"\\"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := parse(body)
		if err != nil {
			failure := contract.AsError(err)
			if failure.RPC == nil || failure.Code != contract.InvalidRequest {
				t.Fatalf("%q is refused with %v", body, err)
			}
			return
		}
		if m.method == "" {
			return
		}
		got := expect.JSON[struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}](t, body)
		if got.Method != string(m.method) || !bytes.Equal(got.ID, m.id) || string(got.Params) != m.params {
			t.Fatalf("%q reads as %+v, encoding/json reads %+v", body, m, got)
		}
	})
}
