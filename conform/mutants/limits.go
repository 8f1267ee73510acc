package mutants

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/idempotency"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/pilot"
	"frontdesk/middleware"
	"frontdesk/routes"
)

// policy replaces a policy but keeps the headers of the contract's, so that only counting
// requests shows the difference.
func policy(name string, quota int, window time.Duration) change {
	set := func(b *broken) {
		for _, p := range []*contract.Policy{&b.ask, &b.contact, &b.trial} {
			if p.Name == name {
				p.Quota, p.Window = quota, window
			}
		}
	}
	return both(set, replies(func(a *reply) {
		for _, of := range []contract.Policy{contract.AskPolicy, contract.ContactPolicy, contract.TrialPolicy} {
			if of.Name == name && strings.HasPrefix(only(a.header, contract.HeaderRateLimitPolicy), `"`+name) {
				a.header.Set(contract.HeaderRateLimitPolicy, of.Header())
			}
		}
	}))
}

// limitMutants break section 8.
func limitMutants() []Mutant {
	return []Mutant{
		{"four questions a minute", "8", "ratelimit-counts-down", policy("ask", 4, time.Minute)},
		{"four sends a minute, headers as for three", "8", "the-fourth-send-is-refused", both(policy("contact", 4, time.Minute), lowerRemaining)},
		{"two sends a minute", "8", "the-fourth-send-is-refused", policy("contact", 2, time.Minute)},
		{"four trials a minute", "D.workspace", "trial-has-its-limit", policy("trial", 4, time.Minute)},
		{"a window of 55 seconds", "8", "retry-after-covers-the-window", policy("ask", 5, 55*time.Second)},
		{"a window of one second, Retry-After as for 60", "8", "limit-outlasts-a-moment", both(policy("ask", 5, time.Second), repliesAt(retryAfter("60"), contract.PathAsk))},
		{"Retry-After of one second", "D.limits", "retry-after-covers-the-window", replies(retryAfter("1"))},
		{"Retry-After of zero", "D.limits", "the-sixth-question-is-refused", replies(retryAfter("0"))},
		{"Retry-After as a date", "8.1", "the-sixth-question-is-refused", replies(retryAfter("Wed, 21 Oct 2026 07:28:00 GMT"))},
		{"all clients are one", "8", "clients-have-limits-of-their-own", requests(func(r *http.Request) { r.RemoteAddr = "192.0.2.1:1" })},
		{"a client is an address and a port", "8", "the-sixth-question-is-refused", requests(portIsClient)},
		{"forwarded addresses are trusted", "D.limits", "forwarded-addresses-are-not-believed", func(b *broken) {
			b.wiring = func(w *app.Wiring) { w.Layers.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")} }
		}},
		{"every name of a person is believed", "D.limits", "names-of-people-are-not-believed", func(b *broken) {
			b.wiring = func(w *app.Wiring) {
				everywhere := limits.Pool{Name: "openai", Prefixes: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}
				w.Layers.Pools = limits.NewPools([]limits.Pool{everywhere}, nil, []byte("secret"))
			}
		}},
		{"X-Real-IP is the client", "D.limits", "forwarded-addresses-are-not-believed", requests(func(r *http.Request) {
			if given := r.Header.Get("X-Real-IP"); given != "" {
				r.RemoteAddr = given + ":1"
			}
		})},
		{"ask_faq has a separate limit", "8", "ask-faq-shares-the-limit", func(b *broken) {
			b.wiring = func(w *app.Wiring) { w.Core.AskLimit = limits.New(contract.AskPolicy) }
		}},
		{"ask_faq has no limit", "8", "ask-faq-shares-the-limit", func(b *broken) {
			b.wiring = func(w *app.Wiring) { w.Core.AskLimit = nil }
		}},
		{"request_pilot has a separate limit", "8", "sends-share-the-limit", func(b *broken) {
			b.wiring = func(w *app.Wiring) {
				pilots := *w.Core.Pilots.(*pilot.Requests)
				pilots.Gate = idempotency.NewGate[contract.Accepted](limits.New(contract.ContactPolicy), w.Limiters.KeyReuse)
				w.Core.Pilots = &pilots
			}
		}},
		{"the alias of ask has a separate limit", "8", "aliases-and-feedback-share-the-limit", ownAlias},
		{"feedback takes no slot", "8", "feedback-has-the-ask-policy", routed(func(r *routes.Route, _ routes.Limiters) { r.Limit = nil }, contract.PathFeedback)},
		{"the form of a question takes no slot", "D.documents", "ask-form-shares-the-limit", func(b *broken) {
			b.wiring = func(w *app.Wiring) { w.API.AskLimit = limits.New(contract.AskPolicy) }
		}},
		{"dry runs are limited", "8", "dry-runs-have-no-limit", at(limitedDryRuns, contract.PathContact)},
		{"an invalid pilot request takes a slot", "D.rules", "invalid-sends-take-no-slot", at(func(next middleware.HandlerFunc, limit routes.Limiters) middleware.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) error {
				err := next(w, r)
				if err != nil && contract.AsError(err).Code == contract.InvalidRequest {
					limit.Contact.Take(r.Context(), limits.ClientFrom(r.Context()))
				}
				return err
			}
		}, contract.PathContact)},
		{"a body over the cap takes a slot", "D.rules", "cap-goes-before-the-limit", both(routed(func(r *routes.Route, limit routes.Limiters) {
			r.BodyCap = 1 << 20
			r.Handler = capped(r.Handler)
		}, contract.PathAsk))},
		{"an invalid question takes no slot", "D.rules", "invalid-ask-takes-a-slot", repliesBefore(contract.PathAsk, `{"q":""}`)},
		{"the catalog is limited", "8", "catalog-and-health-have-no-limit", routed(func(r *routes.Route, limit routes.Limiters) { r.Limit = limit.Trial }, contract.PathCatalog)},
	}
}

