package contract_test

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// TestHeaderBytes checks the cap of request headers. net/http accepts about 4 KiB more
// than its setting.
func TestHeaderBytes(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	for size, status := range map[int]string{27 << 10: "200", 33 << 10: "431"} {
		got := rawAnswer(t, d, "GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Fill: "+strings.Repeat("a", size)+"\r\n\r\n")
		if !strings.HasPrefix(got, "HTTP/1.1 "+status) {
			t.Errorf("%d bytes of headers: %.60q, want %s", size, got, status)
		}
	}
}

// TestLocalOrigins checks that the default base address also accepts pages under the
// other names of this machine.
func TestLocalOrigins(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.BaseURL.Text = "" })
	port := strconv.Itoa(d.Addr().(*net.TCPAddr).Port)
	for origin, status := range map[string]int{
		"http://localhost:" + port: 200, "http://127.0.0.1:" + port: 200, "http://[::1]:" + port: 200,
		"http://127.0.0.1:1": 403, "https://localhost:" + port: 403, "http://127.0.0.2:" + port: 403,
	} {
		harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodGet, "/v1/catalog", "", "Origin: "+origin), status)
	}
}

// rawAnswer sends bytes and returns the bytes of the answer.
func rawAnswer(t *testing.T, d *harness.Desk, request string) string {
	t.Helper()
	conn := expect.Value(net.Dial("tcp", d.Addr().String()))(t)
	defer conn.Close()
	expect.Value(io.WriteString(conn, request))(t)
	answer := expect.Value(io.ReadAll(conn))(t)
	return string(answer)
}
