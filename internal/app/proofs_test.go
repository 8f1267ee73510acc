package app_test

import (
	"net/http"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// TestProofs serves the texts by which directories see that a domain is the owner's, and the
// icons at their usual paths.
func TestProofs(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.MCPRegistryAuth = "v=MCPv1; k=ed25519; p=AAAA" })
	client := harness.NewClient(t)
	for path, want := range map[string]string{
		contract.PathRegistryAuth: "200 text/plain; charset=utf-8", contract.PathAppsChallenge: "404 application/problem+json",
		contract.PathFavicon: "200 image/png", contract.PathTouchIcon: "200 image/png",
	} {
		got := d.Send(t, client, http.MethodGet, path, "", "Accept: */*")
		expect.Same(t, path, want, got.Status[:3]+" "+got.Header.Get("Content-Type"))
		if path == contract.PathRegistryAuth && string(got.Text) != "v=MCPv1; k=ed25519; p=AAAA" {
			t.Errorf("the text is %q", got.Text)
		}
	}
}
