package config

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	service, err := Settings{}.Service(8080)
	if err != nil {
		t.Fatal(err)
	}
	if service.BaseURL != "http://localhost:8080" || service.Origin != "http://localhost:8080" || service.AppURL != "" {
		t.Errorf("addresses = %+v", service)
	}
	if diff := cmp.Diff([]string{"http://127.0.0.1:8080", "http://[::1]:8080"}, service.Origins); diff != "" {
		t.Errorf("origins (-want +got):\n%s", diff)
	}
	if !service.MailUnset || service.Mail == nil || service.Retention != 365*24*time.Hour {
		t.Errorf("service = %+v, want mail kept as files and a year of retention", service)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		settings Settings
		base     string
		origins  []string
	}{
		{"upper case, default port, slash", Settings{BaseURL: "HTTPS://Desk.Example:443/", MailServer: MailServer{SMTPURL: "file:"}}, "https://desk.example", nil},
		{"other port", Settings{BaseURL: "https://desk.example:8443", MailServer: MailServer{SMTPURL: "file:"}}, "https://desk.example:8443", nil},
		{"the default, written", Settings{BaseURL: "http://localhost:8080"}, "http://localhost:8080", []string{"http://127.0.0.1:8080", "http://[::1]:8080"}},
		{"another local one", Settings{BaseURL: "http://127.0.0.1:8080"}, "http://127.0.0.1:8080", nil},
		{"further origins", Settings{BaseURL: "https://desk.example", MailServer: MailServer{SMTPURL: "file:"}, Origins: []string{" https://Shop.example ", "", "http://a.example:80"}},
			"https://desk.example", []string{"https://shop.example", "http://a.example"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service, err := tt.settings.Service(8080)
			if err != nil {
				t.Fatal(err)
			}
			if service.BaseURL != tt.base {
				t.Errorf("base = %q, want %q", service.BaseURL, tt.base)
			}
			if diff := cmp.Diff(tt.origins, service.Origins); diff != "" {
				t.Errorf("origins (-want +got):\n%s", diff)
			}
		})
	}
}

const public = "https://desk.example"

