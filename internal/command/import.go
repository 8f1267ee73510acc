package command

import (
	"context"
	"fmt"

	"frontdesk/internal/importer"
)

// importCmd drafts a faq.yaml from a FAQ that is published elsewhere.
type importCmd struct {
	From string `arg:"" name:"from" placeholder:"URL|FILE" help:"Address of a page, or a file: HTML with FAQPage JSON-LD or details elements, or CSV with the columns question and answer."`
}

// Run prints the draft and says how many entries it has.
func (c *importCmd) Run(ctx context.Context, std Streams) error {
	text, mediaType, err := importer.Fetch(ctx, c.From)
	if err != nil {
		return err
	}
	entries, err := importer.Read(text, c.From, mediaType)
	if err != nil {
		return fmt.Errorf("%s: %w", c.From, err)
	}
	draft, err := importer.YAML(entries, c.From)
	if err != nil {
		return err
	}
	if _, err := std.Out.Write(draft); err != nil {
		return err
	}
	fmt.Fprintf(std.Err, "%d drafts. Copy them into faq.yaml, and remove `draft: true` from each answer that you approve.\n", len(entries))
	return nil
}
