package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/app"
)

// TestClientsWithTheSameIDs runs two clients with the same ids over HTTP while one of
// them cancels: each must get its own answer. mcp-go keeps running calls by id, so a
// cancellation that reached it would end the other client's call.
func TestClientsWithTheSameIDs(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan string), make(chan struct{})
	f := newFront(t, func(w *app.Wiring) {
		w.Core.Answers = asking(func(ctx context.Context, q string) contract.Answer {
			asked <- q
			select {
			case <-answer:
				return contract.Answer{OK: true, Answer: "to " + q}
			case <-ctx.Done():
				return contract.Answer{OK: true, Answer: "cancelled"}
			}
		})
	})
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)

	answers := map[string]string{}
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, client := range []string{"alice", "bob"} {
		group.Go(func() {
			body := send(t, server, toolCall("ask_faq", fmt.Sprintf(`{"q":%q}`, client)), http.StatusOK)
			mu.Lock()
			answers[client] = body
			mu.Unlock()
		})
	}
	<-asked
	<-asked // both calls with the id 1 run
	for _, id := range []string{`1`, `"1"`, `1.0`, `0`, `2`} {
		send(t, server, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id), http.StatusAccepted)
	}
	send(t, server, rpc("ping", `{}`), http.StatusOK) // the same id once more
	close(answer)
	group.Wait()
	for client, body := range answers {
		if !strings.Contains(body, "to "+client) || !strings.HasPrefix(body, `{"jsonrpc":"2.0","id":1,`) {
			t.Errorf("%s gets %s", client, body)
		}
	}
}

func send(t *testing.T, server *httptest.Server, body string, status int) string {
	t.Helper()
	response, err := server.Client().Post(server.URL+contract.PathMCP, contract.TypeJSON, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		t.Errorf("%s: %d, %v; want %d: %s", body, response.StatusCode, err, status, text)
	}
	return string(text)
}