// wrong lists settings that are refused.
var wrong = []struct {
	name     string
	settings Settings
	want     []string // settings named, one a line of the error
}{
	{"base without scheme", Settings{BaseURL: "desk.example", MailServer: MailServer{SMTPURL: "file:"}}, []string{"FRONTDESK_BASE_URL"}},
	{"base with a path", Settings{BaseURL: public + "/desk", MailServer: MailServer{SMTPURL: "file:"}}, []string{"FRONTDESK_BASE_URL"}},
	{"base with a user", Settings{BaseURL: "https://a:b@desk.example", MailServer: MailServer{SMTPURL: "file:"}}, []string{"FRONTDESK_BASE_URL"}},
	{"base with another scheme", Settings{BaseURL: "ftp://desk.example", MailServer: MailServer{SMTPURL: "file:"}}, []string{"FRONTDESK_BASE_URL"}},
	{"app", Settings{AppURL: "app"}, []string{"FRONTDESK_APP_URL"}},
	{"origin with a path", Settings{Origins: []string{public + "/x"}}, []string{"FRONTDESK_ORIGINS"}},
	{"proxies", Settings{TrustedProxies: []string{"10.0.0.0/33"}}, []string{"FRONTDESK_TRUSTED_PROXIES"}},
	{"retention", Settings{Retention: "1y"}, []string{"FRONTDESK_RETENTION"}},
	{"retention of nothing", Settings{Retention: "0d"}, []string{"FRONTDESK_RETENTION"}},
	{"public without mail", Settings{BaseURL: public}, []string{"FRONTDESK_SMTP_URL"}},
	{"mail server without addresses", Settings{MailServer: MailServer{SMTPURL: "smtp://mail.example"}}, []string{"FRONTDESK_MAIL_TO", "FRONTDESK_MAIL_FROM"}},
	{"mail addresses", Settings{MailServer: MailServer{SMTPURL: "file:"}, MailTo: "owner", MailFrom: "a@b.co, c@d.co"}, []string{"FRONTDESK_MAIL_TO", "FRONTDESK_MAIL_FROM"}},
	{"mail server", Settings{MailServer: MailServer{SMTPURL: "http://mail.example"}, MailTo: "a@b.co", MailFrom: "a@b.co"}, []string{"FRONTDESK_SMTP_URL"}},
	{"secret twice", Settings{MailServer: MailServer{SMTPURL: "file:", SMTPURLFile: "x"}}, []string{"FRONTDESK_SMTP_URL_FILE"}},
	{"secret file missing", Settings{MailServer: MailServer{SMTPURLFile: "does-not-exist"}}, []string{"FRONTDESK_SMTP_URL_FILE"}},
	{"model address", Settings{ModelURL: "localhost:11434", ModelName: "m"}, []string{"FRONTDESK_MODEL_URL"}},
	{"model address with a key", Settings{ModelURL: "https://sk-1@api.example.com/v1", ModelName: "m"}, []string{"FRONTDESK_MODEL_URL"}},
	{"model without a name", Settings{ModelURL: "http://localhost:11434/v1"}, []string{"FRONTDESK_MODEL_NAME"}},
	{"model key", Settings{ModelKey: "sk\r\nX: 1"}, []string{"FRONTDESK_MODEL_KEY"}},
	{"model key twice", Settings{ModelKey: "sk-1", ModelKeyFile: "x"}, []string{"FRONTDESK_MODEL_KEY_FILE"}},
	{"model key file missing", Settings{ModelKeyFile: "does-not-exist"}, []string{"FRONTDESK_MODEL_KEY_FILE"}},
	{"model numbers", Settings{ModelTimeout: "5", ModelDailyCap: "-1"}, []string{"FRONTDESK_MODEL_DAILY_CAP", "FRONTDESK_MODEL_TIMEOUT"}},
	{"caps of a day", Settings{ModelDailyCapPerClient: "x", DailySends: "-1", DailyRows: "1e5"},
		[]string{"FRONTDESK_DAILY_SENDS", "FRONTDESK_DAILY_ROWS", "FRONTDESK_MODEL_DAILY_CAP_PER_CLIENT"}},
	{"model timeouts", Settings{ModelTimeout: "16s"}, []string{"FRONTDESK_MODEL_TIMEOUT"}},
	{"model timeout of nothing", Settings{ModelTimeout: "0s"}, []string{"FRONTDESK_MODEL_TIMEOUT"}},
	{"Redis", Settings{RedisURL: "cache:6379"}, []string{"FRONTDESK_REDIS_URL"}},
	{"Redis twice", Settings{RedisURL: "redis://cache", RedisURLFile: "x"}, []string{"FRONTDESK_REDIS_URL_FILE"}},
	{"Redis file missing", Settings{RedisURLFile: "does-not-exist"}, []string{"FRONTDESK_REDIS_URL_FILE"}},
	{"mail retry", Settings{MailRetry: "yes"}, []string{"FRONTDESK_MAIL_RETRY"}},
	{"switch", Settings{KeepQuestions: "yes"}, []string{"FRONTDESK_KEEP_QUESTIONS"}},
	{"owner's pages", Settings{OwnerURL: "desk.example/owner/"}, []string{"FRONTDESK_OWNER_URL"}},
	{"owner's pages at another path", Settings{OwnerURL: "https://desk.example/desk/"}, []string{"FRONTDESK_OWNER_URL"}},
	{"no token for all interfaces", Settings{AdminAddr: ":9090"}, []string{"FRONTDESK_ADMIN_TOKEN"}},
	{"no token for a host", Settings{AdminAddr: "desk.internal:9090"}, []string{"FRONTDESK_ADMIN_TOKEN"}},
	{"no token for an address of the network", Settings{AdminAddr: "10.0.0.1:9090"}, []string{"FRONTDESK_ADMIN_TOKEN"}},
	{"short token", Settings{AdminToken: "secret"}, []string{"FRONTDESK_ADMIN_TOKEN"}},
	{"token with a space", Settings{AdminToken: "twelve and four more"}, []string{"FRONTDESK_ADMIN_TOKEN"}},
	{"token twice", Settings{AdminToken: "0123456789abcdef", AdminTokenFile: "x"}, []string{"FRONTDESK_ADMIN_TOKEN_FILE"}},
	{"all at once", Settings{BaseURL: "x", TrustedProxies: []string{"y"}, Retention: "z", MailServer: MailServer{SMTPURL: "file:"}},
		[]string{"FRONTDESK_BASE_URL", "FRONTDESK_TRUSTED_PROXIES", "FRONTDESK_RETENTION"}},
}

func TestFaultsNameTheSetting(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, setting := range (Settings{}).Describe() {
		known[setting.Name] = true
	}
	for _, tt := range wrong {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tt.settings.Service(8080)
			if err == nil {
				t.Fatal("the settings are accepted")
			}
			var named []string
			for line := range strings.SplitSeq(err.Error(), "\n") {
				name, _, _ := strings.Cut(line, ":")
				named = append(named, name)
				if !known[name] {
					t.Errorf("%q is no setting", name)
				}
			}
			if diff := cmp.Diff(tt.want, named); diff != "" {
				t.Errorf("settings named (-want +got):\n%s\n%v", diff, err)
			}
		})
	}
}

