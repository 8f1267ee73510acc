package mailer

import (
	"errors"
	"net"
)

// maxReplies bounds everything that a mail server sends in one session, in bytes: a
// real conversation takes about one thousand, and a TLS handshake a few thousand more.
// Without the bound, an endless reply would fill the memory until the timeout.
const maxReplies = 64 << 10

// errReplies reports a mail server that sent more than maxReplies.
var errReplies = errors.New("the mail server sent more than 64 KiB of replies in one session")

// boundedConn fails every read once the peer has sent more than left bytes.
type boundedConn struct {
	net.Conn
	left int
}

// Read implements net.Conn.
func (c *boundedConn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errReplies
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}
