package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"frontdesk/contract"
)

// ContactCmd files a pilot request (POST /v1/contact).
type ContactCmd struct {
	Connection
	Name     string `required:"" placeholder:"NAME"`
	Business string `required:"" placeholder:"BUSINESS"`
	Email    string `required:"" placeholder:"ADDRESS"`
	Message  string `required:"" placeholder:"TEXT"`
	Phone    string `placeholder:"NUMBER"`
	Segment  string `placeholder:"SEGMENT"`
	DryRun   bool   `xor:"send"`
	Preview  digest `xor:"send" placeholder:"DIGEST"`
	Key      string `name:"idempotency-key" placeholder:"KEY"`
}

// digest is what a dry run showed. It must not be blank: such a request would be sent without the comparison.
type digest string

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *digest) UnmarshalText(text []byte) error {
	*d = digest(text)
	if strings.TrimSpace(string(text)) == "" {
		return errors.New("needs the digest of a dry run")
	}
	return nil
}

func (c *ContactCmd) Run(ctx context.Context) error {
	if strings.ContainsFunc(c.Key, func(r rune) bool { return r < ' ' || r > '~' }) {
		return c.fail(usage("--idempotency-key takes printable ASCII characters"))
	}
	message := c.Message
	if message == "-" {
		var failed *failure
		if message, failed = readMessage(ctx, c.In); failed != nil {
			return c.fail(failed)
		}
	}
	if failed := checkUTF8(c.Name, c.Business, c.Email, message, c.Phone, c.Segment, string(c.Preview)); failed != nil {
		return c.fail(failed)
	}
	pilot := contract.PilotRequest{
		Name: c.Name, Business: c.Business, Email: c.Email, Message: message,
		Phone: c.Phone, Segment: c.Segment, DryRun: c.DryRun, Preview: string(c.Preview),
	}
	outgoing := request{path: contract.PathContact, body: pilot, timeout: contactTimeout}
	if c.DryRun {
		outgoing.uncertain = "No answer said that this was only a dry run."
		return printAnswer(ctx, c.Connection, outgoing, func(p contract.Preview) bool {
			return p.OK && p.DryRun
		}, (*page).preview)
	}
	key := cmp.Or(c.Key, rand.Text())
	outgoing.header = http.Header{contract.HeaderIdempotencyKey: {key}}
	outgoing.uncertain = "It may have arrived all the same."
	outgoing.again = "To try again, repeat the command with --idempotency-key " + key +
		": the service then recognizes it as the same request and does not mail it twice."
	return printAnswer(ctx, c.Connection, outgoing, func(a contract.Accepted) bool {
		return a.OK && a.ID != ""
	}, (*page).accepted)
}

// readMessage reads the message from standard input. It returns when ctx ends (Ctrl-C)
// or when the message is too long for any request.
func readMessage(ctx context.Context, in io.Reader) (string, *failure) {
	input := Interruptible(ctx, in)
	defer input.Close()
	text, err := io.ReadAll(io.LimitReader(input, contract.CapContact+1))
	if err != nil {
		return "", usage(fmt.Sprintf("cannot read the message from standard input: %v", err))
	}
	if len(text) > contract.CapContact {
		return "", usage(fmt.Sprintf("the message is over %d bytes, more than a request may hold", contract.CapContact))
	}
	return string(text), nil
}

func (p *page) accepted(a contract.Accepted) {
	p.line(bold("Accepted"), plain("  "), dim(a.ID))
	p.block("", "", a.Message)
}

func (p *page) preview(preview contract.Preview) {
	mail := preview.WouldSend
	p.line(bold("Nothing was sent."), plain(" This is what a real request would send:"))
	p.gap()
	for _, field := range [][2]string{
		{"Name", mail.Name}, {"Business", mail.Business}, {"Email", mail.Email},
		{"Phone", mail.Phone}, {"Segment", mail.Segment},
	} {
		if field[1] != "" {
			p.block(fmt.Sprintf("  %-10s", field[0]), "            ", oneLine(field[1]))
		}
	}
	p.gap()
	// A line at the left of the mail, so that its text cannot be mistaken for the command's.
	rule := strings.Repeat("─", p.width-1)
	p.line(dim("┌" + rule))
	p.block("│ Subject:  ", "│   ", oneLine(mail.Subject))
	p.block("│ Reply-To: ", "│   ", oneLine(mail.ReplyTo))
	p.line(plain("│"))
	p.block("│ ", "│ ", strings.TrimRight(mail.Text, "\n"))
	p.line(dim("└" + rule))
	if preview.Digest != "" {
		p.line(dim("digest " + preview.Digest))
		p.gap()
		p.block("", "", "To send exactly this mail, repeat the command with --preview "+preview.Digest+
			" in place of --dry-run.")
	}
}
