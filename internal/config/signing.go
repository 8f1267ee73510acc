package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"frontdesk/internal/signing"
)

// signing fills in the given keys.
func (s Settings) signing(service *Service, wrong *faults) {
	read := func(name, value, file string) signing.Key {
		key, from, err := signingKey(name, value, file)
		wrong.add(from, err)
		return key
	}
	service.SigningKey = read("FRONTDESK_SIGNING_KEY", s.SigningKey, s.SigningKeyFile)
	service.SigningKeyNext = read("FRONTDESK_SIGNING_KEY_NEXT", s.SigningKeyNext, s.SigningKeyNextFile)
	if next := service.SigningKeyNext.ID; next != "" && next == service.SigningKey.ID {
		wrong.add("FRONTDESK_SIGNING_KEY_NEXT", errors.New("is the same key as FRONTDESK_SIGNING_KEY"))
	}
}

// SigningKeys reads the given keys from their current files. A key that was not given
// has an empty ID. The error names every setting that is wrong.
func (s Settings) SigningKeys() (first, next signing.Key, err error) {
	var service Service
	var wrong faults
	s.signing(&service, &wrong)
	return service.SigningKey, service.SigningKeyNext, errors.Join(wrong...)
}

// signingKey reads one key: PEM, or the path of a file that holds it.
func signingKey(name, value, file string) (key signing.Key, from string, err error) {
	text, from, err := secret(name, value, file)
	if err != nil || text == "" && file == "" {
		return signing.Key{}, from, err
	}
	if file == "" && !strings.HasPrefix(strings.TrimSpace(text), "-----BEGIN ") {
		content, err := os.ReadFile(text)
		if reason, ok := errors.AsType[*fs.PathError](err); ok {
			// The error must not show the path: it may be a key without its PEM frame.
			return signing.Key{}, from, fmt.Errorf("is neither PEM nor a file that can be read: %w", reason.Err)
		}
		text = string(content)
	}
	key, err = signing.ParseKey([]byte(text))
	return key, from, err
}

// parseDirectories reads the agents' origins. They are fetched over the public
// internet, so only plain https addresses are accepted.
func parseDirectories(texts []string) ([]string, error) {
	origins, err := parseOrigins(texts)
	if err != nil {
		return nil, err
	}
	for _, origin := range origins {
		at, err := parseAddress(origin, false)
		if err != nil || at.scheme != "https" || at.port() != "" {
			return nil, fmt.Errorf("%q must be https and without a port, such as https://agent.example", origin)
		}
	}
	slices.Sort(origins)
	return slices.Compact(origins), nil
}
