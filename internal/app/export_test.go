package app

import "context"

func (s *Service) Revision() string { return s.Content.Now().Revision() }

func (s *Service) SharesLimits() bool { return s.quota.Shared() }

func (s *Service) StoreDay(ctx context.Context) { s.counts.flush(ctx) }
