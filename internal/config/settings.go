// Package config holds the settings of the service in one struct. The flags of serve,
// the environment variables, the help text and the dump in the log are made from it,
// and its checks turn it into typed values.
package config

// Prefix begins the name of every environment variable.
const Prefix = "FRONTDESK_"

// Settings are the settings of serve as they were given. An empty value means the
// default, also when the variable is set to an empty text.
type Settings struct {
	Addr string `env:"FRONTDESK_ADDR" group:"first" placeholder:"HOST:PORT" help:"Address to listen on. Default: :8080, or :443 with a domain."`
	Addresses
	HTTPS
	Origins []string `env:"FRONTDESK_ORIGINS" placeholder:"ORIGIN" help:"Additional browser origins to accept as the service's own."`

	Content string `env:"FRONTDESK_CONTENT" group:"first" placeholder:"DIR" help:"Content folder. Default: the embedded sample."`
	DataFolder

	RedisURL     string `name:"redis-url" env:"FRONTDESK_REDIS_URL" placeholder:"URL" secret:"" help:"Redis through which several instances share their limits and the model's daily cap: redis://user:password@host:port/db, or rediss:// with TLS; ?pool_size=N, and ?master_name=NAME for Sentinel. Default: none; each instance limits by itself."`
	RedisURLFile string `name:"redis-url-file" env:"FRONTDESK_REDIS_URL_FILE" placeholder:"FILE" help:"File that holds the URL of Redis, in place of --redis-url."`

	MailServer
	MailTo   string `env:"FRONTDESK_MAIL_TO" group:"first" placeholder:"ADDRESS" help:"Who reads inquiries: one address, or several with commas between them, which all get each mail. Required with SMTP."`
	MailFrom string `env:"FRONTDESK_MAIL_FROM" group:"first" placeholder:"ADDRESS" help:"The sender address of mails. Required with SMTP."`

	MailRetry Switch `env:"FRONTDESK_MAIL_RETRY" group:"owner" default:"on" placeholder:"ON|OFF" choices:"on,off" help:"Try the mail of an inquiry that failed again without being asked, for up to five days: on or off."`

	Notifications

	ModelURL               string `env:"FRONTDESK_MODEL_URL" placeholder:"URL" help:"Language model that may choose an approved entry when the embedded selector is not sure: the address of any OpenAI-compatible endpoint, with /v1. Default: none."`
	ModelName              string `env:"FRONTDESK_MODEL_NAME" placeholder:"NAME" help:"The model's name at its endpoint. Required with a model."`
	ModelKey               string `env:"FRONTDESK_MODEL_KEY" placeholder:"KEY" secret:"" help:"Key of the model's endpoint, if it needs one."`
	ModelKeyFile           string `env:"FRONTDESK_MODEL_KEY_FILE" placeholder:"FILE" help:"File that holds the key, in place of --model-key."`
	ModelTimeout           Time   `env:"FRONTDESK_MODEL_TIMEOUT" group:"tuning" default:"5s" placeholder:"TIME" help:"How long the model may take for a choice, at most 15s; a slower one counts as failed, and the caller gets the fallback. Raise it for a model on a machine without a graphics card." min:"1ms" max:"15s"`
	ModelDailyCap          Count  `env:"FRONTDESK_MODEL_DAILY_CAP" group:"tuning" default:"500" placeholder:"CALLS" help:"Calls of the model a day (UTC), all callers together; 0 allows none. It bounds the bill: further questions get the fallback until midnight."`
	ModelDailyCapPerClient Count  `env:"FRONTDESK_MODEL_DAILY_CAP_PER_CLIENT" group:"tuning" placeholder:"CALLS" help:"Calls of the model that one client may cause in a day (UTC), so that one cannot use up those of all. Default: a tenth of the daily cap, at least 1."`

	Selection

	KeepQuestions Switch `env:"FRONTDESK_KEEP_QUESTIONS" group:"owner" default:"true" placeholder:"BOOL" choices:"true,false" help:"Keep unanswered questions, masked, for frontdesk questions: true or false."`
	KeepAnswered  Switch `env:"FRONTDESK_KEEP_ANSWERED" group:"owner" placeholder:"BOOL" choices:"true,false" help:"Keep answered questions too, masked, with how often each was asked and found helpful: true or false. Default: true where an admin address or an owner domain is set, else false."`

	DailySends Count `env:"FRONTDESK_DAILY_SENDS" group:"tuning" default:"1000" placeholder:"MAILS" help:"Inquiries that may be mailed in a day (UTC), all callers together; one IPv4 /24, IPv6 /48 or pool of shared clients may use a tenth of them. Lower it to the number of mails that you could still read on a bad day." min:"1"`
	DailyRows  Count `env:"FRONTDESK_DAILY_ROWS" group:"tuning" default:"100000" placeholder:"ROWS" help:"Rows of questions, answered ones too, and feedback that may be stored in a day (UTC); inquiries and trials are stored in any case. Lower it for a small disk: a row takes about 1 KB."`

	TrialMail          Switch `env:"FRONTDESK_TRIAL_MAIL" group:"owner" default:"false" placeholder:"BOOL" choices:"true,false" help:"Mail the owner when a trial is started: true or false."`
	Retention          Time   `env:"FRONTDESK_RETENTION" group:"owner" default:"365d" placeholder:"AGE" help:"Age at which stored inquiries, feedback, questions and draft workspaces are deleted, such as 365d or 12h." min:"1s"`
	SigningKey         string `env:"FRONTDESK_SIGNING_KEY" placeholder:"PEM|FILE" secret:"" help:"Ed25519 private key (PKCS#8 PEM), or the file that holds it. Default: made once in the data folder."`
	SigningKeyFile     string `env:"FRONTDESK_SIGNING_KEY_FILE" placeholder:"FILE" help:"File that holds the signing key, in place of --signing-key."`
	SigningKeyNext     string `env:"FRONTDESK_SIGNING_KEY_NEXT" placeholder:"PEM|FILE" secret:"" help:"A second key, published beside the signing key while keys are changed. Default: none."`
	SigningKeyNextFile string `env:"FRONTDESK_SIGNING_KEY_NEXT_FILE" placeholder:"FILE" help:"File that holds the second key, in place of --signing-key-next."`

	MCPRegistryAuth     string `name:"mcp-registry-auth" env:"FRONTDESK_MCP_REGISTRY_AUTH" group:"owner" placeholder:"TEXT" help:"Text of /.well-known/mcp-registry-auth, which proves to the MCP registry that the domain is yours: v=MCPv1; k=ed25519; p=KEY. Default: none; the path is 404."`
	OpenAIAppsChallenge string `name:"openai-apps-challenge" env:"FRONTDESK_OPENAI_APPS_CHALLENGE" group:"owner" placeholder:"TOKEN" help:"Text of /.well-known/openai-apps-challenge, which ChatGPT's directory gives you. Default: none; the path is 404."`

	TrustedProxies []string `env:"FRONTDESK_TRUSTED_PROXIES" placeholder:"CIDR" help:"Reverse proxies whose X-Forwarded-For is believed. Default: none; the peer's address counts."`
	SharedClients  []string `env:"FRONTDESK_SHARED_CLIENTS" placeholder:"POOL" help:"Hosted assistants and networks from which many people come; each gets a larger limit for all of them together. anthropic and openai stand for the ranges that they publish, NAME=RANGE for other ranges of theirs; an address range is a network; off is for none. Default: anthropic,openai."`
	LimitExempt    []string `env:"FRONTDESK_LIMIT_EXEMPT" placeholder:"CIDR" help:"Addresses without a limit, such as those of your monitor or of a partner's server; the daily caps hold for them too. Default: none."`

	MCPToolErrors string `name:"mcp-tool-errors" env:"FRONTDESK_MCP_TOOL_ERRORS" default:"contract" placeholder:"FORM" choices:"contract,results" help:"How MCP tools answer invalid arguments, an unknown service and a reached limit: contract (JSON-RPC errors and HTTP 429) or results (results with isError, which agent frameworks show to their models)."`

	MaxConnections          Count `env:"FRONTDESK_MAX_CONNECTIONS" group:"tuning" placeholder:"COUNT" help:"Connections that may be open at a time. A further one takes the place of the one that has kept the service waiting the longest, or waits. One takes 256 KiB at most; lower it to leave memory to other programs. Default: what the file descriptors and a quarter of the memory allow." min:"1"`
	MaxConnectionsPerClient Count `env:"FRONTDESK_MAX_CONNECTIONS_PER_CLIENT" group:"tuning" placeholder:"COUNT" help:"Connections of one client address that may be open at a time; further ones are closed. Trusted proxies are exempt. Raise it if many people share an address. Default: a tenth of all." min:"1"`
	DrainDelay              Time  `env:"FRONTDESK_DRAIN_DELAY" default:"0s" placeholder:"TIME" help:"How long SIGTERM keeps accepting requests while readiness already fails, so that load balancers notice." min:"0s" max:"5m"`

	Ready string `env:"FRONTDESK_READY" default:"serving" placeholder:"WHEN" choices:"serving,meaning" help:"When /readyz of the admin address first answers 200: serving, as soon as the service answers requests; or meaning, once the encoder has read the content and the golden questions hold, so that a rolling update waits for it."`

	AdminAddr      string         `env:"FRONTDESK_ADMIN_ADDR" group:"first" placeholder:"HOST:PORT" help:"Second address to listen on, for the owner and the operator: the owner's pages under /owner/, and without a password /metrics, /healthz, /readyz, /readyz/store and /debug/pprof. Default: only the owner's pages, on a free port of this machine that frontdesk admin-link finds."`
	AdminToken     string         `env:"FRONTDESK_ADMIN_TOKEN" group:"owner" placeholder:"TOKEN" secret:"" help:"Token that opens the owner's pages, in their sign-in form or as a bearer token; at least 16 characters. Required when other machines can reach the admin address. Default: none; frontdesk admin-link prints a sign-in link."`
	AdminTokenFile string         `env:"FRONTDESK_ADMIN_TOKEN_FILE" group:"owner" placeholder:"FILE" help:"File that holds the token, in place of --admin-token."`
	OwnerURL       Value[address] `env:"FRONTDESK_OWNER_URL" group:"owner" placeholder:"URL" help:"Public address of the owner's pages, for the links in notifications, such as https://desk.example.org/owner/. Default: http://HOST:PORT/owner/ of the admin address."`

	LogLevel  string `env:"FRONTDESK_LOG_LEVEL" default:"info" placeholder:"LEVEL" choices:"debug,info,warn,error" help:"How much is logged: debug, info, warn or error."`
	LogFormat string `env:"FRONTDESK_LOG_FORMAT" placeholder:"FORMAT" choices:"console,json" help:"How the log looks: console or json. Default: console on a terminal, else json."`

	Backup     string `env:"FRONTDESK_BACKUP" group:"first" default:"off" placeholder:"WHEN" choices:"off,daily" help:"Back up records, signing key, mails, images and content into one file: off or daily."`
	BackupTime Clock  `env:"FRONTDESK_BACKUP_TIME" default:"03:30" placeholder:"HH:MM" help:"Time of the daily backup (UTC)."`
	Backups

	Obsolete
}

