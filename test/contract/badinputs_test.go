package contract_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// badInput is one case of testdata/badinputs.jsonl.
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
	file := expect.Value(os.Open(filepath.Join("testdata", "badinputs.jsonl")))(t)
	defer file.Close()
	var cases []badInput
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		c := expect.JSON[badInput](t, lines.Bytes())
		cases = append(cases, c)
	}
	expect.OK(t, lines.Err())
	return cases
}

// TestBadInputs sends the malformed requests to a running service.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	for _, c := range loadBadInputs(t) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			d := harness.Start(t, nil)
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

// fill replaces the templates of the cases.
func fill(text string) string {
	host := strings.TrimPrefix(harness.Base, "http://")
	return strings.NewReplacer("{{origin}}", harness.Base, "{{host}}", host,
		"{{origin_other_port}}", "http://localhost:1", "{{origin_other_scheme}}", "https://"+host,
		"{{origin_subdomain}}", "http://a."+host, "{{origin_userinfo}}", harness.Base+"@evil.example",
		"{{origin_upper}}", strings.ToUpper(harness.Base)).Replace(text)
}

func (c badInput) bytes(t *testing.T) []byte {
	t.Helper()
	switch {
	case c.Body64 != "":
		return expect.Value(base64.StdEncoding.DecodeString(c.Body64))(t)
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
