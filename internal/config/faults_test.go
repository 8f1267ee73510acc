package config

import (
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

const (
	files    = "smtp-url=file:"
	domain   = files + " | domain=desk.example"
	database = "database-url=postgres://desk:hunter2@db.example/frontdesk"
	token    = "admin-token=0123456789abcdef"
	hook     = "notify-webhook=https://hook.example"
	secretOK = "whsec_aHVudGVyMi1odW50ZXIyLWh1bnRlcjItaHVudGVyMg=="
)

// Every fault is reported at once, in order, under the name of its setting and without hunter2, a part of each secret.
func TestFaults(t *testing.T) {
	t.Parallel()
	key, _ := pemKey(t, 1)
	const framed = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----"
	for _, tt := range []struct {
		name  string
		flags string // with | between them
		want  string // the beginnings of the lines of the error, without FRONTDESK_
	}{
		{"base without scheme", "base-url=desk.example | " + files, "BASE_URL"},
		{"impossible base", "base-url=https://mü_nchen.example | " + files, "BASE_URL"},
		{"base with a path", "base-url=https://desk.example/desk | " + files, "BASE_URL"},
		{"no port, one too high, a zone", "base-url=https://desk.example: | app-url=https://desk.example:65536 | origins=http://[::1%25lo] | " + files, "BASE_URL | APP_URL | ORIGINS"},
		{"addresses to listen on", domain + " | addr=8080 | http-addr=:99999 | admin-addr=localhost",
			`ADDR: "8080" is not an address | HTTP_ADDR | ADMIN_ADDR`},
		{"domain with a port", domain + ":443", "DOMAIN"},
		{"empty labels", "domain=.b | app-url=http://a..b", "APP_URL | DOMAIN"},
		{"IP address", files + " | domain=192.0.2.1", "DOMAIN"},
		{"another base", domain + " | base-url=https://shop.example", "BASE_URL"},
		{"domain without encryption", domain + " | base-url=http://desk.example", "BASE_URL"},
		{"without a domain", "http-addr=:80 | owner-domain=o.example | tls-cert=c | tls-key=k | " + token,
			"HTTP_ADDR | OWNER_DOMAIN | TLS_CERT | TLS_KEY"},
		{"authority", domain + " | tls-cert=c | acme-ca=http://ca.example | acme-email=owner",
			"ACME_CA | ACME_EMAIL | TLS_CERT"},
		{"no such certificate", domain + " | tls-cert=c | tls-key=k", "TLS_CERT: cannot be used with FRONTDESK_TLS_KEY: open c: "},
		{"owner's domain is taken", domain + " | owner-domain=desk.example | " + token, "OWNER_DOMAIN"},
		{"owner's domain without a token", domain + " | owner-domain=o.example", "ADMIN_TOKEN: is required with"},
		{"mail server without addresses", "smtp-url=smtp://mail.example", "MAIL_TO: is required | MAIL_FROM: is required"},
		{"mail addresses", files + " | mail-to=owner | mail-from=a@b.co, c@d.co", "MAIL_TO | MAIL_FROM"},
		{"mail server", "smtp-url=http://hunter2.example | mail-to=a@b.co | mail-from=a@b.co", "SMTP_URL"},
		{"secret twice", files + " | smtp-url-file=x", "SMTP_URL_FILE: is set together with FRONTDESK_SMTP_URL"},
		{"secret file missing", "smtp-url-file=does-not-exist", "SMTP_URL_FILE"},
		{"secret file empty", "smtp-url-file=" + fileWith(t, "\n"), "SMTP_URL_FILE: is empty"},
		{"model address and key", "model-url=localhost:11434 | model-name=m | model-key=hunter2\r\nX: 1", "MODEL_URL | MODEL_KEY"},
		{"model address with a key", "model-url=https://hunter2@api.example.com/v1 | model-name=m", "MODEL_URL"},
		{"model address with a query", "model-url=https://api.example.com/v1?key=hunter2 | model-name=m", "MODEL_URL"},
		{"model without a name", "model-url=http://localhost:11434/v1", "MODEL_NAME"},
		{"values of another form", "app-url=app | origins=https://desk.example/x | trusted-proxies=10.0.0.0/33 | " +
			"shared-clients=anthropic,mistral | limit-exempt=openai | retention=1y | model-timeout=5 | model-daily-cap=-1 | " +
			"model-daily-cap-per-client=x | daily-sends=-1 | daily-rows=1e5 | max-connections-per-client=x | " +
			"redis-url=cache:6379 | mail-retry=yes | encoder=maybe | keep-questions=ON | keep-answered=no | " +
			"trial-mail=yes | answer-precision=95% | log-level=loud | log-format=xml",
			`APP_URL | ORIGINS | REDIS_URL | MAIL_RETRY: "yes" is not on, off | MODEL_TIMEOUT | MODEL_DAILY_CAP | ` +
				"MODEL_DAILY_CAP_PER_CLIENT | ENCODER | ANSWER_PRECISION | KEEP_QUESTIONS | KEEP_ANSWERED | DAILY_SENDS | " +
				"DAILY_ROWS | TRIAL_MAIL | RETENTION | TRUSTED_PROXIES | SHARED_CLIENTS | LIMIT_EXEMPT | " +
				`MAX_CONNECTIONS_PER_CLIENT | LOG_LEVEL: "loud" is not one of debug, info, warn, error | LOG_FORMAT`},
		{"values out of bounds", "retention=0d | model-timeout=16s | daily-sends=0 | max-connections=0 | " +
			"drain-delay=6m | answer-precision=1 | log-level=-1 | shared-clients=off,openai",
			`MODEL_TIMEOUT: "16s" is out of bounds: the maximum is 15s | ANSWER_PRECISION | DAILY_SENDS | ` +
				`RETENTION: "0d" is out of bounds: the minimum is 1s | SHARED_CLIENTS | MAX_CONNECTIONS | ` +
				"DRAIN_DELAY | LOG_LEVEL"},
		{"too many days", "retention=213504d", `RETENTION: "213504d" is out of bounds`},
		{"precision that is no number", "answer-precision=NaN", "ANSWER_PRECISION"},
		{"owner's pages, no token for a host", "owner-url=desk.example/owner/ | admin-addr=desk.internal:9090", "ADMIN_TOKEN | OWNER_URL"},
		{"another path, no token for a network", "owner-url=https://desk.example/desk/ | admin-addr=10.0.0.1:9090",
			"ADMIN_TOKEN | OWNER_URL"},
		{"no token for all interfaces", "admin-addr=:9090", "ADMIN_TOKEN"},
		{"short token", "admin-token=hunter2", "ADMIN_TOKEN"},
		{"token with a space", "admin-token=hunter2 and four more", "ADMIN_TOKEN"},
		{"token twice", token + " | admin-token-file=x", "ADMIN_TOKEN_FILE"},
		{"database without a key", database, "SIGNING_KEY: is required with a PostgreSQL database"},
		{"another database", "database-url=mysql://desk:hunter2@db.example | signing-key=" + key, "DATABASE_URL: is not an address such as postgres://"},
		{"database and key", "database-url=hunter2", "DATABASE_URL | SIGNING_KEY"},
		{"database and file", database + " | database-url-file=x | signing-key=" + key, "DATABASE_URL_FILE: is set together with FRONTDESK_DATABASE_URL"},
		{"wrong file", "database-url-file=" + fileWith(t, "hunter2") + " | signing-key=" + key, "DATABASE_URL_FILE: is not an address"},
		{"no such key", "signing-key=hunter2/key.pem", "SIGNING_KEY: is neither PEM nor a file that can be read: no such file"},
		{"a key without its frame", "signing-key=c2VjcmV0", "SIGNING_KEY: is neither PEM nor a file"},
		{"broken PEM", "signing-key=" + framed, "SIGNING_KEY: is not one Ed25519 private key"},
		{"broken next file", "signing-key-next-file=" + fileWith(t, "hunter2"), "SIGNING_KEY_NEXT_FILE: is not one Ed25519 private key"},
		{"twice the same key", "signing-key=" + key + " | signing-key-next=" + key, "SIGNING_KEY_NEXT: is the same key"},
		{"webhook with a password", "notify-webhook=https://u:hunter2@hook.example | notify-webhook-secret=" + secretOK, "NOTIFY_WEBHOOK:"},
		{"each lacks a part", hook + " | notify-ntfy=https://ntfy.sh/ | backup=daily: | proofs=mcp-registry=",
			`NOTIFY_WEBHOOK_SECRET | NOTIFY_NTFY: | PROOFS: "mcp-registry=" is neither mcp-registry=TEXT | BACKUP:`},
		{"each is of another form", hook + " | notify-webhook-secret=whsec_aHVudGVyMg== | notify-ntfy=ntfy.sh/hunter2 | " +
			"notify-chat=hunter2 | backup=weekly | proofs=v=MCPv1",
			`NOTIFY_WEBHOOK_SECRET | NOTIFY_NTFY: | NOTIFY_CHAT: | PROOFS: | BACKUP: "weekly" is not one of off, daily, daily:DIR`},
		{"each holds what it must not", hook + " | notify-webhook-secret-file=" + fileWith(t, "hunter2") +
			" | notify-ntfy=https://hunter2%0AX@ntfy.sh/t | proofs=openai-apps=a,openai-apps=b",
			"NOTIFY_WEBHOOK_SECRET_FILE | NOTIFY_NTFY: | PROOFS: holds two texts of openai-apps"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			settings := given(t, strings.Split(tt.flags, " | ")...)
			_, err := settings.Service(8080)
			if err == nil {
				t.Fatal("the settings are accepted")
			}
			lines, wants := strings.Split(err.Error(), "\n"), strings.Split(tt.want, " | ")
			for i, want := range wants {
				if len(lines) != len(wants) || !strings.HasPrefix(lines[i], Prefix+want) {
					t.Fatalf("faults:\n%v\nwant %q", err, tt.want)
				}
				if name, _, _ := strings.Cut(want, ":"); strings.HasPrefix(lines[i], Prefix+name+"_") {
					t.Errorf("%q names another setting than %s", lines[i], name)
				}
			}
			expect.Lacks(t, "the error", err.Error(), "hunter2", "c2Vj")
		})
	}
}

