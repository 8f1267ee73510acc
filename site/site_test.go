package site

import (
	"fmt"
	"strings"
	"testing"

	"frontdesk/contract"
)

// TestErrorAnchors shows that the type of every problem resolves to a heading.
func TestErrorAnchors(t *testing.T) {
	t.Parallel()
	html, markdown := Developers("Desk", "https://desk.example")
	for _, code := range []string{"invalid_request", "forbidden", "not_found", "method_not_allowed",
		"payload_too_large", "rate_limited", "internal_error", "bad_gateway"} {
		if n := strings.Count(string(html), fmt.Sprintf(`id="errors-%s"`, code)); n != 1 {
			t.Errorf("the anchor of %s stands %d times in the page", code, n)
		}
		if !strings.Contains(string(markdown), code) {
			t.Errorf("the Markdown lacks %s", code)
		}
	}
}

func TestPagesEscape(t *testing.T) {
	t.Parallel()
	html, _ := Developers(`<script>alert(1)</script>`, "https://desk.example")
	if strings.Contains(string(html), "<script") {
		t.Error("a business name reaches the page as HTML")
	}
	problem := contract.Invalid("x", "<script>alert(1)</script>").Problem("https://desk.example")
	if page := string(ErrorPage(problem, contract.TypeHTML)); strings.Contains(page, "<script") || !strings.Contains(page, "Invalid request") {
		t.Errorf("the error page is %s", page)
	}
	if page := string(ErrorPage(problem, contract.TypeMarkdown)); !strings.HasPrefix(page, "# Invalid request\n") {
		t.Errorf("the Markdown of an error is %s", page)
	}
}
