package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"frontdesk/contract"
)

// maxHealth is the most that is read of an answer to a health check, in bytes.
const maxHealth = 4 << 10

// baseAddress sends a request to the published address, as a client would.
func (e *examination) baseAddress(ctx context.Context) Finding {
	base := e.service.BaseURL
	version, err := e.askHealth(ctx, base)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return warning(base+": nothing listens there",
			"Start the service (frontdesk serve), and the reverse proxy in front of it.")
	case err != nil:
		return failed(fmt.Sprintf("%s: %v", base, err), hintOf(err))
	case version != contract.APIVersion:
		return warning(fmt.Sprintf("%s: a service with API version %q answers, this program has %s", base, version,
			contract.APIVersion), "Is another version still running?")
	}
	return ok(base + " answers")
}

// errOther means that another program answered.
var errOther = errors.New("which is not frontdesk's answer")

func hintOf(err error) string {
	if errors.Is(err, errOther) {
		return "FRONTDESK_BASE_URL must be where the reverse proxy answers for this service, without a redirect; a status " +
			"of 502 to 504 usually means that the proxy cannot reach the service."
	}
	if _, unknown := errors.AsType[*net.DNSError](err); unknown {
		return "The name is not in the DNS, or this machine has no resolver."
	}
	return "Check the certificate, the firewall and the reverse proxy. Some routers do not let a machine reach its own " +
		"public address; then try from elsewhere."
}

// askHealth requests the health of a base address and returns its API version. Its error
// does not name the address, because a finding begins with it.
func (e *examination) askHealth(ctx context.Context, base string) (version string, err error) {
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, base+contract.PathHealth, nil) // base is valid
	request.Header.Set("User-Agent", contract.Product)
	response, err := e.client.Do(request)
	if failure, ok := errors.AsType[*url.Error](err); ok {
		return "", failure.Err
	}
	defer response.Body.Close()
	if to := response.Header.Get("Location"); to != "" {
		return "", fmt.Errorf("redirects to %s, %w", to, errOther)
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("answers with status %d, %w", response.StatusCode, errOther)
	}
	var health contract.Health
	text, err := io.ReadAll(io.LimitReader(response.Body, maxHealth))
	if err != nil {
		return "", err
	}
	version = response.Header.Get(contract.HeaderAPIVersion)
	if json.Unmarshal(text, &health) != nil || health.Status != contract.HealthOK || version == "" {
		return "", fmt.Errorf("answers with something other than its health, %w", errOther)
	}
	return version, nil
}
