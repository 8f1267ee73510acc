package mutants

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/app"
	"frontdesk/internal/limits"
	"frontdesk/mailer"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// pilots takes pilot requests with one changed method.
type pilots struct {
	handlers.Pilots
	preview    func(contract.PilotRequest) contract.Preview
	anyPreview bool // the digest of a request is not read
}

func (p pilots) Preview(request contract.PilotRequest) contract.Preview { return p.preview(request) }

func (p pilots) Send(ctx context.Context, request contract.PilotRequest,
	key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
	if p.anyPreview {
		request.Preview = ""
	}
	return p.Pilots.Send(ctx, request, key)
}

// damaged breaks pilot requests.
func damaged(w *app.Wiring, damage func(*pilots)) pilots {
	p := pilots{Pilots: w.API.Pilots, preview: w.API.Pilots.Preview}
	damage(&p)
	return p
}

// overHTTP breaks pilot requests over HTTP and MCP, overMCP only those over MCP.
func overHTTP(damage func(*pilots)) change {
	return wired(func(w *app.Wiring) {
		p := damaged(w, damage)
		w.API.Pilots, w.Core.Pilots = p, p
	})
}

func overMCP(damage func(*pilots)) change {
	return wired(func(w *app.Wiring) { w.Core.Pilots = damaged(w, damage) })
}

// previewed changes previews.
func previewed(alter func(*contract.Preview)) func(*pilots) {
	return func(p *pilots) {
		p.preview = func(request contract.PilotRequest) contract.Preview {
			preview := p.Pilots.Preview(request)
			alter(&preview)
			return preview
		}
	}
}

// previews changes the answers to dry runs.
func previews(alter func(*contract.Preview)) change { return overHTTP(previewed(alter)) }

// senderFunc is a function that sends mails.
type senderFunc func(ctx context.Context, mail mailer.Message) error

func (f senderFunc) Send(ctx context.Context, mail mailer.Message) error { return f(ctx, mail) }

// senders replaces the sender of mails; real is the original.
func senders(send func(ctx context.Context, mail mailer.Message, real mailer.Sender) error) change {
	return func(b *harness.Changes) {
		b.Sender = func(real mailer.Sender) mailer.Sender {
			return senderFunc(func(ctx context.Context, mail mailer.Message) error { return send(ctx, mail, real) })
		}
	}
}

// sendsAsWell makes a dry run a real send, of a new client.
func sendsAsWell(p *pilots) {
	p.preview = func(request contract.PilotRequest) contract.Preview {
		n := clients.Add(1)
		client := limits.ClientOf(netip.AddrFrom4([4]byte{198, byte(n >> 16), byte(n >> 8), byte(n)}))
		_, _, _ = p.Pilots.Send(limits.WithClient(context.Background(), client), request, contract.IdempotencyKey{})
		return p.Pilots.Preview(request)
	}
}

var clients atomic.Uint32

