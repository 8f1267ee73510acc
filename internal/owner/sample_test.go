package owner_test

import (
	"testing"

	"frontdesk/internal/expect"
)

func TestSample(t *testing.T) {
	expect.SkipInRace(t, "many changes")
	t.Parallel()
	d := signedIn(t, "workshop")
	const remove = "sample/remove"
	d.shows("", `<a href="/owner/answers">14 answers`, `<a href="/owner/business?field=business.address.street#field-business.address.street">the address`, remove)
	refused := d.get(remove)
	d.want("with nothing of her own", refused, 422, "<title>This change cannot be made ·")
	expect.Same(t, "why, once", "Please keep at least one service, one price and one answer. Write your own first.", textOf(refused))
	for page, mine := range map[string][2]string{
		"answers/payment/edit":     {"answer", "In cash."},
		"services/used-bikes/edit": {"description", "We throw pots."},
		"pages/home/edit":          {"text", "# Clay"},
	} {
		d.change(page, mine[0], mine[1])
	}
	d.change(remove)
	for file, kept := range map[string][]string{
		"catalog.yaml":  {"We throw pots.", "id: used-bike\n"}, // a price that her service has
		"faq.yaml":      {"In cash."},
		"golden.yaml":   {"id: payment"},
		"pages/home.md": {"# Clay"},
	} {
		text := d.files()[file]
		expect.Holds(t, file, text, kept...)
		expect.Lacks(t, file, text, "id: repair", "id: servic", "id: hours", "Australia", "Message to us", "batteries")
	}
	d.shows("", "the address", `1 price`)
}
