package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
)

// badInput is one case of ../shared/data/badinputs/cases.jsonl; its format is
// described in ../shared/reference/security.md, B.0.
type badInput struct {
	ID, Group, Transport string
	badStep
	Body64      string `json:"body_base64"`
	Chunked     bool
	Prefer      int
	Steps       []badStep
	RPCCode     []int  `json:"rpc_code"`
	NoSend      bool   `json:"no_send"`
	NotSignedAs string `json:"no_signature_for_authority"`
	MaxMS       int    `json:"max_ms"`
	MaxReplies  int    `json:"max_responses"`
	MinReplies  int    `json:"min_responses"`
	HalfClose   bool   `json:"half_close"`
	RealSends   *int   `json:"real_sends"`
	RealAtMost  *int   `json:"real_sends_max"`
	AnyType     bool   `json:"any_content_type"`
	NotHTML     bool   `json:"not_html"`
	NoBody      bool   `json:"no_body"`
	InCorpus    bool   `json:"answer_in_corpus"`
	DetailNames string `json:"detail_names"`
	DetailIf400 string `json:"detail_names_if_400"`
	OneLogLine  bool   `json:"log_one_json_line"`
	WriteMayErr bool   `json:"allow_write_error"`
	Generator   *struct {
		Parts []struct {
			Text, Repeat string
			Count        int
		}
	}
	JSON         map[string]any      `json:"expect_json"`
	Contains     []string            `json:"body_contains"`
	NotContains  []string            `json:"body_not_contains"`
	Absent       []string            `json:"absent_headers"`
	AbsentValues map[string][]string `json:"absent_header_values"`
}

type badStep struct {
	Method, Path    string
	Headers         [][2]string
	Body            string
	ExpectedStatus  []int             `json:"expected_status"`
	ExpectedCode    []string          `json:"expected_code"`
	ExpectedHeaders map[string]string `json:"expect_headers"`
	AbsentSubstring map[string]string `json:"absent_header_substring"`
}

func loadBadInputs(t *testing.T) []badInput {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "shared", "data", "badinputs", "cases.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the cases of ../shared/data/badinputs are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var cases []badInput
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c badInput
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestBadInputs plays the malformed requests against the real service.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	for _, c := range loadBadInputs(t) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			d := startDesk(t, nil)
			switch c.Transport {
			case "", "http":
				c.play(t, d)
			case "raw":
				c.playRaw(t, d)
			case "sequence":
				c.playSequence(t, d)
			case "slow":
				c.playSlow(t, d)
			default:
				t.Skip("a unit case: the tests of limits and model play it in process")
			}
			c.checkMail(t, d)
		})
	}
}

// fill replaces the templates of the cases. The published base is the target's
// own address here.
func fill(text string) string {
	host := strings.TrimPrefix(publishedBase, "http://")
	return strings.NewReplacer("{{origin}}", publishedBase, "{{host}}", host,
		"{{origin_other_port}}", "http://localhost:1", "{{origin_other_scheme}}", "https://"+host,
		"{{origin_subdomain}}", "http://a."+host, "{{origin_userinfo}}", publishedBase+"@evil.example",
		"{{origin_upper}}", strings.ToUpper(publishedBase)).Replace(text)
}

func (c badInput) bytes(t *testing.T) []byte {
	t.Helper()
	switch {
	case c.Body64 != "":
		body, err := base64.StdEncoding.DecodeString(c.Body64)
		if err != nil {
			t.Fatal(err)
		}
		return body
	case c.Generator != nil:
		var body bytes.Buffer
		for _, part := range c.Generator.Parts {
			body.WriteString(part.Text)
			body.WriteString(strings.Repeat(part.Repeat, part.Count))
		}
		return body.Bytes()
	}
	return []byte(fill(c.Body))
}

// wire writes a request down byte by byte: net/http's client would not send some
// of them.
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

