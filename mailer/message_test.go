package mailer

import (
	"bytes"
	"maps"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
)

func sample() Message {
	return Message{
		ID:      "inq_abc123@desk.example.org",
		From:    "Front desk <desk@desk.example.org>",
		To:      "owner@example.org",
		ReplyTo: "ada@example.com", ReplyName: "Ada",
		Subject: "Pilot request from Ada",
		Text:    "Hello,\n\nwe would like to start in May.\n\nAda",
		Date:    time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC),
	}
}

func write(t *testing.T, m Message) mailtest.Mail {
	t.Helper()
	return mailtest.Mail{Data: expect.Value(m.Bytes())(t)}
}

func TestBytesIsTheMessageAndNothingElse(t *testing.T) {
	t.Parallel()
	header, text := write(t, sample()).Read(t)
	expect.Same(t, "header", netmail.Header{
		"From":                      {`"Front desk" <desk@desk.example.org>`},
		"To":                        {"<owner@example.org>"},
		"Reply-To":                  {`"Ada" <ada@example.com>`},
		"Subject":                   {"Pilot request from Ada"},
		"Date":                      {"Sat, 21 Nov 2026 09:30:00 +0000"},
		"Message-Id":                {"<inq_abc123@desk.example.org>"},
		"Mime-Version":              {"1.0"},
		"Content-Type":              {"text/plain; charset=UTF-8"},
		"Content-Transfer-Encoding": {"quoted-printable"},
	}, header)
	expect.Same(t, "text", sample().Text, text)
}

var hostile = []struct{ name, text string }{
	{"line feed", "Ada\nBcc: all@example.net"},
	{"carriage return", "Ada\rBcc: all@example.net"},
	{"both", "Ada\r\nBcc: all@example.net\r\n\r\nbuy this"},
	{"encoded break", "=?utf-8?q?Ada=0D=0ABcc:_all@example.net?="},
	{"encoded word", "=?utf-8?b?QWRh?="},
	{"quotes", `Ada "the" \ <ada@example.com>, (x)`},
	{"a backslash beyond ASCII", `Jörg \r`},
	{"one long word", strings.Repeat("a", 3000)},
	{"many words", strings.Repeat("ä b ", 300)},
	{"spaces", "  a   b\t c  "},
	{"dot", "."},
	{"end of mail", "x\r\n.\r\nMAIL FROM:<evil@example.net>\r\n"},
	{"bare end of mail", "x\n.\nMAIL FROM:<evil@example.net>\n"},
	{"leading dots", "..\n.a\n..b"},
	{"other scripts", "Δοκιμή テスト 🙂"},
	{"lone carriage return, then a line feed", "\rü\n\n"},
	{"nul", "a\x00b"},
	{"from line", "From the start\n>From"},
	{"long line", strings.Repeat("word ", 600)},
	{"long subject beyond ASCII", "Pilot request from Bäckerei Größenwahn & Söhne, Inhaber Jürgen Müller-Lüdenscheidt in Übersee"},
}

func FuzzBytes(f *testing.F) {
	for _, one := range hostile {
		f.Add(one.text, one.text)
	}
	f.Fuzz(func(t *testing.T, subject, text string) {
		m := sample()
		m.Subject, m.Text, m.ReplyName = subject, text, string([]rune(subject)[:min(contract.MaxName, utf8.RuneCountInString(subject))])
		checkWritten(t, m)
	})
}

