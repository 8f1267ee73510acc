package mailtest

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"sync"
)

// conn is the server's end of a connection. It follows the client's commands to
// know which stage the next reply belongs to.
type conn struct {
	net.Conn
	server *Server
	stage  Stage
	input  bytes.Buffer // read, and not yet a whole line
	inBody bool         // between the reply to DATA and the final dot
	silent bool         // what the server writes is dropped until the next command
	blind  bool         // encrypted from here on
	close  sync.Once
	plan   *Fault // only of this connection; nil when the server's applies
	unread func() // called when the client leaves without another command: it has given up waiting for the reply
}

// wrapped is a listener whose connections can break.
type wrapped struct {
	net.Listener
	server *Server
	config *tls.Config
}

func (s *Server) wrap(config *tls.Config) net.Listener {
	return &wrapped{Listener: s.listener, server: s, config: config}
}

func (w *wrapped) Accept() (net.Conn, error) {
	raw, err := w.Listener.Accept()
	if err != nil {
		return nil, err
	}
	w.server.update(func() { w.server.open++ })
	implicit := w.server.options.Security == Implicit
	c := &conn{Conn: raw, server: w.server, stage: Greeting, blind: implicit, plan: w.server.planned()}
	if implicit {
		return tls.Server(c, w.config), nil
	}
	return c, nil
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.blind {
		c.input.Write(p[:n])
		c.follow()
	}
	return n, err
}

// follow reads whole lines from the input.
func (c *conn) follow() {
	for bytes.IndexByte(c.input.Bytes(), '\n') >= 0 {
		line, _ := c.input.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		switch {
		case c.inBody && line == ".":
			c.inBody, c.stage, c.silent = false, FinalDot, false
		case !c.inBody:
			c.command(line)
		}
	}
}

func (c *conn) command(line string) {
	verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
	switch stage := Stage(verb); stage {
	case Hello, STARTTLS, Auth, From, To, Data, Quit:
		c.stage = stage
	case "HELO":
		c.stage = Hello
	}
	c.silent = false
	c.server.update(func() {
		c.server.commands = append(c.server.commands, line)
		c.unread = nil
	})
}

// Write passes a reply on or breaks it.
func (c *conn) Write(p []byte) (int, error) {
	if c.silent {
		return len(p), nil
	}
	fault := c.fault()
	if c.blind || fault.Stage != c.stage {
		c.passed(p)
		return c.Conn.Write(p)
	}
	c.server.update(func() { c.server.broken++ })
	if fault.Action == Wait {
		<-fault.Until
		c.passed(p)
		return c.Conn.Write(p)
	}
	c.silent = true
	return len(p), c.breakOff(fault)
}

// breakOff does what the fault does instead of a reply.
func (c *conn) breakOff(fault Fault) error {
	var err error
	switch fault.Action {
	case Refuse:
		_, err = fmt.Fprintf(c.Conn, "%d refused by the test\r\n", cmp.Or(fault.Code, refusal))
	case Babble:
		_, err = c.Conn.Write([]byte("<html>no mail here</html>\r\n"))
	case Cut, Lose:
		err = c.Close()
	case Flood:
		err = c.flood()
	case Hang, Wait: // the silence is all
	}
	return err
}

// flood writes until the client closes the connection. The lines have the code of a
// good reply to every command but DATA.
func (c *conn) flood() error {
	lines := bytes.Repeat([]byte("250-"+strings.Repeat("x", 60)+"\r\n"), 64)
	if c.stage == Greeting {
		lines = bytes.ReplaceAll(lines, []byte("250-"), []byte("220-"))
	}
	for {
		if _, err := c.Conn.Write(lines); err != nil {
			return err
		}
	}
}

// passed records the effect of a reply that was passed on.
func (c *conn) passed(reply []byte) {
	switch {
	case c.stage == Data && bytes.HasPrefix(reply, []byte("354")):
		c.inBody = true
	case c.stage == STARTTLS && bytes.HasPrefix(reply, []byte("220")):
		c.blind = true
	}
}

func (c *conn) Close() error {
	c.close.Do(func() {
		c.server.update(func() {
			c.server.open--
			if c.unread != nil {
				c.unread()
			}
		})
	})
	return c.Conn.Close()
}

// fault returns the fault that applies.
func (c *conn) fault() Fault {
	if c.plan != nil {
		return *c.plan
	}
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	return c.server.fault
}

// planned returns the fault of a new connection, or nil without a plan.
func (s *Server) planned() *Fault {
	s.mu.Lock()
	plan := s.plan
	s.mu.Unlock()
	if plan == nil {
		return nil
	}
	fault := plan()
	return &fault
}
