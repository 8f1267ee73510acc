package client

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// urlSetting names the settings of the address.
const urlSetting = "--url or FRONTDESK_URL"

// address is the base address of a service, such as http://localhost:8080 or
// https://example.com/desk. Its zero value is not usable.
type address struct{ base *url.URL }

// parseAddress reads --url. Its errors say what to write instead. They never repeat the
// text, which may hold a password.
func parseAddress(text string) (address, error) {
	const example = "such as http://localhost:8080 (" + urlSetting + ")"
	base, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil:
		return address{}, errors.New("the address of the service is not a URL: give one " + example)
	case base.Scheme != "http" && base.Scheme != "https":
		return address{}, fmt.Errorf("the address of the service must begin with http:// or https://, %s", example)
	case base.Hostname() == "":
		return address{}, errors.New("the address of the service has no host: give one " + example)
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return address{}, errors.New("the address of the service must end before ? and #: give one " + example)
	}
	return address{base}, nil
}

// at returns the URL of a path of the service.
func (a address) at(path string) string { return a.base.JoinPath(path).String() }

// String returns the address without a trailing slash and without a password.
func (a address) String() string { return strings.TrimRight(a.base.Redacted(), "/") }
