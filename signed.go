package main

import (
	"context"
	"fmt"

	"github.com/rs/zerolog"

	"frontdesk/config"
	"frontdesk/signing"
)

// signed is what the service signs with, and whose signatures it knows.
type signed struct {
	directory *signing.Directory
	answers   *signing.Answers
	agents    *signing.Agents // nil when the owner has listed none
}

// newSigned puts the keys to use that were given, or the one of the data folder.
func newSigned(c config.Service, folder string, log zerolog.Logger) (s signed, err error) {
	first := c.SigningKey
	if first.ID == "" {
		if first, err = signing.OpenKey(folder); err != nil {
			return signed{}, fmt.Errorf("%sDATA: %w", config.Prefix, err)
		}
	}
	var others []signing.Key
	if next := c.SigningKeyNext; next.ID != "" && next.ID != first.ID {
		others = append(others, next)
	}
	s.answers = signing.NewAnswers(first, others...)
	if s.directory, err = signing.NewDirectory(c.BaseURL, append([]signing.Key{first}, others...)...); err != nil {
		return signed{}, err
	}
	if len(c.AgentDirectories) > 0 {
		s.agents, err = signing.NewAgents(c.BaseURL, c.AgentDirectories, log)
	}
	return s, err
}

// follow keeps the directories of the agents up to date until ctx ends.
func (s signed) follow(ctx context.Context) {
	if s.agents != nil {
		s.agents.Run(ctx)
	}
}