// Addresses are where the service is published. serve and the command that lists it in the
// MCP registry read them.
type Addresses struct {
	BaseURL Value[origin]  `env:"FRONTDESK_BASE_URL" group:"first" placeholder:"URL" help:"The service's base address, as published. Default: https:// and the first domain, else http://localhost with the port of the listen address."`
	AppURL  Value[address] `env:"FRONTDESK_APP_URL" group:"owner" placeholder:"URL" help:"Address of the workspace application. Default: none; the base address is published for its MCP server."`
	Domain  []string       `env:"FRONTDESK_DOMAIN" group:"first" placeholder:"NAME" help:"Names under which the service answers HTTPS by itself, without a proxy; the first is its base address. It gets and renews their certificates, which needs the ports 443 and 80. One instance only. Default: none; HTTP only."`
}

// HTTPS are the other settings of a service that answers HTTPS by itself.
type HTTPS struct {
	HTTPAddr    string `name:"http-addr" env:"FRONTDESK_HTTP_ADDR" placeholder:"HOST:PORT" help:"With a domain, the address where HTTP is redirected to HTTPS and the certificate authority looks. Default: :80."`
	OwnerDomain string `env:"FRONTDESK_OWNER_DOMAIN" group:"owner" placeholder:"NAME" help:"Another name of the machine, under which the service answers only the owner's pages, over HTTPS. Requires a domain and a token. Default: none; the pages are on the admin address only."`
	ACMECA      string `name:"acme-ca" env:"FRONTDESK_ACME_CA" default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"URL" help:"ACME directory of the certificate authority."`
	ACMEEmail   string `name:"acme-email" env:"FRONTDESK_ACME_EMAIL" placeholder:"ADDRESS" help:"Address that the certificate authority may write to. Default: none."`
	TLSCert     string `name:"tls-cert" env:"FRONTDESK_TLS_CERT" placeholder:"FILE" help:"Certificate chain (PEM) for the domains, in place of ACME; it is read again when it changes. Default: none."`
	TLSKey      string `name:"tls-key" env:"FRONTDESK_TLS_KEY" placeholder:"FILE" help:"Private key (PEM) of that certificate. Default: none."`
}

