package live

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
	"frontdesk/internal/disk"
	"frontdesk/internal/metrics"
)

// Run completes the start and then follows requests, hangups and the folder until ctx ends. There is one reload at a
// time; requests that come meanwhile lead to one more.
func (c *Content) Run(ctx context.Context, hangups <-chan os.Signal) {
	defer close(c.ended)
	changed := make(chan struct{}, 1)
	var watching sync.WaitGroup
	defer watching.Wait()
	if c.Folder != "" {
		folder := disk.Folder{Path: c.Folder, Within: content.Folders, Log: c.Log}
		watching.Go(func() {
			folder.Run(ctx, func() {
				select {
				case changed <- struct{}{}:
				default: // the reload that is due sees this change too
				}
			})
		})
	}
	c.Now().published() // before the first request
	if state, _ := c.State(); state == Encoding {
		c.awaitSelector(ctx)
	}
	freeStartMemory()
	c.follow(ctx, hangups, changed)
}

// clockInterval is the longest wait before follow looks at the clock: timers miss clock changes and stop during sleep.
const clockInterval = 5 * time.Minute

// follow reloads when it is asked to, when the folder has changed, and when facts change by themselves.
func (c *Content) follow(ctx context.Context, hangups <-chan os.Signal, changed <-chan struct{}) {
	var outdated *Snapshot // whose facts have changed; if its reload fails, only a change of the folder reloads
	for {
		var look <-chan time.Time
		now, wait := c.Now(), clockInterval
		if change := now.Content.FactsChange; !change.IsZero() {
			wait = min(wait, time.Until(change))
		}
		if now != outdated {
			look = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return
		case <-look:
			if now = c.Now(); now.isOutdated(time.Now()) {
				outdated = now
				_ = c.Reload(ctx, true) // logged
			}
		case <-hangups:
			c.Log.Info().Msg("SIGHUP: reloading")
			_ = errors.Join(c.Also(), c.Reload(ctx, true)) // logged
		case verdict := <-c.requests:
			c.Log.Info().Msg("frontdesk reload: reloading")
			verdict <- errors.Join(c.Also(), c.Reload(ctx, true))
		case <-changed:
			_ = c.Reload(ctx, false) // logged
		}
	}
}

// ErrNotServing means that there is no verdict, because the service is starting or stopping.
var ErrNotServing = errors.New("the service is starting or stopping")

// Request asks Run for a reload and returns its verdict.
func (c *Content) Request(ctx context.Context) error {
	verdict := make(chan error, 1)
	select {
	case c.requests <- verdict:
	case <-c.ended:
		return ErrNotServing
	case <-ctx.Done():
		return ErrNotServing
	}
	select {
	case err := <-verdict:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Reload reads the folder and makes it live if it is good. Faults are logged and returned, and change nothing. Unless
// the reload was requested, a folder in its last known version is skipped. Only Run may call it while it runs.
func (c *Content) Reload(ctx context.Context, requested bool) error {
	if c.Folder == "" {
		c.Log.Info().Msg("the content is the embedded sample: nothing to reload")
		return nil
	}
	began := time.Now()
	loaded, version, err := c.loadSteady(c.read)
	if version == c.read && !requested {
		c.Count(metrics.Unchanged)
		return nil
	}
	c.read = version
	old := c.Now()
	if err == nil && version == old.version && !requested && !old.isOutdated(time.Now()) {
		c.Count(metrics.Unchanged)
		c.event(old).Msg("content is back to the live version; nothing to do")
		return nil
	}
	next := old
	if err == nil {
		next, err = awaitOrAbandon(ctx, c.Log, func() (*Snapshot, error) { return c.build(ctx, loaded, version) })
	}
	if ctx.Err() != nil {
		return ErrNotServing
	}
	if err != nil {
		c.Count(metrics.Refused)
		sum, faults := c.logFaults(err)
		sum.Str("live", old.Revision()).Msg("content refused: the old content stays live")
		c.Refused(version.Revision(), faults)
		return err
	}
	c.enter(Ready, next, nil)
	c.previews.Purge() // they were tried against the old content
	if next.version != old.version {
		c.Changed(ctx, old, next)
	}
	c.Count(metrics.Reloaded)
	c.event(next).Dur("ms", time.Since(began)).Msg("content reloaded")
	c.Warn()
	return nil
}

// How often, and with which pause, a folder that is changing is read. disk.Folder has already waited for it to be
// quiet; a requested reload waits here.
const (
	rereads     = 100
	rereadPause = 100 * time.Millisecond
)

var errChanging = errors.New("the content folder was changing all the while it was read")

// loadSteady reads the folder until two reads in a row find the same version, before included: another version may be
// copied into place between one file and the next.
func (c *Content) loadSteady(before content.Digest) (loaded *content.Content, version content.Digest, err error) {
	for read := range rereads {
		if loaded, version, err = loadVersion(c.Folder); version == before {
			return loaded, version, err
		}
		before = version
		if read == 1 {
			c.Log.Info().Msg("the content folder is still changing; the old content stays live until it is steady")
		}
		if read > 0 {
			time.Sleep(rereadPause)
		}
	}
	return nil, version, errChanging
}

// logFaults logs each fault on a line of its own, as frontdesk check does. It returns the line that sums them up, and
// their number.
func (c *Content) logFaults(err error) (sum *zerolog.Event, n int) {
	faults, ok := errors.AsType[content.Diagnostics](err)
	if !ok {
		return c.Log.Error().Err(err), 1
	}
	for _, fault := range faults {
		c.Log.Error().Msg(fault.String())
	}
	return c.Log.Error().Int("faults", len(faults)), len(faults)
}

// event is a log line about a snapshot.
func (c *Content) event(of *Snapshot) *zerolog.Event {
	return c.Log.Info().Str("revision", of.Revision()).Int("entries", of.Content.FAQ.Count())
}

// Warn logs what the owner should look at in the live content.
func (c *Content) Warn() {
	loaded := c.Now().Content
	for _, warning := range slices.Concat(loaded.Warnings(time.Now()), faq.SizeWarnings(loaded.FAQ, c.Embedder != nil)) {
		c.Log.Warn().Msg(warning.String())
	}
}

// Try builds the content that a change leads to and keeps it for Preview. It fails when a golden question does not
// hold.
func (c *Content) Try(ctx context.Context, loaded *content.Content, version content.Digest) error {
	if _, found := c.previews.Get(version.Revision()); found {
		return nil
	}
	s, err := awaitOrAbandon(ctx, c.Log, func() (*Snapshot, error) { return c.build(ctx, loaded, version) })
	if err == nil {
		c.previews.Add(version.Revision(), s)
	}
	return err
}

// Preview returns what a tried change publishes under a path, nil for nothing. found is false once the change was
// forgotten.
func (c *Content) Preview(revision, path string) (document *discovery.Document, found bool) {
	s, found := c.previews.Get(revision)
	if !found {
		return nil, false
	}
	if page := s.published().Page(path); page != nil {
		return page.HTML, true
	}
	return s.published().Document(path), true
}
