package contract_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// badInput is a malformed or hostile request of testdata/badinputs.jsonl. None may be mailed.
type badInput struct {
	ID, Why      string
	Method, Path string
	Headers      []string // lines
	Body         string
	Base64       []byte // the body, if it is not UTF-8
	Parts        []struct {
		Text, Repeat string
		Count        int
	} // the body, if it is long
	Chunked bool
	Raw     string // the whole request, for malformed HTTP

	Answers int      // on the connection; 0 for one
	Status  int      // of the first answer; it also gives the code of a problem record
	Names   string   // a field that the record's detail names
	Holds   []string // texts of the answer's head or body
	Lacks   []string // texts that are in neither
}

// Each comes from an address of its own.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	known := map[string]bool{}
	t.Run("all", func(t *testing.T) {
		for line := range bytes.Lines(expect.Value(os.ReadFile(filepath.Join("testdata", "badinputs.jsonl")))(t)) {
			c := expect.JSON[badInput](t, line)
			if known[c.ID] {
				t.Errorf("%s is there twice", c.ID)
			}
			known[c.ID] = true
			t.Run(c.ID, func(t *testing.T) {
				t.Parallel()
				c.check(t, expect.Value(talk(d, harness.LocalAddr().IP, c.wire(), c.Answers > 1))(t))
			})
		}
	})
	for _, mail := range d.Mail.Messages() {
		t.Errorf("a bad input is mailed: %s", mail.Data)
	}
	for line := range strings.Lines(d.Log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("a log line is no JSON: %q", line)
		}
	}
}

// net/http's client would refuse some of them.
func (c badInput) wire() []byte {
	host := strings.TrimPrefix(harness.Base, "http://")
	fill := strings.NewReplacer("{{origin}}", harness.Base, "{{host}}", host,
		"{{origin_other_port}}", "http://localhost:1", "{{origin_other_scheme}}", "https://"+host,
		"{{origin_subdomain}}", "http://a."+host, "{{origin_userinfo}}", harness.Base+"@evil.example",
		"{{origin_upper}}", strings.ToUpper(harness.Base)).Replace
	if c.Raw != "" {
		return []byte(fill(c.Raw))
	}
	r := &rawRequest{method: c.Method, target: c.Path, body: fill(c.Body) + string(c.Base64), chunked: c.Chunked}
	for _, part := range c.Parts {
		r.body += part.Text + strings.Repeat(part.Repeat, part.Count)
	}
	r.length = len(r.body)
	for _, line := range c.Headers {
		r.header = append(r.header, fill(line))
	}
	if !slices.ContainsFunc(r.header, func(line string) bool { return strings.HasPrefix(line, "Host: ") }) {
		r.header = append(r.header, "Host: "+host)
	}
	return r.wire()
}

func (c badInput) check(t *testing.T, answers []harness.Answer) {
	t.Helper()
	a := answers[0]
	expect.Same(t, "answers", max(1, c.Answers), len(answers))
	harness.WantStatus(t, a, c.Status)
	var whole bytes.Buffer
	expect.OK(t, a.Header.Write(&whole))
	whole.Write(a.Text)
	expect.Holds(t, "the answer", whole.String(), c.Holds...)
	expect.Lacks(t, "the answer", whole.String(), c.Lacks...)
	inV1 := strings.HasPrefix(c.Path, contract.PrefixV1+"/")
	if a.Header.Get(contract.HeaderRequestID) == "" || !inV1 && !strings.HasPrefix(c.Path, contract.PrefixAPI+"/") {
		return // net/http refuses some requests itself; a page or MCP
	}
	if inV1 && a.Header.Get(contract.HeaderAPIVersion) != contract.APIVersion {
		t.Error("the version header is missing")
	}
	if a.StatusCode < 400 {
		return
	}
	if fault := faultOf(a.StatusCode, a.Header, a.Text); fault != "" {
		t.Fatalf("%s: %s", fault, a.Text)
	}
	expect.Holds(t, "the detail", expect.JSON[contract.Problem](t, a.Text).Detail, c.Names)
}

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

// talk fails if there is no answer, or if one ends too early.
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
