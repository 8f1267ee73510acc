package contract_test

import (
	"encoding/json"
	"frontdesk/internal/app"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// request returns a request as it is sent: net/http's client would refuse some of them.
func (s badStep) request(body []byte, chunked bool) *rawRequest {
	r := &rawRequest{method: s.Method, target: strings.ReplaceAll(s.Path, " ", "%20"), body: string(body), chunked: chunked, length: len(body)}
	host := "{{host}}"
	for _, header := range s.Headers {
		if strings.EqualFold(header[0], "Host") {
			host = header[1]
			continue
		}
		r.header = append(r.header, header[0]+": "+fill(header[1]))
	}
	r.header = append(r.header, "Host: "+fill(host))
	return r
}

func (c badInput) play(t *testing.T, d *harness.Desk) {
	t.Helper()
	began := time.Now()
	answers, err := talk(d, harness.LocalAddr().IP, c.request(c.bytes(t), c.Chunked).wire(), false)
	if len(answers) == 0 || err != nil && !c.WriteMayErr {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	a := answers[0]
	c.check(t, c.Method, a)
	c.checkBody(t, a)
	if took := time.Since(began); c.MaxMS > 0 && took > time.Duration(c.MaxMS)*time.Millisecond {
		t.Errorf("the answer took %v, more than %d ms", took, c.MaxMS)
	}
	if c.Prefer != 0 && a.StatusCode != c.Prefer {
		t.Errorf("status %d, the service's choice is %d", a.StatusCode, c.Prefer)
	}
	if c.InCorpus {
		c.checkCorpus(t, d, a)
	}
	// A signature must not be made for another authority.
	if c.NotSignedAs != "" && (a.Header["Signature"] != nil || a.Header["Signature-Input"] != nil) {
		t.Errorf("the answer is signed for a caller that names %s: %v", c.NotSignedAs, a.Header)
	}
	if c.RPCCode != nil {
		c.checkRPC(t, a)
	}
	if c.OneLogLine {
		for line := range strings.Lines(d.Log.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("a log line is no JSON: %q", line)
			}
		}
	}
}

func (c badInput) playRaw(t *testing.T, d *harness.Desk) {
	t.Helper()
	request := []byte(fill(string(c.bytes(t))))
	answers, _ := talk(d, harness.LocalAddr().IP, request, c.HalfClose || c.MinReplies > 0) // none may be what is wanted
	status := 0
	if len(answers) > 0 {
		status = answers[0].StatusCode
	}
	if !slices.Contains(c.ExpectedStatus, status) {
		t.Errorf("status %d, want one of %v", status, c.ExpectedStatus)
	}
	if c.MaxReplies > 0 && len(answers) > c.MaxReplies || len(answers) < c.MinReplies {
		t.Errorf("%d answers, want %d to %d", len(answers), c.MinReplies, c.MaxReplies)
	}
}

func (c badInput) playSequence(t *testing.T, d *harness.Desk) {
	t.Helper()
	local := harness.LocalAddr()
	for i, step := range c.Steps {
		answers, err := talk(d, local.IP, step.request([]byte(step.Body), false).wire(), false)
		if len(answers) != 1 || err != nil {
			t.Fatalf("step %d has %d answers, %v", i+1, len(answers), err)
		}
		step.check(t, step.Method, answers[0])
	}
}

// playSlow holds connections open and checks that others are served meanwhile and that
// the slow ones are closed.
func (c badInput) playSlow(t *testing.T, d *harness.Desk) {
	t.Helper()
	count := 1
	if c.ID == "SLOW-003" {
		count = 200
	}
	conns := make([]net.Conn, count)
	for i := range conns {
		conn := expect.Value(net.Dial("tcp", d.Addr().String()))(t)
		defer conn.Close()
		_, _ = conn.Write([]byte("GET /v1/health HTTP/1.1\r\nHo"))
		conns[i] = conn
	}
	harness.WantStatus(t, d.Send(t, harness.NewClient(t), http.MethodGet, "/v1/health", ""), http.StatusOK)
	for _, conn := range conns {
		_ = conn.SetReadDeadline(time.Now().Add(2 * app.ReadHeaderTimeout))
		if _, err := io.ReadAll(conn); err != nil {
			t.Fatalf("a slow connection is not ended: %v", err)
		}
	}
}
