package contract_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

func TestHalfAHeader(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	got := expect.Value(talk(d, harness.LocalAddr().IP, []byte("GET /v1/health HTTP/1.1\r\nHo"), false))(t)
	harness.WantStatus(t, got[0], 400)
}

type rawRequest struct {
	method, target string
	header         []string // lines
	body           string   // without its framing
	chunked        bool
	length         int // the value of Content-Length; may differ from len(body)
}

func (r *rawRequest) wire() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nConnection: close\r\n", r.method, r.target)
	for _, line := range r.header {
		b.WriteString(line + "\r\n")
	}
	switch {
	case r.chunked:
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(r.body), r.body)
	case r.length > 0 || r.body != "" || r.method == "POST":
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", r.length, r.body)
	default:
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

// talk sends bytes over a new connection and reads all answers. It fails if there is none, or if one ends too early.
func talk(d *harness.Desk, from net.IP, wire []byte, halfClose bool) (answers []harness.Answer, err error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: 10 * time.Second}
	conn, err := dialer.Dial("tcp", d.Addr().String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	go func() {
		_, _ = conn.Write(wire) // an answer may arrive before the end of the request
		if halfClose {
			_ = conn.(*net.TCPConn).CloseWrite()
		}
	}()
	reader := bufio.NewReader(conn)
	method, _, _ := bytes.Cut(wire, []byte(" "))
	for {
		response, err := http.ReadResponse(reader, &http.Request{Method: string(method)})
		if err != nil && len(answers) > 0 {
			return answers, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(response.Body)
		answers = append(answers, harness.Answer{Response: response, Text: text})
		if err != nil {
			return answers, err
		}
	}
}
