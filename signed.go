package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/rs/zerolog"

	"frontdesk/internal/config"
	"frontdesk/internal/signing"
)

// signed is what the service signs with, and whose signatures it knows.
type signed struct {
	baseURL string
	own     signing.Key // which signs while none is given
	current atomic.Pointer[signers]
	agents  *signing.Agents // nil when the owner has listed none
}

// signers are the keys at work: what they sign and where they are published.
type signers struct {
	ids       []string
	directory *signing.Directory
	answers   *signing.Answers
}

// open puts the keys to use that were given, or the one of the data folder.
func (s *signed) open(c config.Service, folder string, log zerolog.Logger) (err error) {
	s.baseURL = c.BaseURL
	if c.SigningKey.ID == "" {
		if s.own, err = signing.OpenKey(folder); err != nil {
			return fmt.Errorf("%sDATA: %w", config.Prefix, err)
		}
	}
	if _, err = s.use(c.SigningKey, c.SigningKeyNext); err != nil {
		return err
	}
	if len(c.AgentDirectories) > 0 {
		s.agents, err = signing.NewAgents(c.BaseURL, c.AgentDirectories, log)
	}
	return err
}

// use signs with first, or the key of the data folder when none is given, and
// publishes next beside it. It reports whether these are other keys than before.
func (s *signed) use(first, next signing.Key) (changed bool, err error) {
	if first.ID == "" {
		first = s.own
	}
	keys := []signing.Key{first}
	if next.ID != "" && next.ID != first.ID {
		keys = append(keys, next)
	}
	made := &signers{answers: signing.NewAnswers(first, keys[1:]...)}
	for _, key := range keys {
		made.ids = append(made.ids, key.ID)
	}
	if old := s.current.Load(); old != nil && slices.Equal(old.ids, made.ids) {
		return false, nil
	}
	if made.directory, err = signing.NewDirectory(s.baseURL, keys...); err != nil {
		return false, err
	}
	s.current.Store(made)
	return true, nil
}

// directory is the published list of the keys that are at work.
func (s *signed) directory() *signing.Directory { return s.current.Load().directory }

// SignAnswer implements middleware.AnswerSigner.
func (s *signed) SignAnswer(accept []string, status int, header http.Header, body []byte) {
	s.current.Load().answers.SignAnswer(accept, status, header, body)
}

// reloadKeys reads the keys that were given as files anew. What cannot be read, or
// is no key, changes nothing but the log.
func (s *service) reloadKeys() {
	first, next, err := s.settings.SigningKeys()
	changed := false
	switch {
	case err == nil && first.ID == "" && s.signed.own.ID == "": // a file that is empty now
		err = fmt.Errorf("%sSIGNING_KEY: holds no key", config.Prefix)
	case err == nil:
		changed, err = s.signed.use(first, next)
	}
	if err != nil {
		s.log.Error().Err(err).Msg("signing keys refused: the old stay")
		return
	}
	if changed {
		s.log.Info().Strs("keys", s.signed.current.Load().ids).Msg("signing keys reloaded")
	}
}

// follow keeps the directories of the agents up to date until ctx ends.
func (s *signed) follow(ctx context.Context) {
	if s.agents != nil {
		s.agents.Run(ctx)
	}
}
