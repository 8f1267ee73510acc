package mutants

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/pilot"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// policy replaces a policy but keeps the headers of the contract's, so that only counting
// requests shows the difference.
func policy(published contract.Policy, quota int, window time.Duration) change {
	counted := published
	counted.Quota, counted.Window = quota, window
	limiters := func(b *harness.Changes) {
		b.Limiters = func() routes.Limiters {
			l := routes.NewLimiters(nil)
			for _, limiter := range []**limits.Limiter{&l.Ask, &l.Contact, &l.Trial} {
				if (*limiter).Policy() == published {
					*limiter = limits.New(counted, nil)
				}
			}
			return l
		}
	}
	return both(limiters, replies(func(a *reply) {
		if strings.HasPrefix(only(a.header, contract.HeaderRateLimitPolicy), `"`+published.Name) {
			a.header.Set(contract.HeaderRateLimitPolicy, published.Header())
		}
	}))
}

// limitMutants break section 8.
func limitMutants() []Mutant {
	return []Mutant{
		{"four questions a minute", "8", "the-sixth-question-is-refused", policy(contract.AskPolicy, 4, time.Minute)},
		{"four sends a minute, headers as for three", "8", "sends-share-the-limit",
			both(policy(contract.ContactPolicy, 4, time.Minute), replies(lowerRemaining))},
		{"two sends a minute", "8", "sends-share-the-limit", policy(contract.ContactPolicy, 2, time.Minute)},
		{"four trials a minute", "D.workspace", "trial-has-its-limit", policy(contract.TrialPolicy, 4, time.Minute)},
		{"a window of 55 seconds", "8", "retry-after-covers-the-window", policy(contract.AskPolicy, 5, 55*time.Second)},
		{"a window of one second, Retry-After as for 60", "8", "the-sixth-question-is-refused",
			both(policy(contract.AskPolicy, 5, time.Second), retryAfter("60", contract.PathAsk))},
		{"Retry-After of one second", "D.limits", "retry-after-covers-the-window", retryAfter("1")},
		{"Retry-After of zero", "D.limits", "the-sixth-question-is-refused", retryAfter("0")},
		{"Retry-After as a date", "8.1", "the-sixth-question-is-refused", retryAfter("Wed, 21 Oct 2026 07:28:00 GMT")},
		{"all clients are one", "8", "clients-have-limits-of-their-own", requests(func(r *http.Request) {
			r.RemoteAddr = "192.0.2.1:1"
		})},
		{"a client is an address and a port", "8", "the-sixth-question-is-refused", requests(portIsClient)},
		{"forwarded addresses are trusted", "D.limits", "forwarded-addresses-are-not-believed", wired(func(w *app.Wiring) {
			w.Layers.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}
		})},
		{"every name of a person is believed", "D.limits", "names-of-people-are-not-believed", wired(func(w *app.Wiring) {
			everywhere := limits.Pool{Name: "openai", Prefixes: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}
			w.Layers.Pools = limits.NewPools([]limits.Pool{everywhere}, nil, []byte("secret"))
		})},
		{"X-Real-IP is the client", "D.limits", "forwarded-addresses-are-not-believed", requests(func(r *http.Request) {
			if given := r.Header.Get("X-Real-IP"); given != "" {
				r.RemoteAddr = given + ":1"
			}
		})},
		{"ask_faq has a separate limit", "8", "ask-faq-shares-the-limit", wired(func(w *app.Wiring) {
			w.Core.AskLimit = limits.New(contract.AskPolicy, nil)
		})},
		{"ask_faq has no limit", "8", "ask-faq-shares-the-limit", wired(func(w *app.Wiring) { w.Core.AskLimit = nil })},
		{"request_pilot has a separate limit", "8", "sends-share-the-limit", wired(func(w *app.Wiring) {
			pilots := *w.Core.Pilots.(*pilot.Requests)
			pilots.Slots = limits.New(contract.ContactPolicy, nil)
			w.Core.Pilots = &pilots
		})},
		{"the alias of ask has a separate limit", "8", "the-sixth-question-is-refused", tabled(ownAlias)},
		{"feedback takes no slot", "8", "feedback-has-the-ask-policy", routed(func(r *routes.Route, _ routes.Limiters) {
			r.Limit = nil
		}, contract.PathFeedback)},
		{"the form of a question takes no slot", "D.documents", "ask-form-shares-the-limit", wired(func(w *app.Wiring) {
			w.API.AskLimit = limits.New(contract.AskPolicy, nil)
		})},
		{"dry runs are limited", "8", "dry-runs-have-no-limit", at(limitedDryRuns, contract.PathContact)},
		{"an invalid pilot request takes a slot", "D.rules", "invalid-sends-take-no-slot",
			at(func(next middleware.HandlerFunc, limit routes.Limiters, w http.ResponseWriter, r *http.Request) error {
				err := next(w, r)
				if err != nil && contract.AsError(err).Code == contract.InvalidRequest {
					limit.Contact.Take(r.Context())
				}
				return err
			}, contract.PathContact)},
		{"a body over the cap takes a slot", "D.rules", "refused-questions-and-slots",
			both(at(func(next middleware.HandlerFunc, _ routes.Limiters, w http.ResponseWriter, r *http.Request) error {
				if len(payload.Bytes(r)) > contract.CapAsk {
					return contract.TooLarge(contract.CapAsk)
				}
				return next(w, r)
			}, contract.PathAsk), routed(func(r *routes.Route, _ routes.Limiters) { r.BodyCap = 1 << 20 }, contract.PathAsk))},
		{"an invalid question takes no slot", "D.rules", "refused-questions-and-slots",
			bodies(func(r *http.Request, body []byte) []byte {
				if string(body) == `{"q":""}` {
					r.RemoteAddr = "192.0.2.99:1" // a client that has used no slots
				}
				return body
			}, contract.PathAsk)},
		{"the catalog is limited", "8", "catalog-and-health-have-no-limit",
			routed(func(r *routes.Route, limit routes.Limiters) {
				r.Limit = limit.Trial
			}, contract.PathCatalog)},
	}
}

func lowerRemaining(a *reply) {
	if text, found := strings.CutPrefix(only(a.header, contract.HeaderRateLimit), `"contact";r=`); found && text != "0" {
		a.header.Set(contract.HeaderRateLimit, contract.ContactPolicy.Remaining(int(text[0]-'0')-1))
	}
}

func retryAfter(value string, paths ...string) change {
	return valued(contract.HeaderRetryAfter, func(string) string { return value }, paths...)
}

// portIsClient gives each connection its own address.
func portIsClient(r *http.Request) {
	if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		r.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(at.Port() >> 8), byte(at.Port())}),
			at.Port()).String()
	}
}

func ownAlias(table []routes.Route, _ routes.Limiters) []routes.Route {
	for i, route := range table {
		if route.Path == contract.PathAsk {
			table[i].Aliases = nil
			route.Path, route.Aliases, route.Limit = contract.PathAskAlias, nil, limits.New(contract.AskPolicy, nil)
			return append(table, route)
		}
	}
	return table
}

func limitedDryRuns(next middleware.HandlerFunc, limit routes.Limiters, w http.ResponseWriter, r *http.Request) error {
	var body struct {
		DryRun bool `json:"dry_run"`
	}
	if json.Unmarshal(payload.Bytes(r), &body) == nil && body.DryRun {
		if decision := limit.Trial.Take(r.Context()); !decision.Allowed {
			return contract.ContactPolicy.Exceeded(decision.RetryAfter)
		}
	}
	return next(w, r)
}