// Obsolete are settings of earlier versions. They are accepted, so that no start fails
// because of them, and change nothing.
type Obsolete struct {
	AnsweredRows string `env:"FRONTDESK_ANSWERED_ROWS" hidden:"" help:"at most 20000 answered questions are kept"`
	AnsweredAge  string `env:"FRONTDESK_ANSWERED_AGE" hidden:"" help:"answered questions are kept for 90 days, or for FRONTDESK_RETENTION if that is shorter"`
}

// Notifications are where the owner is notified beside the mail.
type Notifications struct {
	NotifyWebhook           string `env:"FRONTDESK_NOTIFY_WEBHOOK" group:"owner" placeholder:"URL" secret:"" help:"Webhook that is notified of inquiries, failed mails, trials, refused content and, once a week, unanswered questions: signed JSON by Standard Webhooks. Default: none."`
	NotifyWebhookFile       string `env:"FRONTDESK_NOTIFY_WEBHOOK_FILE" group:"owner" placeholder:"FILE" help:"File that holds the URL of the webhook, in place of --notify-webhook."`
	NotifyWebhookSecret     string `env:"FRONTDESK_NOTIFY_WEBHOOK_SECRET" group:"owner" placeholder:"SECRET" secret:"" help:"Secret that the webhook is signed with: whsec_ and 24 to 64 random bytes in base64. Required with a webhook."`
	NotifyWebhookSecretFile string `env:"FRONTDESK_NOTIFY_WEBHOOK_SECRET_FILE" group:"owner" placeholder:"FILE" help:"File that holds the secret, in place of --notify-webhook-secret."`
	NotifyWebhookFields     Switch `env:"FRONTDESK_NOTIFY_WEBHOOK_FIELDS" group:"owner" default:"false" placeholder:"BOOL" choices:"true,false" help:"Send the webhook the fields of a request too (name, business, e-mail, message): true or false."`
	NotifyNtfy              string `env:"FRONTDESK_NOTIFY_NTFY" group:"owner" placeholder:"URL" secret:"" help:"Topic of ntfy that is notified of the same, for a phone, such as https://ntfy.sh/TOPIC. Default: none."`
	NotifyNtfyFile          string `env:"FRONTDESK_NOTIFY_NTFY_FILE" group:"owner" placeholder:"FILE" help:"File that holds the URL of the topic, in place of --notify-ntfy."`
	NotifyNtfyToken         string `env:"FRONTDESK_NOTIFY_NTFY_TOKEN" group:"owner" placeholder:"TOKEN" secret:"" help:"Access token of the ntfy server, where the topic asks for one."`
	NotifyNtfyTokenFile     string `env:"FRONTDESK_NOTIFY_NTFY_TOKEN_FILE" group:"owner" placeholder:"FILE" help:"File that holds the token, in place of --notify-ntfy-token."`
	NotifyChat              string `env:"FRONTDESK_NOTIFY_CHAT" group:"owner" placeholder:"URL" secret:"" help:"Incoming webhook of a chat that is notified of the same: Slack, Discord, Mattermost or another that takes their messages. Default: none."`
	NotifyChatFile          string `env:"FRONTDESK_NOTIFY_CHAT_FILE" group:"owner" placeholder:"FILE" help:"File that holds the URL of the chat, in place of --notify-chat."`
}
