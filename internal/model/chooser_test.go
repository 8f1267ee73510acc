package model

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

func TestReasons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(4)
		b.want(t, contract.ReasonMatched)
		b.say("none")
		b.want(t, contract.ReasonNoMatch)
		b.say("nonsense")
		b.want(t, contract.ReasonModelUnavailable)
		b.reply.Store(nil)
		begun := time.Now()
		b.want(t, contract.ReasonModelUnavailable)
		expect.Same(t, "a hanging endpoint is waited for", timeout, time.Since(begun))
		b.say("hours")
		b.want(t, contract.ReasonRateLimitedGlobal)
		b.want(t, contract.ReasonRateLimitedGlobal)
		expect.Same(t, "calls", 4, b.wire.calls.Load())
		expect.Lacks(t, "the log", b.log.String(), "secret", "nonsense")
		expect.Same(t, "lines about the cap", 1, strings.Count(b.log.String(), "daily cap is reached"))
	})
}

func TestCapOfNothing(t *testing.T) {
	t.Parallel()
	b := newBench(0)
	b.counter.err = errDown
	b.want(t, contract.ReasonRateLimitedGlobal)
	expect.Same(t, "calls", 0, b.wire.calls.Load())
}

// The step is closed while the calls cannot be counted, and open at once when they can.
func TestUncountedCalls(t *testing.T) {
	t.Parallel()
	b := newBench(10)
	b.counter.err = errDown
	for range 2 * tripAfter {
		b.want(t, contract.ReasonModelUnavailable)
	}
	expect.Same(t, "calls", 0, b.wire.calls.Load())
	b.counter.err = nil
	b.want(t, contract.ReasonMatched)
}

// A database that hangs, while Redis counts, takes no time from the endpoint.
func TestSlowCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(10)
		b.counter.hangs = true
		b.reply.Store(nil)
		begun := time.Now()
		b.want(t, contract.ReasonModelUnavailable)
		expect.Same(t, "the time of both", records.CallTimeout+timeout, time.Since(begun))
	})
}

func TestDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // begins at midnight UTC of 2000-01-01
		b := newBench(2)
		for range 2 {
			b.want(t, contract.ReasonMatched)
		}
		time.Sleep(24*time.Hour - time.Second)
		b.want(t, contract.ReasonRateLimitedGlobal)
		time.Sleep(time.Second)
		b.want(t, contract.ReasonMatched)
		today := records.DayOf(time.Now())
		expect.Same(t, "calls by day", []int{2, 1}, []int{b.counter.calls[dayClient{today - 1, ""}], b.counter.calls[dayClient{today, ""}]})
	})
}

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(1000)
		b.reply.Store(nil)
		for range tripAfter {
			b.want(t, contract.ReasonModelUnavailable)
		}
		begun := time.Now()
		for range 100 {
			b.want(t, contract.ReasonModelUnavailable)
		}
		expect.Same(t, "with an open breaker",
			[]any{time.Duration(0), int32(tripAfter), tripAfter}, []any{time.Since(begun), b.wire.calls.Load(), b.counter.total()})

		time.Sleep(breakerPause + time.Second)
		b.want(t, contract.ReasonModelUnavailable) // the one call that tries
		b.want(t, contract.ReasonModelUnavailable)
		expect.Same(t, "calls", tripAfter+1, b.wire.calls.Load())

		time.Sleep(breakerPause + time.Second)
		b.say("hours")
		b.want(t, contract.ReasonMatched)
		b.want(t, contract.ReasonMatched)
		expect.AtMost(t, "log lines", 2*tripAfter+5, strings.Count(b.log.String(), "\n"))
	})
}

// Replies that depend on the question leave the endpoint to all others, and are remembered.
func TestOneQuestionDoesNotTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, spoil := range map[string]func(*bench){
			"content filter":  func(b *bench) { b.status.Store(400) },
			"refusal":         func(b *bench) { b.say("I cannot help with that.") },
			"too long":        func(b *bench) { b.status.Store(413) },
			"unprocessable":   func(b *bench) { b.status.Store(422) },
			"an unknown id":   func(b *bench) { b.say("zebra") },
			"text with an id": func(b *bench) { b.say("hours, of course") },
		} {
			b := newBench(1000)
			spoil(b)
			for range 3 * tripAfter {
				b.want(t, contract.ReasonModelUnavailable)
			}
			for range 10 {
				b.wantOf(t, t.Context(), "the same", contract.ReasonModelUnavailable)
			}
			expect.Same(t, name, 3*tripAfter+1, b.wire.calls.Load())
			b.status.Store(0)
			b.say("hours")
			b.want(t, contract.ReasonMatched)
			time.Sleep(refusalTime)
			b.wantOf(t, t.Context(), "the same", contract.ReasonMatched)
		}
	})
}

func TestEndpointTrips(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 402, 403, 404, 408, 410, 429, 500, 503} {
		b := newBench(1000)
		b.status.Store(int32(status))
		for range 3 * tripAfter {
			b.want(t, contract.ReasonModelUnavailable)
		}
		expect.Same(t, fmt.Sprintf("%d: calls", status), tripAfter, b.wire.calls.Load())
	}
}

func TestClientCap(t *testing.T) {
	t.Parallel()
	b := newBench(10)
	b.ClientCap = 3
	from := func(addr string) context.Context {
		return limits.WithClient(t.Context(), limits.ClientOf(netip.MustParseAddr(addr)))
	}
	three := func(n int) contract.Reason {
		if n < 3 {
			return contract.ReasonMatched
		}
		return contract.ReasonRateLimitedGlobal
	}
	for n := range 6 {
		b.wantOf(t, from("192.0.2.1"), fmt.Sprint("greedy ", n), three(n))
	}
	b.wantOf(t, from("2001:db8::1"), "another", contract.ReasonMatched)
	b.wantOf(t, from("2001:db8::2"), "the same /64", contract.ReasonMatched)
	pools := limits.NewPools([]limits.Pool{{Name: "anthropic", Prefixes: []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}}}, nil, nil)
	for n := range 4 { // the addresses of a pool have one share
		addr := netip.AddrFrom4([4]byte{203, 0, 113, byte(n)})
		b.wantOf(t, limits.WithClient(t.Context(), pools.ClientOf(addr)), fmt.Sprint("of a pool ", n), three(n))
	}
	expect.Same(t, "calls are counted", 8, b.counter.total())
	expect.Lacks(t, "the log", b.log.String(), "192.0.2.1")
}

func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(1000)
		b.reply.Store(nil)
		var waiting sync.WaitGroup
		for range concurrentCalls {
			waiting.Go(func() { b.want(t, contract.ReasonModelUnavailable) })
		}
		synctest.Wait()
		begun := time.Now()
		b.want(t, contract.ReasonModelUnavailable)
		expect.Same(t, "waited",
			[]any{time.Duration(0), int32(concurrentCalls)}, []any{time.Since(begun), b.wire.calls.Load()})
		waiting.Wait()
	})
}

func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	place, reason := b.Choose(ctx, asked, entries())
	expect.Same(t, "place", []any{1, contract.ReasonMatched}, []any{place, reason})
}
