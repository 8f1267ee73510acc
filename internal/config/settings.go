// Package config holds the settings of the service in one struct. The flags of serve,
// the environment variables, the help text and the dump in the log are made from it,
// and its checks turn it into typed values.
package config

import (
	_ "embed" // the texts
	"strings"
)

// Prefix begins the name of every environment variable.
const Prefix = "FRONTDESK_"

// helpText holds the help of each setting: its variable, and below it the text in indented lines.
//
//go:embed help.txt
var helpText string

// ParseHelp returns the texts of a help file by their names.
func ParseHelp(file string) map[string]string {
	texts, name := map[string]string{}, ""
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(line, "\t") {
			name = strings.TrimSpace(line)
			continue
		}
		texts[name] = strings.TrimSpace(texts[name] + " " + strings.TrimSpace(line))
	}
	return texts
}

// Settings are the settings of serve as they were given. An empty value means the
// default, also when the variable is set to an empty text.
type Settings struct {
	Addr string `env:"FRONTDESK_ADDR" group:"first" placeholder:"HOST:PORT"`
	Addresses
	HTTPS
	Origins []string `env:"FRONTDESK_ORIGINS" placeholder:"ORIGIN"`

	Content string `env:"FRONTDESK_CONTENT" group:"first" placeholder:"DIR"`
	DataFolder

	RedisURL     string `env:"FRONTDESK_REDIS_URL" placeholder:"URL" secret:""`
	RedisURLFile string `env:"FRONTDESK_REDIS_URL_FILE" placeholder:"FILE"`

	MailServer

	MailRetry Switch `env:"FRONTDESK_MAIL_RETRY" group:"owner" default:"on" placeholder:"ON|OFF" choices:"on,off"`

	Notifications

	ModelURL     string `env:"FRONTDESK_MODEL_URL" placeholder:"URL"`
	ModelName    string `env:"FRONTDESK_MODEL_NAME" placeholder:"NAME"`
	ModelKey     string `env:"FRONTDESK_MODEL_KEY" placeholder:"KEY" secret:""`
	ModelKeyFile string `env:"FRONTDESK_MODEL_KEY_FILE" placeholder:"FILE"`

	ModelTimeout Time `env:"FRONTDESK_MODEL_TIMEOUT" group:"tuning" default:"5s" placeholder:"TIME" min:"1ms" max:"15s"`

	ModelDailyCap          Count `env:"FRONTDESK_MODEL_DAILY_CAP" group:"tuning" default:"500" placeholder:"CALLS"`
	ModelDailyCapPerClient Count `env:"FRONTDESK_MODEL_DAILY_CAP_PER_CLIENT" group:"tuning" placeholder:"CALLS"`

	Selection

	KeepQuestions Switch `env:"FRONTDESK_KEEP_QUESTIONS" group:"owner" default:"true" placeholder:"BOOL" choices:"true,false"`

	KeepAnswered Switch `env:"FRONTDESK_KEEP_ANSWERED" group:"owner" placeholder:"BOOL" choices:"true,false"`

	DailySends Count `env:"FRONTDESK_DAILY_SENDS" group:"tuning" default:"1000" placeholder:"MAILS" min:"1"`
	DailyRows  Count `env:"FRONTDESK_DAILY_ROWS" group:"tuning" default:"100000" placeholder:"ROWS"`

	TrialMail Switch `env:"FRONTDESK_TRIAL_MAIL" group:"owner" default:"false" placeholder:"BOOL" choices:"true,false"`

	Retention          Time   `env:"FRONTDESK_RETENTION" group:"owner" default:"365d" placeholder:"AGE" min:"1s"`
	SigningKey         string `env:"FRONTDESK_SIGNING_KEY" placeholder:"PEM|FILE" secret:""`
	SigningKeyFile     string `env:"FRONTDESK_SIGNING_KEY_FILE" placeholder:"FILE"`
	SigningKeyNext     string `env:"FRONTDESK_SIGNING_KEY_NEXT" placeholder:"PEM|FILE" secret:""`
	SigningKeyNextFile string `env:"FRONTDESK_SIGNING_KEY_NEXT_FILE" placeholder:"FILE"`

	Proofs []string `env:"FRONTDESK_PROOFS" group:"owner" placeholder:"DIRECTORY=TEXT"`

	TrustedProxies []string `env:"FRONTDESK_TRUSTED_PROXIES" placeholder:"CIDR"`
	SharedClients  []string `env:"FRONTDESK_SHARED_CLIENTS" placeholder:"POOL"`
	LimitExempt    []string `env:"FRONTDESK_LIMIT_EXEMPT" placeholder:"CIDR"`

	MCPToolErrors string `env:"FRONTDESK_MCP_TOOL_ERRORS" default:"contract" placeholder:"FORM" choices:"contract,results"`
	MCPVersions   string `env:"FRONTDESK_MCP_VERSIONS" default:"contract" placeholder:"FORM" choices:"contract,tolerant"`

	MaxConnections          Count `env:"FRONTDESK_MAX_CONNECTIONS" group:"tuning" placeholder:"COUNT" min:"1"`
	MaxConnectionsPerClient Count `env:"FRONTDESK_MAX_CONNECTIONS_PER_CLIENT" group:"tuning" placeholder:"COUNT" min:"1"`
	DrainDelay              Time  `env:"FRONTDESK_DRAIN_DELAY" default:"0s" placeholder:"TIME" min:"0s" max:"5m"`

	Ready string `env:"FRONTDESK_READY" default:"serving" placeholder:"WHEN" choices:"serving,meaning"`

	AdminAddr      string         `env:"FRONTDESK_ADMIN_ADDR" group:"first" placeholder:"HOST:PORT"`
	AdminToken     string         `env:"FRONTDESK_ADMIN_TOKEN" group:"owner" placeholder:"TOKEN" secret:""`
	AdminTokenFile string         `env:"FRONTDESK_ADMIN_TOKEN_FILE" group:"owner" placeholder:"FILE"`
	OwnerURL       Value[address] `env:"FRONTDESK_OWNER_URL" group:"owner" placeholder:"URL"`

	LogLevel  string `env:"FRONTDESK_LOG_LEVEL" default:"info" placeholder:"LEVEL" choices:"debug,info,warn,error"`
	LogFormat string `env:"FRONTDESK_LOG_FORMAT" placeholder:"FORMAT" choices:"console,json"`

	Backups
}