func checkWritten(t *testing.T, m Message) {
	t.Helper()
	written := write(t, m)
	header, text := written.Read(t)
	expected, _ := write(t, sample()).Read(t)
	expect.Same(t, "header names", slices.Sorted(maps.Keys(expected)), slices.Sorted(maps.Keys(header)))
	for name, values := range header {
		if name != "Subject" && name != "Reply-To" && !slices.Equal(values, expected[name]) {
			t.Errorf("%s = %q, want %q", name, values, expected[name])
		}
	}
	reply := expect.Value(netmail.ParseAddress(header.Get("Reply-To")))(t)
	expect.Same(t, "reply to", netmail.Address{Name: CleanSubject(m.ReplyName), Address: m.ReplyTo}, *reply)
	got := written.Subject(t)
	expect.Same(t, "subject", CleanSubject(m.Subject), got)
	if got != "" && bytes.Contains(written.Data, []byte("\r\nSubject:\r\n")) {
		t.Errorf("the subject does not start on its header line:\n%s", written.Data)
	}
	expect.Same(t, "text", strings.TrimSuffix(lineBreaks.Replace(m.Text), "\n"), text)
	for line := range bytes.SplitSeq(written.Data, []byte("\r\n")) {
		if len(line) > 998 || bytes.ContainsAny(line, "\r\n") {
			t.Errorf("a line of %d bytes is not one line of at most 998", len(line))
		}
	}
}

func TestCleanSubject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"plain", "plain"},
		{"two  spaces", "two spaces"},
		{" ", ""},
		{" a \t\r\n b\u00a0c ", "a b c"},
		{"a\x00b\x7fc", "a b c"},
		{"a\xffb", "a\ufffdb"},
		{"", ""},
	} {
		expect.Same(t, tt.in, tt.want, CleanSubject(tt.in))
	}
}

func TestBytesRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Message){
		"no id":                 func(m *Message) { m.ID = "" },
		"id with a break":       func(m *Message) { m.ID = "a@b\r\nBcc: x@example.net" },
		"no date":               func(m *Message) { m.Date = time.Time{} },
		"no sender":             func(m *Message) { m.From = "" },
		"no recipient":          func(m *Message) { m.To = "" },
		"recipients with a gap": func(m *Message) { m.To = "a@example.org b@example.org" },
		"reply address a name":  func(m *Message) { m.ReplyTo = "Ada <ada@example.com>" },
		"reply address a break": func(m *Message) { m.ReplyTo = "ada@example.com\r\nBcc: x@example.net" },
		"reply in Unicode":      func(m *Message) { m.ReplyTo = "ü@example.com" },
	} {
		m := sample()
		change(&m)
		if content, err := m.Bytes(); err == nil {
			t.Errorf("%s: written as\n%s", name, content)
		}
	}
}

func TestMessageID(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"desk@desk.example":              "inq_1@desk.example",
		"Front desk <desk@desk.example>": "inq_1@desk.example",
		"desk@münchen.example":           "inq_1@xn--mnchen-3ya.example",
		"nonsense":                       "inq_1@invalid",
	} {
		expect.Same(t, "MessageID for "+from, want, MessageID("inq_1", from))
	}
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		given, address string // an empty address: refused
	}{
		{"desk@example.org", "desk@example.org"},
		{"owner@localhost", "owner@localhost"},
		{"Front desk <desk@example.org>", "desk@example.org"},
		{`"Desk, Front" <desk@example.org>`, "desk@example.org"},
		{"Café <desk@example.org>", "desk@example.org"},
		{"", ""},
		{"desk", ""},
		{"desk@", ""},
		{"a@example.org, b@example.org", ""},
		{`"a b"@example.org`, ""},
		{"josé@example.com", "josé@example.com"},
		{"用户@münchen.example", "用户@xn--mnchen-3ya.example"},
		{"jo\u00a0sé@example.com", ""},
		{"jo\u202esé@example.com", ""},
		{"jo\u0085sé@example.com", ""},
		{"desk@exämple.org", "desk@xn--exmple-cua.org"},
		{"Café <desk@München.example>", "desk@xn--mnchen-3ya.example"},
		{"desk@mün_chen.example", ""},
		{`"a@b"@münchen.example`, ""},
		{`"Front \\ desk" <desk@example.org>`, "desk@example.org"},
		{`"Café \\r" <desk@example.org>`, ""},
		{"desk@[127.0.0.1]", ""},
		{"desk@example.org\r\nBcc: eve@example.net", ""},
	} {
		got, err := ParseAddress(tt.given)
		if (err == nil) != (tt.address != "") || (err == nil && got.Address != tt.address) {
			t.Errorf("ParseAddress(%q) = %v, %v; want %q", tt.given, got, err, tt.address)
		}
	}
}
