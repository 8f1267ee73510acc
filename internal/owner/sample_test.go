package owner_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

// TestSample removes what is left of the sample in one change, and keeps what is the owner's own.
func TestSample(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "workshop").signIn(t)
	const remove = "/owner/sample/remove"
	d.shows(t, "/owner/", `<a href="/owner/answers">14 answers`, `<a href="/owner/business?field=business.address.street#field-business.address.street">the address`, remove)
	refused := d.get(t, remove)
	d.want(t, "with nothing of her own", refused, http.StatusUnprocessableEntity, "<title>This change cannot be made ·")
	expect.Same(t, "why, once", "Please keep at least one service, one price and one answer. Write your own first.", textOf(refused))
	for page, mine := range map[string][2]string{
		"/owner/answers/payment/edit":     {"answer", "In cash."},
		"/owner/services/used-bikes/edit": {"description", "We throw pots."},
		"/owner/pages/home/edit":          {"text", "# Clay"},
	} {
		d.change(t, page, mine[0], mine[1])
	}
	d.change(t, remove)
	for file, kept := range map[string][]string{
		"catalog.yaml":  {"We throw pots.", "id: used-bike\n"}, // a price that her service has
		"faq.yaml":      {"In cash."},
		"golden.yaml":   {"id: payment", "What is the capital of Australia?"},
		"pages/home.md": {"# Clay"},
	} {
		text := string(expect.Value(os.ReadFile(filepath.Join(d.content, file)))(t))
		for _, part := range kept {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %q:\n%s", file, part, text)
			}
		}
		for _, part := range []string{"id: repair", "id: servic", "id: hours"} {
			if strings.Contains(text, part) {
				t.Errorf("%s still has %q:\n%s", file, part, text)
			}
		}
	}
	d.shows(t, "/owner/", "the address", `1 price`)
}
