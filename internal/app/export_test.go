package app

import (
	"context"
)

// Revision is the revision of the live content.
func (s *Service) Revision() string { return s.Content.Now().Revision() }

// SharesLimits reports whether the limits of all instances are counted together.
func (s *Service) SharesLimits() bool { return s.quota.Shared() }

// StoreDay stores what was counted today so far.
func (s *Service) StoreDay(ctx context.Context) { s.counts.flush(ctx) }