// talk sends bytes over a connection of its own and reads all answers.
func (d *desk) talk(t *testing.T, local net.Addr, request []byte, halfClose, mayFail bool) []answer {
	t.Helper()
	dialer := net.Dialer{LocalAddr: local, Timeout: 5 * time.Second}
	conn, err := dialer.DialContext(t.Context(), "tcp", d.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	// Written beside the reading: a server may answer before it has read it all.
	go func() {
		_, _ = conn.Write(request)
		if tcp, ok := conn.(*net.TCPConn); ok && halfClose {
			_ = tcp.CloseWrite()
		}
	}()
	var answers []answer
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
		answers = append(answers, answer{response, body})
	}
}

func (c badInput) play(t *testing.T, d *desk) {
	t.Helper()
	began := time.Now()
	answers := d.talk(t, localAddr(), c.wire(c.bytes(t), c.Chunked), false, c.WriteMayErr)
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
		t.Errorf("status %d, our choice is %d", a.StatusCode, c.Prefer)
	}
	if c.InCorpus {
		c.checkCorpus(t, d, a)
	}
	// A signature would be for the authority that the request names or for our own.
	if c.NotSignedAs != "" && (a.Header["Signature"] != nil || a.Header["Signature-Input"] != nil) {
		t.Errorf("the answer is signed for a caller that names %s: %v", c.NotSignedAs, a.Header)
	}
	if c.RPCCode != nil {
		c.checkRPC(t, a)
	}
	if c.OneLogLine {
		for line := range strings.Lines(d.log.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("a log line is no JSON: %q", line)
			}
		}
	}
}

// check compares an answer with what a step expects, and with what holds for
// every answer of the API.
func (s badStep) check(t *testing.T, method string, a answer) {
	t.Helper()
	if !slices.Contains(s.ExpectedStatus, a.StatusCode) {
		t.Fatalf("status %d, want one of %v: %s", a.StatusCode, s.ExpectedStatus, a.body)
	}
	for name, pattern := range s.ExpectedHeaders {
		if !regexp.MustCompile(pattern).MatchString(a.Header.Get(name)) {
			t.Errorf("%s = %q, want %s", name, a.Header.Get(name), pattern)
		}
	}
	for name, text := range s.AbsentSubstring {
		if strings.Contains(a.Header.Get(name), text) {
			t.Errorf("%s = %q holds %q", name, a.Header.Get(name), text)
		}
	}
	underV1 := strings.HasPrefix(s.Path, "/v1/")
	reached := a.Header.Get("X-Request-Id") != "" // net/http refuses some before any code of ours
	if underV1 && reached && a.Header.Get("Service-API-Version") != "1" {
		t.Error("the version header is missing")
	}
	if (underV1 || strings.HasPrefix(s.Path, "/api/")) && reached && a.StatusCode >= 400 && method != http.MethodHead {
		s.checkProblem(t, a)
	}
}

func (s badStep) checkProblem(t *testing.T, a answer) {
	t.Helper()
	var problem map[string]any
	if err := json.Unmarshal(a.body, &problem); err != nil || a.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("the error is no problem record (%v): %s", err, a.body)
	}
	code, _ := problem["code"].(string)
	if problem["type"] != publishedBase+"/developers#errors-"+code || problem["status"] != float64(a.StatusCode) || problem["ok"] != false {
		t.Errorf("type, status or ok of %s", a.body)
	}
	for _, member := range []string{"title", "detail", "hint", "error"} {
		if text, _ := problem[member].(string); text == "" {
			t.Errorf("the record lacks %s: %s", member, a.body)
		}
	}
	if s.ExpectedCode != nil && !slices.Contains(s.ExpectedCode, code) {
		t.Errorf("code %q, want one of %v", code, s.ExpectedCode)
	}
}