// AboutMCPVersions advises operators of a public service that has the default.
const AboutMCPVersions = "set FRONTDESK_MCP_VERSIONS=tolerant if a hosted assistant cannot connect: some send a " +
	"later protocol version than the one agreed on"

// AboutMCPToolErrors advises operators of a public service that has the default.
const AboutMCPToolErrors = "set FRONTDESK_MCP_TOOL_ERRORS=results if agent frameworks use the service: many hide other " +
	"errors from their models, or hang at a reached limit"

// Addresses are where the service is published. serve and the command that lists it in the
// MCP registry read them.
type Addresses struct {
	BaseURL Value[origin]  `env:"FRONTDESK_BASE_URL" group:"first" placeholder:"URL"`
	AppURL  Value[address] `env:"FRONTDESK_APP_URL" group:"owner" placeholder:"URL"`
	Domain  []string       `env:"FRONTDESK_DOMAIN" group:"first" placeholder:"NAME"`
}

// HTTPS are the other settings of a service that answers HTTPS by itself.
type HTTPS struct {
	HTTPAddr    string `env:"FRONTDESK_HTTP_ADDR" placeholder:"HOST:PORT"`
	OwnerDomain string `env:"FRONTDESK_OWNER_DOMAIN" group:"owner" placeholder:"NAME"`

	ACMECA string `name:"acme-ca" env:"FRONTDESK_ACME_CA" default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"URL"`

	ACMEEmail string `env:"FRONTDESK_ACME_EMAIL" placeholder:"ADDRESS"`
	TLSCert   string `env:"FRONTDESK_TLS_CERT" placeholder:"FILE"`
	TLSKey    string `env:"FRONTDESK_TLS_KEY" placeholder:"FILE"`
}

// Notifications are where the owner is notified beside the mail.
type Notifications struct {
	NotifyWebhook           string `env:"FRONTDESK_NOTIFY_WEBHOOK" group:"owner" placeholder:"URL" secret:""`
	NotifyWebhookFile       string `env:"FRONTDESK_NOTIFY_WEBHOOK_FILE" group:"owner" placeholder:"FILE"`
	NotifyWebhookSecret     string `env:"FRONTDESK_NOTIFY_WEBHOOK_SECRET" group:"owner" placeholder:"SECRET" secret:""`
	NotifyWebhookSecretFile string `env:"FRONTDESK_NOTIFY_WEBHOOK_SECRET_FILE" group:"owner" placeholder:"FILE"`

	NotifyNtfy     string `env:"FRONTDESK_NOTIFY_NTFY" group:"owner" placeholder:"URL" secret:""`
	NotifyNtfyFile string `env:"FRONTDESK_NOTIFY_NTFY_FILE" group:"owner" placeholder:"FILE"`
	NotifyChat     string `env:"FRONTDESK_NOTIFY_CHAT" group:"owner" placeholder:"URL" secret:""`
	NotifyChatFile string `env:"FRONTDESK_NOTIFY_CHAT_FILE" group:"owner" placeholder:"FILE"`
}