func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	var flags []string
	for _, name := range []string{"smtp-url", "redis-url", "database-url", "model-key", "admin-token", "signing-key", "signing-key-next",
		"notify-webhook", "notify-webhook-secret", "notify-ntfy", "notify-chat"} {
		flags = append(flags, name+"=hunter2")
	}
	flags = append(flags, "model-url=https://api.example.com/v1?key=hunter2", "base-url=https://a:hunter2@desk.example") // both are refused
	hidden := map[string]bool{}
	for _, setting := range given(t, flags...).Describe() {
		hidden[setting.Name] = setting.Value == "(set)"
		expect.Lacks(t, setting.Name+" is shown as", setting.Value, "hunter2")
	}
	for _, flag := range flags {
		name, _, _ := strings.Cut(flag, "=")
		if !hidden[Prefix+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] {
			t.Errorf("%s is not shown as set", name)
		}
	}
}

// Kubernetes sets such variables for a Service named frontdesk.
func TestServiceLinks(t *testing.T) {
	t.Parallel()
	links := []string{"FRONTDESK_SERVICE_HOST=10.0.0.1", "FRONTDESK_SERVICE_PORT=80", "FRONTDESK_SERVICE_PORT_HTTP=80", "FRONTDESK_PORT=tcp://10.0.0.1:80",
		"FRONTDESK_PORT_80_TCP=tcp://10.0.0.1:80", "FRONTDESK_PORT_80_TCP_PROTO=tcp", "FRONTDESK_PORT_80_TCP_PORT=80", "FRONTDESK_PORT_80_TCP_ADDR=10.0.0.1"}
	expect.Same(t, "misspelt in Kubernetes", nil, Warnings(append(links, "KUBERNETES_SERVICE_HOST=10.0.0.2")))
	expect.Same(t, "elsewhere only", len(links), len(Warnings(links)))
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	got := Warnings([]string{"HOME=/root", "FRONTDESK_URL=x", "FRONTDESK_ADDR=:1", "FRONTDESK_SMPT_URL=x", "FRONTDESK_DATA=x", "FRONTDESK_COLOUR=x"})
	expect.Same(t, "unknown", []string{"FRONTDESK_SMPT_URL is not a setting: did you mean FRONTDESK_SMTP_URL?", "FRONTDESK_COLOUR is not a setting"}, got)
}