// pilotMutants break pilot requests and their mails.
func pilotMutants() []Mutant {
	return []Mutant{
		{"a dry run is sent", "3", "dry-run-mails-nothing", overHTTP(sendsAsWell)},
		{"a dry run of the tool is sent", "3", "dry-run-mails-nothing", overMCP(sendsAsWell)},
		{"a dry run takes a slot", "8", "invalid-sends-take-no-slot", at(slotForDryRuns, contract.PathContact)},
		{"a dry run over the alias is sent", "4.contact", "contact-alias-works",
			objects(lose(contract.FieldDryRun), contract.PathContactAlias)},
		{"dry_run of a form is not read", "2", "dry-run-as-a-form", bodies(func(_ *http.Request, body []byte) []byte {
			return bytes.Replace(body, []byte("&dry_run=true"), nil, 1)
		}, contract.PathContact)},
		{"the digest of a preview is not checked", "D.preview", "previewed-send-is-sent", overHTTP(func(p *pilots) {
			p.anyPreview = true
		})},
		{"every digest is the same", "D.preview", "digest-names-the-mail", previews(func(p *contract.Preview) {
			p.Digest = strings.Repeat("0", len(p.Digest))
		})},
		{"the digest belongs to another mail", "D.preview", "previewed-send-is-sent", previews(func(p *contract.Preview) {
			p.Digest = strings.ToUpper(p.Digest)
		})},
		{"a dry run has no digest", "D.preview", "digest-names-the-mail", previews(func(p *contract.Preview) {
			p.Digest = ""
		})},
		{"would_send is not trimmed", "D.contact", "would-send-has-the-mail", previews(func(p *contract.Preview) {
			p.WouldSend.Name += " "
		})},
		{"would_send lacks phone", "2", "optional-fields-are-previewed", previews(func(p *contract.Preview) {
			p.WouldSend.Phone = ""
		})},
		{"would_send shows another text", "4.contact", "mail-is-the-preview-dots", previews(func(p *contract.Preview) {
			p.WouldSend.Text += "Sent with care.\n"
		})},
		{"would_send shows another subject", "4.contact", "mail-is-the-preview-international",
			previews(func(p *contract.Preview) {
				p.WouldSend.Subject = "A pilot request"
			})},
		{"reply_to is the owner", "D.contact", "would-send-has-the-mail", previews(func(p *contract.Preview) {
			p.WouldSend.ReplyTo = "owner@desk.example"
		})},
		{"the tool previews differently from HTTP", "4.mcp", "request-pilot-previews-like-http",
			overMCP(previewed(func(p *contract.Preview) {
				p.WouldSend.Subject += " (agent)"
			}))},
		{"a send is mailed twice", "6", "real-send-mails-once",
			senders(func(ctx context.Context, mail mailer.Message, real mailer.Sender) error {
				return errors.Join(real.Send(ctx, mail), real.Send(ctx, mail))
			})},
		{"a send is never mailed", "4.contact", "real-send-mails-once",
			senders(func(context.Context, mailer.Message, mailer.Sender) error {
				return nil
			})},
		{"a failed delivery is 200", "7", "bad-gateway",
			senders(func(ctx context.Context, mail mailer.Message, real mailer.Sender) error {
				_ = real.Send(ctx, mail) // the mutant ignores the error
				return nil
			})},
		{"a failed delivery of the tool is a result", "D.mcp", "request-pilot-fails-as-a-result",
			rewritten(`"isError":true`, `"isError":false`, contract.PathMCP)},
		{"a failed delivery is 500", "7", "bad-gateway", restatus(502, 500)},
		{"the mail loses Reply-To", "D.contact", "mail-has-its-headers", mails(func(m *mailer.Message) {
			m.ReplyTo = m.From
		})},
		{"the mail is cut short", "D.contact", "mail-is-the-preview-dots", mails(func(m *mailer.Message) {
			m.Text, _, _ = strings.Cut(m.Text, "\n.\n")
		})},
		{"the mail has its subject in ASCII", "D.contact", "mail-is-the-preview-international",
			mails(func(m *mailer.Message) {
				m.Subject = ascii(m.Subject)
			})},
		{"a real send answers without an id", "4.contact", "real-send-is-accepted",
			documents(lose("id"), contract.PathContact)},
		{"a real send is refused by the alias", "9.5", "real-send-by-the-alias", objects(func(object map[string]any) {
			object[contract.FieldDryRun] = true
		}, contract.PathContactAlias)},
		{"Idempotency-Key is ignored", "D.idempotency", "same-key-same-answer", deaf(contract.HeaderIdempotencyKey, always)},
		{"a key may name two requests", "D.idempotency", "same-key-other-payload", keyOfBody()},
		{"a dry run uses up its key", "D.idempotency", "dry-run-leaves-the-key", dryRunTakesKey()},
		{"a repeated request takes a slot", "D.idempotency", "same-key-takes-no-slot", at(slotForKeys, contract.PathContact)},
		{"business is not required", "2", "fields-are-required", objects(func(object map[string]any) {
			if object[contract.FieldBusiness] == nil {
				object[contract.FieldBusiness] = "none"
			}
		}, contract.PathContact)},
		{"only the first failing field is listed", "D.problem", "errors-list-each-field", problems(lose("errors"))},
	}
}

// slotForDryRuns takes a slot for every dry run that is answered.
func slotForDryRuns(next middleware.HandlerFunc, limit routes.Limiters, w http.ResponseWriter, r *http.Request) error {
	err := next(w, r)
	if err == nil && only(w.Header(), contract.HeaderRateLimit) == "" {
		limit.Contact.Take(r.Context())
	}
	return err
}

// slotForKeys takes an extra slot for every request with a key.
func slotForKeys(next middleware.HandlerFunc, limit routes.Limiters, w http.ResponseWriter, r *http.Request) error {
	if r.Header[contract.HeaderIdempotencyKey] != nil {
		if decision := limit.Contact.Take(r.Context()); !decision.Allowed {
			return decision.Refusal()
		}
	}
	return next(w, r)
}

// keyOfBody makes the body part of the key: the same key with another payload is another
// request.
func keyOfBody() change {
	return bodies(func(r *http.Request, body []byte) []byte {
		if key := r.Header[contract.HeaderIdempotencyKey]; len(key) == 1 {
			sum := sha256.Sum256(append(body, key[0]...))
			r.Header[contract.HeaderIdempotencyKey] = []string{hex.EncodeToString(sum[:])}
		}
		return body
	}, contract.PathContact, contract.PathContactAlias)
}

// dryRunTakesKey answers a real send as already done if a dry run had its key.
func dryRunTakesKey() change {
	var taken sync.Map
	return bodies(func(r *http.Request, body []byte) []byte {
		key := r.Header.Get(contract.HeaderIdempotencyKey)
		switch {
		case key == "":
		case bytes.Contains(body, []byte(`"dry_run":true`)):
			taken.Store(key, true)
		default:
			if _, dry := taken.Load(key); dry {
				return edited(body, func(object map[string]any) { object[contract.FieldDryRun] = true })
			}
		}
		return body
	}, contract.PathContact)
}

func mails(alter func(*mailer.Message)) change {
	return senders(func(ctx context.Context, mail mailer.Message, real mailer.Sender) error {
		alter(&mail)
		return real.Send(ctx, mail)
	})
}

func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, text)
}

// lose removes members from an object.
func lose(names ...string) func(map[string]any) {
	return func(object map[string]any) {
		maps.DeleteFunc(object, func(name string, _ any) bool { return slices.Contains(names, name) })
	}
}