// checkHidden checks that a secret setting is shown as "(set)", and its value nowhere.
func checkHidden(t *testing.T, settings Settings, name string) {
	t.Helper()
	for _, setting := range settings.Describe() {
		if strings.Contains(setting.Value, "hunter2") || (setting.Name == name && setting.Value != "(set)") {
			t.Errorf("%s is shown as %q", setting.Name, setting.Value)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "smtp-url")
	if err := os.WriteFile(file, []byte("smtp://user:hunter2@127.0.0.1:25?tls=none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	fromFile := Settings{MailServer: MailServer{SMTPURLFile: file}, MailTo: "a@b.co", MailFrom: "a@b.co"}
	service, err := fromFile.Service(8080)
	if err != nil {
		t.Fatal(err)
	}
	if text := service.Mail.String(); strings.Contains(text, "hunter2") || !strings.Contains(text, "127.0.0.1:25") {
		t.Errorf("the transport is shown as %q", text)
	}
	checkHidden(t, Settings{MailServer: MailServer{SMTPURL: "smtp://user:hunter2@mail.example"}}, "FRONTDESK_SMTP_URL")
}

func TestRedis(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "redis-url")
	if err := os.WriteFile(file, []byte("rediss://desk:hunter2@cache.example/1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	service, err := Settings{RedisURLFile: file}.Service(8080)
	if err != nil || !service.Redis.IsSet() || service.Redis.String() != "cache.example:6379" {
		t.Errorf("Redis = %v, %v", service.Redis, err)
	}
	if service, err := (Settings{}).Service(8080); err != nil || service.Redis.IsSet() {
		t.Errorf("without the setting: %v, %v", service.Redis, err)
	}
	_, err = Settings{RedisURL: "redis://desk:hunter2@cache:port"}.Service(8080)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a malformed address: %v", err)
	}
	checkHidden(t, Settings{RedisURL: "redis://desk:hunter2@cache"}, "FRONTDESK_REDIS_URL")
}

func TestProxies(t *testing.T) {
	t.Parallel()
	service, err := Settings{TrustedProxies: []string{"127.0.0.1", " 10.1.2.3/8", "", "2001:db8::1"}}.Service(8080)
	if err != nil {
		t.Fatal(err)
	}
	want := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::1/128")}
	if diff := cmp.Diff(want, service.TrustedProxies, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
		t.Errorf("proxies (-want +got):\n%s", diff)
	}
}

// TestServiceLinks checks that variables which Kubernetes sets for a Service named
// frontdesk do not count as misspelt settings, but only in Kubernetes.
func TestServiceLinks(t *testing.T) {
	t.Parallel()
	links := []string{"FRONTDESK_SERVICE_HOST=10.0.0.1", "FRONTDESK_SERVICE_PORT=80", "FRONTDESK_SERVICE_PORT_HTTP=80", "FRONTDESK_PORT=tcp://10.0.0.1:80",
		"FRONTDESK_PORT_80_TCP=tcp://10.0.0.1:80", "FRONTDESK_PORT_80_TCP_PROTO=tcp", "FRONTDESK_PORT_80_TCP_PORT=80", "FRONTDESK_PORT_80_TCP_ADDR=10.0.0.1"}
	if got := Unknown(append(links, "KUBERNETES_SERVICE_HOST=10.0.0.2")); got != nil {
		t.Errorf("in Kubernetes %v are called misspelt", got)
	}
	if got := Unknown(links); len(got) != len(links) {
		t.Errorf("elsewhere only %v are called misspelt", got)
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	got := Unknown([]string{"HOME=/root", "FRONTDESK_URL=x", "FRONTDESK_ADDR=:1", "FRONTDESK_SMPT_URL=x", "FRONTDESK_DATA=x"})
	if diff := cmp.Diff([]string{"FRONTDESK_SMPT_URL"}, got); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	for level, ok := range map[string]bool{"": true, "debug": true, "error": true, "loud": false, "-1": false} {
		if _, err := (Settings{LogLevel: level}).Level(); (err == nil) != ok {
			t.Errorf("level %q: %v, want ok %v", level, err, ok)
		}
	}
	for format, want := range map[string]bool{"": true, "console": true, "json": false} {
		if got, err := (Settings{LogFormat: format}).Console(true); err != nil || got != want {
			t.Errorf("format %q: %v, %v; want %v", format, got, err, want)
		}
	}
	if _, err := (Settings{LogFormat: "xml"}).Console(true); err == nil || !strings.Contains(err.Error(), "FRONTDESK_LOG_FORMAT") {
		t.Errorf("format xml: %v, want the setting named", err)
	}
}

// TestMailServerOfACommand checks that a command that sends mail requires the mail
// server, which serve may leave out.
func TestMailServerOfACommand(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		given MailServer
		shown string // or the setting that an error names
	}{
		"none":        {MailServer{}, "FRONTDESK_SMTP_URL"},
		"a server":    {MailServer{SMTPURL: "smtp://user:hunter2@mail.example"}, "smtp://mail.example:587"},
		"files":       {MailServer{SMTPURL: "file:"}, "file: " + filepath.Join("data", "mail")},
		"no address":  {MailServer{SMTPURL: "mail.example"}, "FRONTDESK_SMTP_URL"},
		"no file":     {MailServer{SMTPURLFile: "does-not-exist"}, "FRONTDESK_SMTP_URL_FILE"},
		"given twice": {MailServer{SMTPURL: "file:", SMTPURLFile: "x"}, "FRONTDESK_SMTP_URL_FILE"},
	} {
		transport, err := tt.given.Transport("data")
		shown := fmt.Sprint(transport)
		if err != nil {
			shown, _, _ = strings.Cut(err.Error(), ":")
		}
		if shown != tt.shown {
			t.Errorf("%s: %s (%v), want %s", name, shown, err, tt.shown)
		}
	}
}
