package owner

import (
	"net/url"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
)

// The words of a stranger are the address and the subject, and nothing else.
func TestMailto(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ email, subject string }{
		{"ada@example.com", "Pilot request from Smith&bcc=spy@evil.example&body=Yes"},
		{"ada@example.com", "Pilot request from Müller & Söhne"},
		{"a&bcc=spy?x=1#y+z%41@example.com", "1+1=2; 100 %?#"},
		{`"a@b"@example.com`, "\"quoted\" <b>\r\nBcc: spy@evil.example"},
	} {
		link := expect.Value(url.Parse(mailto(records.Inquiry{Email: tt.email, Subject: tt.subject})))(t)
		expect.Same(t, "the address", tt.email, expect.Value(url.PathUnescape(link.Opaque))(t))
		headers := expect.Value(url.ParseQuery(link.RawQuery))(t)
		expect.Same(t, "the headers", url.Values{"subject": {"Re: " + tt.subject}}, headers)
	}
}
