package config

import (
	"frontdesk/internal/expect"
	"strings"
	"testing"
)

const (
	files    = "smtp-url=file:"
	database = "database-url=postgres://desk:hunter2@db.example/frontdesk"
	hook     = "notify-webhook=https://hook.example"
	secretOK = "whsec_aHVudGVyMi1odW50ZXIyLWh1bnRlcjItaHVudGVyMg=="
)

// Every fault is reported at once, in the order of the settings, under the name of its setting and without a secret:
// hunter2 is part of each.
func TestFaults(t *testing.T) {
	t.Parallel()
	key, _ := pemKey(t, 1)
	const framed = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----"
	for _, tt := range []struct {
		name  string
		flags []string
		want  []string // the beginning of each line of the error, without FRONTDESK_
	}{
		{"base without scheme", []string{"base-url=desk.example", files}, []string{"BASE_URL"}},
		{"base of no name", []string{"base-url=https://mü nchen.example", files}, []string{"BASE_URL"}},
		{"base of a name that cannot be", []string{"base-url=https://mü_nchen.example", files}, []string{"BASE_URL"}},
		{"base with a path", []string{"base-url=https://desk.example/desk", files}, []string{"BASE_URL"}},
		{"domain with a port", []string{files, "domain=desk.example:443"}, []string{"DOMAIN"}},
		{"domain that is an address", []string{files, "domain=192.0.2.1"}, []string{"DOMAIN"}},
		{"domain that is not the base", []string{files, "domain=desk.example", "base-url=https://shop.example"}, []string{"BASE_URL"}},
		{"domain without encryption", []string{files, "domain=desk.example", "base-url=http://desk.example"}, []string{"BASE_URL"}},
		{"without a domain", []string{"http-addr=:80", "owner-domain=o.example", "tls-cert=c", "tls-key=k", "admin-token=0123456789abcdef"},
			[]string{"HTTP_ADDR", "OWNER_DOMAIN", "TLS_CERT", "TLS_KEY"}},
		{"a certificate without its key", []string{files, "domain=desk.example", "tls-cert=c"}, []string{"TLS_CERT"}},
		{"authority", []string{files, "domain=desk.example", "acme-ca=http://ca.example", "acme-email=owner"}, []string{"ACME_CA", "ACME_EMAIL"}},
		{"owner's domain is taken", []string{files, "domain=desk.example", "owner-domain=desk.example", "admin-token=0123456789abcdef"}, []string{"OWNER_DOMAIN"}},
		{"owner's domain without a token", []string{files, "domain=desk.example", "owner-domain=o.example"}, []string{"ADMIN_TOKEN: is required with"}},
		{"app", []string{"app-url=app"}, []string{"APP_URL"}},
		{"origin with a path", []string{"origins=https://desk.example/x"}, []string{"ORIGINS"}},
		{"proxies", []string{"trusted-proxies=10.0.0.0/33"}, []string{"TRUSTED_PROXIES"}},
		{"pools", []string{"shared-clients=anthropic,mistral", "limit-exempt=openai"}, []string{"SHARED_CLIENTS", "LIMIT_EXEMPT"}},
		{"off beside a pool", []string{"shared-clients=off,openai"}, []string{"SHARED_CLIENTS"}},
		{"retention", []string{"retention=1y"}, []string{"RETENTION"}},
		{"retention of nothing", []string{"retention=0d"}, []string{`RETENTION: "0d" is out of bounds: the minimum is 1s`}},
		{"mail server without addresses", []string{"smtp-url=smtp://mail.example"}, []string{"MAIL_TO: is required", "MAIL_FROM: is required"}},
		{"mail addresses", []string{files, "mail-to=owner", "mail-from=a@b.co, c@d.co"}, []string{"MAIL_TO", "MAIL_FROM"}},
		{"mail server", []string{"smtp-url=http://hunter2.example", "mail-to=a@b.co", "mail-from=a@b.co"}, []string{"SMTP_URL"}},
		{"secret twice", []string{files, "smtp-url-file=x"}, []string{"SMTP_URL_FILE: is set together with FRONTDESK_SMTP_URL"}},
		{"secret file missing", []string{"smtp-url-file=does-not-exist"}, []string{"SMTP_URL_FILE"}},
		{"secret file empty", []string{"smtp-url-file=" + fileWith(t, "\n")}, []string{"SMTP_URL_FILE: is empty"}},
		{"model address", []string{"model-url=localhost:11434", "model-name=m"}, []string{"MODEL_URL"}},
		{"model address with a key", []string{"model-url=https://hunter2@api.example.com/v1", "model-name=m"}, []string{"MODEL_URL"}},
		{"model address with a query", []string{"model-url=https://api.example.com/v1?key=hunter2", "model-name=m"}, []string{"MODEL_URL"}},
		{"model without a name", []string{"model-url=http://localhost:11434/v1"}, []string{"MODEL_NAME"}},
		{"model key", []string{"model-key=hunter2\r\nX: 1"}, []string{"MODEL_KEY"}},
		{"model numbers", []string{"model-timeout=5", "model-daily-cap=-1"}, []string{"MODEL_TIMEOUT", "MODEL_DAILY_CAP"}},
		{"model timeout too long", []string{"model-timeout=16s"}, []string{`MODEL_TIMEOUT: "16s" is out of bounds: the maximum is 15s`}},
		{"caps of a day", []string{"model-daily-cap-per-client=x", "daily-sends=-1", "daily-rows=1e5"}, []string{"MODEL_DAILY_CAP_PER_CLIENT", "DAILY_SENDS", "DAILY_ROWS"}},
		{"no sends", []string{"daily-sends=0"}, []string{"DAILY_SENDS"}},
		{"connections", []string{"max-connections=0", "max-connections-per-client=x"}, []string{"MAX_CONNECTIONS", "MAX_CONNECTIONS_PER_CLIENT"}},
		{"drain delay", []string{"drain-delay=6m"}, []string{"DRAIN_DELAY"}},
		{"Redis", []string{"redis-url=cache:6379"}, []string{"REDIS_URL"}},
		{"switches", []string{"mail-retry=yes", "encoder=maybe", "keep-questions=ON", "keep-answered=no", "trial-mail=yes"},
			[]string{`MAIL_RETRY: "yes" is not on or off`, "ENCODER", "KEEP_QUESTIONS", "KEEP_ANSWERED", "TRIAL_MAIL"}},
		{"precision", []string{"answer-precision=95%"}, []string{"ANSWER_PRECISION"}},
		{"precision above", []string{"answer-precision=1"}, []string{"ANSWER_PRECISION"}},
		{"precision that is no number", []string{"answer-precision=NaN"}, []string{"ANSWER_PRECISION"}},
		{"log", []string{"log-level=loud", "log-format=xml"}, []string{`LOG_LEVEL: "loud" is not one of debug, info, warn, error`, "LOG_FORMAT"}},
		{"log level of zerolog", []string{"log-level=-1"}, []string{"LOG_LEVEL"}},
		{"owner's pages", []string{"owner-url=desk.example/owner/"}, []string{"OWNER_URL"}},
		{"owner's pages at another path", []string{"owner-url=https://desk.example/desk/"}, []string{"OWNER_URL"}},
		{"no token for all interfaces", []string{"admin-addr=:9090"}, []string{"ADMIN_TOKEN"}},
		{"no token for a host", []string{"admin-addr=desk.internal:9090"}, []string{"ADMIN_TOKEN"}},
		{"no token for an address of the network", []string{"admin-addr=10.0.0.1:9090"}, []string{"ADMIN_TOKEN"}},
		{"short token", []string{"admin-token=hunter2"}, []string{"ADMIN_TOKEN"}},
		{"token with a space", []string{"admin-token=hunter2 and four more"}, []string{"ADMIN_TOKEN"}},
		{"token twice", []string{"admin-token=0123456789abcdef", "admin-token-file=x"}, []string{"ADMIN_TOKEN_FILE"}},
		{"database without a key", []string{database}, []string{"SIGNING_KEY: is required with a PostgreSQL database"}},
		{"another database", []string{"database-url=mysql://desk:hunter2@db.example", "signing-key=" + key}, []string{"DATABASE_URL: is not an address such as postgres://"}},
		{"database and key", []string{"database-url=hunter2"}, []string{"DATABASE_URL", "SIGNING_KEY"}},
		{"database and file", []string{database, "database-url-file=x", "signing-key=" + key}, []string{"DATABASE_URL_FILE: is set together with FRONTDESK_DATABASE_URL"}},
		{"wrong file", []string{"database-url-file=" + fileWith(t, "hunter2"), "signing-key=" + key}, []string{"DATABASE_URL_FILE: is not an address"}},
		{"no such key", []string{"signing-key=hunter2/key.pem"}, []string{"SIGNING_KEY: is neither PEM nor a file that can be read: no such file"}},
		{"a key without its frame", []string{"signing-key=c2VjcmV0"}, []string{"SIGNING_KEY: is neither PEM nor a file"}},
		{"broken PEM", []string{"signing-key=" + framed}, []string{"SIGNING_KEY: is not one Ed25519 private key"}},
		{"broken next file", []string{"signing-key-next-file=" + fileWith(t, "hunter2")}, []string{"SIGNING_KEY_NEXT_FILE: is not one Ed25519 private key"}},
		{"twice the same key", []string{"signing-key=" + key, "signing-key-next=" + key}, []string{"SIGNING_KEY_NEXT: is the same key"}},
		{"webhook without a secret", []string{hook}, []string{"NOTIFY_WEBHOOK_SECRET"}},
		{"webhook with a short secret", []string{hook, "notify-webhook-secret=whsec_aHVudGVyMg=="}, []string{"NOTIFY_WEBHOOK_SECRET"}},
		{"webhook with a bare secret", []string{hook, "notify-webhook-secret-file=" + fileWith(t, "hunter2")}, []string{"NOTIFY_WEBHOOK_SECRET_FILE"}},
		{"webhook with a password", []string{"notify-webhook=https://u:hunter2@hook.example", "notify-webhook-secret=" + secretOK}, []string{"NOTIFY_WEBHOOK:"}},
		{"topic is missing", []string{"notify-ntfy=https://ntfy.sh/"}, []string{"NOTIFY_NTFY:"}},
		{"topic without a scheme", []string{"notify-ntfy=ntfy.sh/hunter2"}, []string{"NOTIFY_NTFY:"}},
		{"token with a line break", []string{"notify-ntfy=https://hunter2%0AX@ntfy.sh/t"}, []string{"NOTIFY_NTFY:"}},
		{"proof without a text", []string{"proofs=mcp-registry="}, []string{`PROOFS: "mcp-registry=" is neither mcp-registry=TEXT`}},
		{"proof for another directory", []string{"proofs=v=MCPv1"}, []string{"PROOFS:"}},
		{"two proofs for one directory", []string{"proofs=openai-apps=a,openai-apps=b"}, []string{"PROOFS: holds two texts of openai-apps"}},
		{"backups at another time", []string{"backup=weekly"}, []string{`BACKUP: "weekly" is not one of off, daily, daily:DIR`}},
		{"backups without a folder", []string{"backup=daily:"}, []string{"BACKUP:"}},
		{"chat", []string{"notify-chat=hunter2"}, []string{"NOTIFY_CHAT:"}},
		{"all at once", []string{"base-url=x", "trusted-proxies=y", "retention=z", files}, []string{"BASE_URL", "RETENTION", "TRUSTED_PROXIES"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			settings := given(t, tt.flags...)
			_, err := settings.Service(8080)
			if err == nil {
				t.Fatal("the settings are accepted")
			}
			lines := strings.Split(err.Error(), "\n")
			for i, want := range tt.want {
				if len(lines) != len(tt.want) || !strings.HasPrefix(lines[i], Prefix+want) {
					t.Fatalf("faults:\n%v\nwant %q", err, tt.want)
				}
				if name, _, _ := strings.Cut(want, ":"); strings.HasPrefix(lines[i], Prefix+name+"_") {
					t.Errorf("%q names another setting than %s", lines[i], name)
				}
			}
			expect.Lacks(t, "a secret is shown", err.Error(), "hunter2", "c2Vj")
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

// Variables which Kubernetes sets for a Service named frontdesk do not count as misspelt settings, but only in
// Kubernetes.
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
