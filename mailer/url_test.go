package mailer

import (
	"fmt"
	"path/filepath"
	"testing"

	"frontdesk/internal/expect"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ raw, want string }{
		{"smtp://mail.example.org", "smtp://mail.example.org:587"},
		{"smtp://mail.example.org/", "smtp://mail.example.org:587"},
		{"smtp://u:p@mail.münchen.example", "smtp://mail.xn--mnchen-3ya.example:587"},
		{"smtp://u:p@mail.example.org:2525", "smtp://mail.example.org:2525"},
		{"smtp://u:p%40%2F@mail.example.org?tls=required", "smtp://mail.example.org:587?tls=required"},
		{"smtp://mail.example.org:25?tls=none", "smtp://mail.example.org:25?tls=none"},
		{"smtp://u:p@localhost:1025?tls=none", "smtp://localhost:1025?tls=none"},
		{"smtps://u:p@mail.example.org", "smtps://mail.example.org:465"},
		{"smtp://u:p@[::1]:25?tls=none", "smtp://[::1]:25?tls=none"},
		{"file:", "file: " + filepath.Join("data", "mail")},
	} {
		expect.Same(t, tt.raw, tt.want, expect.Value(Parse(tt.raw, "data"))(t).String())
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t"
	for _, tt := range []struct{ raw, hint string }{
		{"", "must begin with"},
		{"mail.example.org:25", "must begin with"},
		{"http://u:s3cr3t@mail.example.org", "must begin with"},
		{"smtp:mail.example.org", "must be scheme://"},
		{"smtp://", "no host"},
		{"smtp://mü_nchen.example", "no name"},
		{"smtp://mail.example.org:65536", "1 to 65535"},
		{"smtp://mail.example.org/inbox", "nothing after"},
		{"smtp://mail.example.org?tls=maybe", "?tls=required or ?tls=none"},
		{"smtp://mail.example.org?tls=none&x", "unknown option"},
		{"smtp://h.example?tls=none&tls=none", "unknown option"},
		{"smtps://mail.example.org?tls=none", "always encrypted"},
		{"smtp://u@mail.example.org", "without a password"},
		{"smtp://:s3cr3t@mail.example.org", "without a user"},
		{"smtp://u:s3cr3t@mail.org?tls=none", "unencrypted"},
		{"smtp://u:a/s3cr3t@mail.example.org", "%2F"},
		{"smtp://u:1?s3cr3t@mail.example.org", "%3F"},
		{"smtp://u:1#s3cr3t@mail.example.org", "%23"},
		{"smtp://u:%s3cr3t@mail.example.org", "%25"},
		{"smtp://u:s3cr3t\n@mail.example.org", "valid address"},
		{"file:/var/mail", "no path"},
	} {
		err := expect.ErrorOf(Parse(tt.raw, "data"))
		expect.Says(t, tt.raw, err, tt.hint)
		expect.Lacks(t, tt.raw, fmt.Sprint(err), secret)
	}
}