func (c badInput) checkBody(t *testing.T, a answer) {
	t.Helper()
	var body map[string]any
	_ = json.Unmarshal(a.body, &body) // pages are no JSON; then nothing below asks for members
	for name, want := range c.JSON {
		if body[name] != want {
			t.Errorf("%s = %v, want %v", name, body[name], want)
		}
	}
	detail, _ := body["detail"].(string)
	names := c.DetailNames
	if a.StatusCode == http.StatusBadRequest {
		names = cmp.Or(names, c.DetailIf400)
	}
	if !strings.Contains(detail, names) {
		t.Errorf("detail %q does not name %s", detail, names)
	}
	for _, text := range c.Contains {
		if !bytes.Contains(a.body, []byte(text)) {
			t.Errorf("the body lacks %q: %s", text, a.body)
		}
	}
	for _, text := range c.NotContains {
		if bytes.Contains(a.body, []byte(text)) {
			t.Errorf("the body holds %q: %s", text, a.body)
		}
	}
	for _, name := range c.Absent {
		if a.Header.Values(name) != nil {
			t.Errorf("%s is sent: %v", name, a.Header.Values(name))
		}
	}
	for name, values := range c.AbsentValues {
		if slices.Contains(values, a.Header.Get(name)) {
			t.Errorf("%s = %q", name, a.Header.Get(name))
		}
	}
	if c.NoBody && len(a.body) > 0 {
		t.Errorf("there is a body: %q", a.body)
	}
	if c.NotHTML && strings.Contains(a.Header.Get("Content-Type"), "html") {
		t.Error("the answer is HTML")
	}
}

// checkRPC shows that an answer is a JSON-RPC error with one of the codes.
func (c badInput) checkRPC(t *testing.T, a answer) {
	t.Helper()
	var got struct{ Error contract.RPCError }
	if err := json.Unmarshal(a.body, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(c.RPCCode, got.Error.Code) || got.Error.Message == "" {
		t.Errorf("JSON-RPC error %d, want one of %v: %s", got.Error.Code, c.RPCCode, a.body)
	}
}

// checkCorpus shows that an answer is approved text, byte for byte.
func (c badInput) checkCorpus(t *testing.T, d *desk, a answer) {
	t.Helper()
	var got contract.Answer
	if err := json.Unmarshal(a.body, &got); err != nil {
		t.Fatal(err)
	}
	faq := d.live.current.Load().content.FAQ
	approved := []string{faq.Fallback}
	for _, entry := range faq.Entries {
		approved = append(approved, entry.Answer)
	}
	if !slices.Contains(approved, got.Answer) {
		t.Errorf("the answer is no approved text: %q", got.Answer)
	}
}

func (c badInput) playRaw(t *testing.T, d *desk) {
	t.Helper()
	request := []byte(fill(string(c.bytes(t))))
	answers := d.talk(t, localAddr(), request, c.HalfClose || c.MinReplies > 0, true)
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

func (c badInput) playSequence(t *testing.T, d *desk) {
	t.Helper()
	local := localAddr()
	for i, step := range c.Steps {
		answers := d.talk(t, &net.TCPAddr{IP: local.IP}, step.wire([]byte(step.Body), false), false, false)
		if len(answers) != 1 {
			t.Fatalf("step %d has %d answers", i+1, len(answers))
		}
		step.check(t, step.Method, answers[0])
	}
}

// playSlow holds connections open and shows that others are served meanwhile and
// that the slow ones are ended.
func (c badInput) playSlow(t *testing.T, d *desk) {
	t.Helper()
	count := 1
	if c.ID == "SLOW-003" {
		count = 200
	}
	conns := make([]net.Conn, count)
	for i := range conns {
		conn, err := net.Dial("tcp", d.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = conn.Write([]byte("GET /v1/health HTTP/1.1\r\nHo"))
		conns[i] = conn
	}
	wantStatus(t, d.send(t, newClient(t), http.MethodGet, "/v1/health", ""), http.StatusOK)
	for _, conn := range conns {
		_ = conn.SetReadDeadline(time.Now().Add(2 * readHeaderTimeout))
		if _, err := io.ReadAll(conn); err != nil {
			t.Fatalf("a slow connection is not ended: %v", err)
		}
	}
}

func (c badInput) checkMail(t *testing.T, d *desk) {
	t.Helper()
	sent := len(d.mail.Messages())
	switch {
	case c.NoSend && sent > 0:
		t.Errorf("%d mails were sent", sent)
	case c.RealSends != nil && sent != *c.RealSends:
		t.Errorf("%d mails were sent, want %d", sent, *c.RealSends)
	case c.RealAtMost != nil && sent > *c.RealAtMost:
		t.Errorf("%d mails were sent, want at most %d", sent, *c.RealAtMost)
	}
}
