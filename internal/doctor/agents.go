package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// agentDirectories fetches each directory once. They serve statistics alone, so
// that one that is away is no failure.
func (e *examination) agentDirectories(ctx context.Context) Finding {
	if len(e.service.AgentDirectories) == 0 {
		return skipped("none is set")
	}
	faults := make([]string, len(e.service.AgentDirectories))
	var all sync.WaitGroup
	for i, origin := range e.service.AgentDirectories {
		all.Go(func() { faults[i] = e.faultOf(ctx, origin) })
	}
	all.Wait()
	faults = slices.DeleteFunc(faults, func(fault string) bool { return fault == "" })
	if len(faults) > 0 {
		return warning(strings.Join(faults, "; "), "The log will call signatures of these agents unknown; FRONTDESK_AGENT_DIRECTORIES lists them.")
	}
	return ok("%s", strings.Join(e.service.AgentDirectories, ", "))
}

// faultOf is what is wrong with an agent's directory, or empty.
func (e *examination) faultOf(ctx context.Context, origin string) string {
	keys, err := e.probe(ctx, origin)
	switch {
	case err != nil:
		return fmt.Sprintf("%s: %v", origin, bare(err))
	case keys == 0:
		return origin + " lists no key that can be used"
	}
	return ""
}
