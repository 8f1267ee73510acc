package app

import (
	"context"
	"maps"
	"slices"
)

// Revision is the revision of the live content.
func (s *Service) Revision() string { return s.live.now().state.Revision() }

// PublishedPaths are the paths of the live documents and pages.
func (s *Service) PublishedPaths() (documents, pages []string) {
	now := s.live.now().published()
	return slices.Collect(maps.Keys(now.documents)), slices.Collect(maps.Keys(now.pages))
}

// SharesLimits reports whether the limits of all instances are counted together.
func (s *Service) SharesLimits() bool { return s.quota.Shared() }

// Reload reloads the content as SIGHUP does.
func (s *Service) Reload() { s.reload(context.Background(), true) }

// StoreDay stores what was counted today so far.
func (s *Service) StoreDay(ctx context.Context) { s.counts.flush(ctx) }
