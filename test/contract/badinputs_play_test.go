package contract_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
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

// wire returns a request as bytes: net/http's client would refuse to send some of them.
func (s badStep) wire(body []byte, chunked bool) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nConnection: close\r\n", s.Method, strings.ReplaceAll(s.Path, " ", "%20"))
	host := fill("{{host}}")
	for _, header := range s.Headers {
		if strings.EqualFold(header[0], "Host") {
			host = fill(header[1])
			continue
		}
		fmt.Fprintf(&b, "%s: %s\r\n", header[0], fill(header[1]))
	}
	fmt.Fprintf(&b, "Host: %s\r\n", host)
	switch {
	case chunked:
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	case len(body) > 0 || s.Method == http.MethodPost:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	default:
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

// talk sends bytes over a new connection and reads all answers.
func talk(t *testing.T, d *harness.Desk, local net.Addr, request []byte, halfClose, mayFail bool) []harness.Answer {
	t.Helper()
	dialer := net.Dialer{LocalAddr: local, Timeout: 5 * time.Second}
	conn := expect.Value(dialer.DialContext(t.Context(), "tcp", d.Addr().String()))(t)
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	// Write while reading: a server may answer before it has read everything.
	go func() {
		_, _ = conn.Write(request)
		if tcp, ok := conn.(*net.TCPConn); ok && halfClose {
			_ = tcp.CloseWrite()
		}
	}()
	var answers []harness.Answer
	reader := bufio.NewReader(conn)
	method, _, _ := strings.Cut(string(request), " ")
	for {
		response, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			return answers
		}
		body, err := io.ReadAll(response.Body)
		if err != nil && !mayFail {
			t.Fatal(err)
		}
		answers = append(answers, harness.Answer{Response: response, Text: body})
	}
}

func (c badInput) play(t *testing.T, d *harness.Desk) {
	t.Helper()
	began := time.Now()
	answers := talk(t, d, harness.LocalAddr(), c.wire(c.bytes(t), c.Chunked), false, c.WriteMayErr)
	if len(answers) == 0 {
		t.Fatal("there is no answer")
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
	answers := talk(t, d, harness.LocalAddr(), request, c.HalfClose || c.MinReplies > 0, true)
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
		answers := talk(t, d, &net.TCPAddr{IP: local.IP}, step.wire([]byte(step.Body), false), false, false)
		if len(answers) != 1 {
			t.Fatalf("step %d has %d answers", i+1, len(answers))
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
