package app

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"

	"frontdesk/internal/config"
	"frontdesk/internal/signing"
	"frontdesk/internal/span"
)

// keys are what the service signs with.
type keys struct {
	base    *url.URL    // that the service publishes
	own     signing.Key // of the data folder; signs while the settings give none
	current atomic.Pointer[signing.Keys]
	people  []byte // secret for hashing end-user names; fixed at start, so key rotation does not reset their limits
}

// openKeys uses the keys of the settings or, without any, the one of the data folder.
func openKeys(c config.Service) (_ *keys, err error) {
	base, _ := url.Parse(c.BaseURL) // an address, by the check of the settings
	s, first := &keys{base: base}, c.SigningKey
	if first.ID == "" {
		if s.own, err = signing.OpenKey(c.Dir()); err != nil {
			return nil, fmt.Errorf("%sDATA: %w", config.Prefix, err)
		}
		first = s.own
	}
	s.people = first.Secret("people behind assistants")
	s.use(c.SigningKey, c.SigningKeyNext)
	return s, nil
}

// use signs with first, or the key of the data folder when none is given, and
// publishes next beside it. It reports whether these are other keys than before.
func (s *keys) use(first, next signing.Key) (changed bool) {
	if first.ID == "" {
		first = s.own
	}
	keys := []signing.Key{first}
	if next.ID != "" && next.ID != first.ID {
		keys = append(keys, next)
	}
	made := signing.NewKeys(s.base, keys...)
	if old := s.current.Load(); old != nil && slices.Equal(old.IDs(), made.IDs()) {
		return false
	}
	s.current.Store(made)
	return true
}

// signAnswer signs with the keys that are in use now.
func (s *keys) signAnswer(accept []string, status int, header http.Header, body []byte) {
	s.current.Load().SignAnswer(accept, status, header, body)
}

// reloadKeys reads keys that are given as files again. A file that cannot be read, or
// holds no key, is logged and changes nothing else.
func (s *Service) reloadKeys() error {
	first, next, err := s.config.SigningKeys()
	if err == nil && first.ID == "" && s.keys.own.ID == "" { // a file that is empty now
		err = fmt.Errorf("%sSIGNING_KEY: holds no key", config.Prefix)
	}
	if err != nil {
		s.events.Add(span.KeysRefused, "")
		s.log.Error().Err(err).Msg("signing keys refused: the old keys stay in use")
		return err
	}
	if s.keys.use(first, next) {
		s.log.Info().Strs("keys", s.keys.current.Load().IDs()).Msg("signing keys reloaded")
	}
	return nil
}
