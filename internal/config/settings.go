// Package config holds the settings of the service in one struct. The flags of serve,
// the environment variables, the help text and the dump in the log are made from it,
// and its checks turn it into typed values.
package config

// Prefix begins the name of every environment variable.
const Prefix = "FRONTDESK_"

// Settings are the settings of serve as they were given. An empty value means the
// default, also when the variable is set to an empty text.
type Settings struct {
	Addr    string   `env:"FRONTDESK_ADDR" default:":8080" placeholder:"HOST:PORT" help:"Address to listen on."`
	BaseURL string   `env:"FRONTDESK_BASE_URL" placeholder:"URL" help:"The service's base address, as published. Default: http://localhost with the port of the listen address."`
	AppURL  string   `env:"FRONTDESK_APP_URL" placeholder:"URL" help:"Address of the workspace application. Default: none; the base address is published for its MCP server."`
	Origins []string `env:"FRONTDESK_ORIGINS" placeholder:"ORIGIN" help:"Additional browser origins to accept as the service's own."`

	Content string `env:"FRONTDESK_CONTENT" placeholder:"DIR" help:"Content folder. Default: the embedded sample."`
	DataFolder

	RedisURL     string `name:"redis-url" env:"FRONTDESK_REDIS_URL" placeholder:"URL" secret:"" help:"Redis through which several instances share their limits and the model's daily cap: redis://user:password@host:port/db, or rediss:// with TLS; ?pool_size=N, and ?master_name=NAME for Sentinel. Default: none; each instance limits by itself."`
	RedisURLFile string `name:"redis-url-file" env:"FRONTDESK_REDIS_URL_FILE" placeholder:"FILE" help:"File that holds the URL of Redis, in place of --redis-url."`

	MailServer
	MailTo   string `env:"FRONTDESK_MAIL_TO" placeholder:"ADDRESS" help:"The person who reads inquiries. Required with SMTP."`
	MailFrom string `env:"FRONTDESK_MAIL_FROM" placeholder:"ADDRESS" help:"The sender address of mails. Required with SMTP."`

	MailRetry string `env:"FRONTDESK_MAIL_RETRY" default:"off" placeholder:"ON|OFF" choices:"on,off" help:"Try the mail of an inquiry that failed again without being asked, for up to five days: on or off."`

	Notifications

	ModelURL               string `env:"FRONTDESK_MODEL_URL" placeholder:"URL" help:"Language model that may choose an approved entry when the embedded selector is not sure: the address of any OpenAI-compatible endpoint, with /v1. Default: none."`
	ModelName              string `env:"FRONTDESK_MODEL_NAME" placeholder:"NAME" help:"The model's name at its endpoint. Required with a model."`
	ModelKey               string `env:"FRONTDESK_MODEL_KEY" placeholder:"KEY" secret:"" help:"Key of the model's endpoint, if it needs one."`
	ModelKeyFile           string `env:"FRONTDESK_MODEL_KEY_FILE" placeholder:"FILE" help:"File that holds the key, in place of --model-key."`
	ModelTimeout           string `env:"FRONTDESK_MODEL_TIMEOUT" default:"5s" placeholder:"TIME" help:"How long the model may take for a choice, at most 15s."`
	ModelDailyCap          string `env:"FRONTDESK_MODEL_DAILY_CAP" default:"500" placeholder:"CALLS" help:"Calls of the model a day (UTC), all callers together; 0 allows none."`
	ModelDailyCapPerClient string `env:"FRONTDESK_MODEL_DAILY_CAP_PER_CLIENT" placeholder:"CALLS" help:"Calls of the model that one client may cause in a day (UTC). Default: a tenth of the daily cap, at least 1."`

	Selection

	KeepQuestions string `env:"FRONTDESK_KEEP_QUESTIONS" default:"true" placeholder:"BOOL" choices:"true,false" help:"Keep unanswered questions, masked, for frontdesk questions: true or false."`
	KeepAnswered  string `env:"FRONTDESK_KEEP_ANSWERED" default:"false" placeholder:"BOOL" choices:"true,false" help:"Keep answered questions too, masked, with how often each was asked and found helpful: true or false."`
	AnsweredRows  string `env:"FRONTDESK_ANSWERED_ROWS" default:"20000" placeholder:"ROWS" help:"Answered questions that are kept; beyond it those that were asked least often are deleted."`
	AnsweredAge   string `env:"FRONTDESK_ANSWERED_AGE" default:"90d" placeholder:"AGE" help:"Age at which a kept answered question is deleted, such as 90d or 12h; never later than the retention."`

	DailySends string `env:"FRONTDESK_DAILY_SENDS" default:"1000" placeholder:"MAILS" help:"Inquiries that may be mailed in a day (UTC), all callers together; one IPv4 /24 or IPv6 /48 may use a tenth of them."`
	DailyRows  string `env:"FRONTDESK_DAILY_ROWS" default:"100000" placeholder:"ROWS" help:"Rows of questions, answered ones too, and feedback that may be stored in a day (UTC); inquiries and trials are stored in any case."`

	TrialMail          string   `env:"FRONTDESK_TRIAL_MAIL" default:"false" placeholder:"BOOL" choices:"true,false" help:"Mail the owner when a trial is started: true or false."`
	Retention          string   `env:"FRONTDESK_RETENTION" default:"365d" placeholder:"AGE" help:"Age at which stored inquiries, feedback, questions and draft workspaces are deleted, such as 365d or 12h."`
	SigningKey         string   `env:"FRONTDESK_SIGNING_KEY" placeholder:"PEM|FILE" secret:"" help:"Ed25519 private key (PKCS#8 PEM), or the file that holds it. Default: made once in the data folder."`
	SigningKeyFile     string   `env:"FRONTDESK_SIGNING_KEY_FILE" placeholder:"FILE" help:"File that holds the signing key, in place of --signing-key."`
	SigningKeyNext     string   `env:"FRONTDESK_SIGNING_KEY_NEXT" placeholder:"PEM|FILE" secret:"" help:"A second key, published beside the signing key while keys are changed. Default: none."`
	SigningKeyNextFile string   `env:"FRONTDESK_SIGNING_KEY_NEXT_FILE" placeholder:"FILE" help:"File that holds the second key, in place of --signing-key-next."`
	AgentDirectories   []string `env:"FRONTDESK_AGENT_DIRECTORIES" placeholder:"ORIGIN" help:"Agents, as https://host, whose key directories are fetched and whose request signatures are recorded in the log. Default: none."`

	TrustedProxies []string `env:"FRONTDESK_TRUSTED_PROXIES" placeholder:"CIDR" help:"Reverse proxies whose X-Forwarded-For is believed. Default: none; the peer's address counts."`

	MaxConnections          string `env:"FRONTDESK_MAX_CONNECTIONS" placeholder:"COUNT" help:"Connections that may be open at a time. A further one takes the place of the one that has kept the service waiting the longest, or waits. Default: what the file descriptors and a quarter of the memory allow."`
	MaxConnectionsPerClient string `env:"FRONTDESK_MAX_CONNECTIONS_PER_CLIENT" placeholder:"COUNT" help:"Connections of one client address that may be open at a time; further ones are closed. Trusted proxies are exempt. Default: a tenth of all."`
	DrainDelay              string `env:"FRONTDESK_DRAIN_DELAY" default:"0s" placeholder:"TIME" help:"How long SIGTERM keeps accepting requests while readiness already fails, so that load balancers notice."`

	AdminAddr      string `env:"FRONTDESK_ADMIN_ADDR" placeholder:"HOST:PORT" help:"Second address to listen on, for the owner and the operator: the owner's pages under /owner/, and without a password /metrics, /healthz, /readyz, /readyz/store and /debug/pprof. Default: off."`
	AdminToken     string `env:"FRONTDESK_ADMIN_TOKEN" placeholder:"TOKEN" secret:"" help:"Token that opens the owner's pages, in their sign-in form or as a bearer token; at least 16 characters. Required when other machines can reach the admin address. Default: none; frontdesk admin-link prints a sign-in link."`
	AdminTokenFile string `env:"FRONTDESK_ADMIN_TOKEN_FILE" placeholder:"FILE" help:"File that holds the token, in place of --admin-token."`
	OwnerURL       string `env:"FRONTDESK_OWNER_URL" placeholder:"URL" help:"Public address of the owner's pages, for the links in notifications, such as https://desk.example.org/owner/. Default: http://HOST:PORT/owner/ of the admin address."`

	LogLevel  string `env:"FRONTDESK_LOG_LEVEL" default:"info" placeholder:"LEVEL" choices:"debug,info,warn,error" help:"How much is logged: debug, info, warn or error."`
	LogFormat string `env:"FRONTDESK_LOG_FORMAT" placeholder:"FORMAT" choices:"console,json" help:"How the log looks: console or json. Default: console on a terminal, else json."`
}

// DataFolder is where the service keeps its records and keys. serve and the owner's
// commands read it.
type DataFolder struct {
	Data            string `env:"FRONTDESK_DATA" default:"./data" placeholder:"DIR" help:"Folder for the database, the signing key and mail kept as files."`
	DatabaseURL     string `env:"FRONTDESK_DATABASE_URL" placeholder:"URL" secret:"" help:"PostgreSQL database that several instances share: postgres://user:password@host:5432/database. Default: SQLite in the data folder."`
	DatabaseURLFile string `env:"FRONTDESK_DATABASE_URL_FILE" placeholder:"FILE" help:"File that holds the database's URL, in place of --database-url."`
}

// Dir returns the folder, the default one when the setting is empty.
func (d DataFolder) Dir() string {
	if d.Data == "" {
		return "./data"
	}
	return d.Data
}