func lowerRemaining(b *broken) {
	replies(func(a *reply) {
		if text, found := strings.CutPrefix(only(a.header, contract.HeaderRateLimit), `"contact";r=`); found && text != "0" {
			a.header.Set(contract.HeaderRateLimit, contract.ContactPolicy.Remaining(int(text[0]-'0')-1))
		}
	})(b)
}

func retryAfter(value string) func(*reply) {
	return func(a *reply) {
		if a.header.Get(contract.HeaderRetryAfter) != "" {
			a.header.Set(contract.HeaderRetryAfter, value)
		}
	}
}

// portIsClient gives each connection its own address.
func portIsClient(r *http.Request) {
	if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		r.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(at.Port() >> 8), byte(at.Port())}), at.Port()).String()
	}
}

func ownAlias(b *broken) {
	b.table = func(table []routes.Route, _ routes.Limiters) []routes.Route {
		for i, route := range table {
			if route.Path == contract.PathAsk {
				alias := route
				table[i].Aliases, alias.Path, alias.Aliases, alias.Limit = nil, contract.PathAskAlias, nil, limits.New(contract.AskPolicy)
				return append(table, alias)
			}
		}
		return table
	}
}

func limitedDryRuns(next middleware.HandlerFunc, limit routes.Limiters) middleware.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		var body struct {
			DryRun bool `json:"dry_run"`
		}
		if json.Unmarshal(payload.Bytes(r), &body) == nil && body.DryRun {
			if decision := limit.Trial.Take(r.Context(), limits.ClientFrom(r.Context())); !decision.Allowed {
				return contract.ContactPolicy.Exceeded(decision.RetryAfter)
			}
		}
		return next(w, r)
	}
}

// capped checks the body cap only behind the limit.
func capped(next middleware.HandlerFunc) middleware.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if len(payload.Bytes(r)) > contract.CapAsk {
			return contract.TooLarge(contract.CapAsk)
		}
		return next(w, r)
	}
}

// repliesBefore answers one body before the limit, with the headers of a client that has
// used no slots.
func repliesBefore(path, body string) change {
	return bodies(func(r *http.Request, given []byte) []byte {
		if string(given) == body {
			r.RemoteAddr = "192.0.2.99:1"
		}
		return given
	}, path)
}
