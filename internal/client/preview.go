package client

import (
	"strings"

	"frontdesk/contract"
)

func (p *page) preview(preview contract.Preview) {
	mail := preview.WouldSend
	p.line(bold("Nothing was sent."), plain(" This is what a real request would send:"))
	p.gap()
	for _, field := range [][2]string{
		{"Name", mail.Name}, {"Business", mail.Business}, {"Email", mail.Email},
		{"Phone", mail.Phone}, {"Segment", mail.Segment},
	} {
		p.field(field[0], field[1])
	}
	p.gap()
	p.frame(mail)
	if preview.Digest != "" {
		p.line(dim("digest " + preview.Digest))
		p.gap()
		p.block("", "", "To send exactly this mail, repeat the command with --preview "+preview.Digest+" in place of --dry-run.")
	}
}

// frame prints the mail with a line at its left, so that its text cannot be mistaken
// for the command's.
func (p *page) frame(mail contract.WouldSend) {
	rule := strings.Repeat("─", p.width-1)
	p.line(dim("┌" + rule))
	p.block("│ Subject:  ", "│   ", oneLine(mail.Subject))
	p.block("│ Reply-To: ", "│   ", oneLine(mail.ReplyTo))
	p.line(plain("│"))
	p.block("│ ", "│ ", strings.TrimRight(mail.Text, "\n"))
	p.line(dim("└" + rule))
}

// field adds a labelled value, unless it is empty.
func (p *page) field(label, value string) {
	if value != "" {
		p.block("  "+label+strings.Repeat(" ", 10-len(label)), "            ", oneLine(value))
	}
}
