package config

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq/meaning"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/model"
	"frontdesk/internal/records"
)

// TestDefaults checks the defaults, with no setting given and with every one empty, as an
// empty variable gives it.
func TestDefaults(t *testing.T) {
	t.Parallel()
	var empty []string
	for _, setting := range (Settings{}).Describe() {
		empty = append(empty, strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(setting.Name, Prefix), "_", "-"))+"=")
	}
	var presets []limits.Pool
	for _, name := range limits.PresetPools() {
		presets = append(presets, expect.Value(limits.ParsePool(name))(t))
	}
	for name, settings := range map[string]Settings{"none given": given(t), "all empty": given(t, empty...), "of a program": {}} {
		got, err := settings.Service(0)
		if err != nil || got.Mail == nil {
			t.Errorf("%s: mail by %v, %v", name, got.Mail, err)
		}
		if got.Retention.Value != 365*day || got.ModelDailyCap.Value != 500 || got.DailySends.Value != 1000 || got.DailyRows.Value != 100_000 ||
			!got.KeepQuestions.Value || !got.MailRetry.Value || got.MCPToolErrors != contract.ToolErrorsContract {
			t.Errorf("%s: %+v", name, got.Settings)
		}
		got.Mail, got.Settings = nil, Settings{}
		want := Service{
			BaseURL: "http://localhost:8080", Origin: "http://localhost:8080", Loopback: true, Origins: []string{"http://127.0.0.1:8080", "http://[::1]:8080"},
			MailTo: unsetMailTo, MailFrom: unsetMailFrom, MailUnset: true, MailFiles: true,
			ModelClientCap: 50, SharedClients: presets,
			Proofs: map[string]string{contract.PathRegistryAuth: "", contract.PathAppsChallenge: ""},
		}
		expect.Same(t, name, want, got, cmp.AllowUnexported(Service{}), cmp.Exporter(func(reflect.Type) bool { return true }))
		if settings.Level() != zerolog.InfoLevel || settings.Dir() != "./data" || settings.WithDefaults().Addr != ":8080" {
			t.Errorf("%s: level %v, folder %q, address %q", name, settings.Level(), settings.Dir(), settings.WithDefaults().Addr)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		flags   []string
		base    string
		origins []string
	}{
		{"upper case, default port, slash", []string{"base-url=HTTPS://Desk.Example:443/", files}, "https://desk.example", nil},
		{"other port", []string{"base-url=https://desk.example:8443", files}, "https://desk.example:8443", nil},
		{"the default, written", []string{"base-url=http://localhost:8080"}, "http://localhost:8080", []string{"http://127.0.0.1:8080", "http://[::1]:8080"}},
		{"another local one", []string{"base-url=http://127.0.0.1:8080"}, "http://127.0.0.1:8080", nil},
		{"a domain", []string{"domain=Desk.Example", files}, "https://desk.example", nil},
		{"domains", []string{"domain=desk.example, bücher.example,", files}, "https://desk.example", []string{"https://xn--bcher-kva.example"}},
		{"domains on another port", []string{"domain=desk.example", "domain=b.example", "base-url=https://desk.example:8443", files},
			"https://desk.example:8443", []string{"https://b.example:8443"}},
		{"no domain", []string{"domain="}, "http://localhost:8080", []string{"http://127.0.0.1:8080", "http://[::1]:8080"}},
		{"further origins", []string{"base-url=https://desk.example", files, "origins= https://Shop.example ,,http://a.example:80"},
			"https://desk.example", []string{"https://shop.example", "http://a.example"}},
	} {
		service := service(t, tt.flags...)
		expect.Same(t, tt.name+": base", tt.base, service.BaseURL)
		expect.Same(t, tt.name+": origins", tt.origins, service.Origins)
	}
	if got := service(t, "app-url=https://app.example:443/desk/"); got.AppURL != "https://app.example/desk" || got.AppOrigin != "https://app.example" {
		t.Errorf("application at %q, origin %q", got.AppURL, got.AppOrigin)
	}
}

// TestPorts checks where a service listens by default.
func TestPorts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		flags       []string
		addr, plain string
	}{
		{[]string{"domain="}, ":8080", ""},
		{[]string{"domain=desk.example"}, ":443", ":80"},
		{[]string{"domain=desk.example", "addr=:8443", "http-addr=:8081"}, ":8443", ":8081"},
	} {
		got := given(t, tt.flags...).WithDefaults()
		if got.Addr != tt.addr || got.HTTPAddr != tt.plain {
			t.Errorf("%q listens on %q and %q, want %q and %q", tt.flags, got.Addr, got.HTTPAddr, tt.addr, tt.plain)
		}
	}
}

// TestOwnerDomain checks that the domain of the owner's pages is where links lead.
func TestOwnerDomain(t *testing.T) {
	t.Parallel()
	got := service(t, files, "domain=desk.example", "owner-domain=Owner.example", "admin-token=0123456789abcdef", "admin-addr=127.0.0.1:0")
	if got.OwnerDomain != "owner.example" || got.OwnerURL != "https://owner.example/owner/" {
		t.Errorf("the owner's pages are at %q, %q", got.OwnerDomain, got.OwnerURL)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	got := service(t, "trusted-proxies=127.0.0.1, 10.1.2.3/8,", "trusted-proxies=2001:db8::1")
	want := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::1/128")}
	if !reflect.DeepEqual(got.TrustedProxies, want) {
		t.Errorf("proxies %v, want %v", got.TrustedProxies, want)
	}
	got = service(t, "shared-clients=openai=10.1.2.3/8, 2001:db8::/32", "limit-exempt=192.0.2.7, ::ffff:10.0.0.0/104")
	expect.Same(t, "pools and exempt addresses", "[{openai [10.0.0.0/8] []} {2001:db8::/32 [2001:db8::/32] []}] [192.0.2.7/32 10.0.0.0/8]",
		fmt.Sprint(got.SharedClients, " ", got.LimitExempt))
	expect.Same(t, "off", 0, len(service(t, "shared-clients=off").SharedClients))
	got = service(t, "agent-directories=https://b.example, https://A.example/ ,,https://b.example:443")
	expect.Same(t, "directories", []string{"https://a.example", "https://b.example"}, got.AgentDirectories)
	expect.Same(t, "preset directories", []string{"https://chatgpt.com"}, service(t, "base-url=https://desk.example", "smtp-url=file:", "mail-to=a@desk.example", "mail-from=b@desk.example").AgentDirectories)
	expect.Same(t, "no directories", 0, len(service(t, "base-url=https://desk.example", "smtp-url=file:", "mail-to=a@desk.example", "mail-from=b@desk.example", "agent-directories=off").AgentDirectories))
}

// TestSwitches checks that every switch takes both words, and that a setting accepts every
// value that shell completion offers.
func TestSwitches(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"on": true, "true": true, "off": false, "false": false} {
		got := service(t, "mail-retry="+text, "keep-questions="+text, "keep-answered="+text, "trial-mail="+text, "encoder="+text, "notify-webhook-fields="+text,
			hook, "notify-webhook-secret="+secretOK)
		if got.MailRetry.Value != want || got.KeepQuestions.Value != want || got.KeepAnswered != want || got.TrialMail.Value != want || got.Notify[0].Fields != want {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
	if got := service(t, "admin-addr=127.0.0.1:0"); !got.KeepAnswered {
		t.Error("with an admin address, answered questions are not kept by default")
	}
	if got := service(t, "domain=desk.example.org", "owner-domain=own.example.org", "admin-token=a-token-of-sixteen-letters", "smtp-url=file:", "mail-to=a@example.org", "mail-from=b@example.org"); !got.KeepAnswered {
		t.Error("with an owner domain, answered questions are not kept by default")
	}
	if got := service(t, "admin-addr=127.0.0.1:0", "keep-answered=off"); got.KeepAnswered {
		t.Error("keep-answered=off keeps answered questions")
	}
	offered := 0
	for field := range reflect.TypeFor[Settings]().Fields() {
		for choice := range strings.SplitSeq(field.Tag.Get("choices"), ",") {
			if choice != "" {
				offered++
				service(t, strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(field.Tag.Get("env"), Prefix), "_", "-"))+"="+choice)
			}
		}
	}
	if offered == 0 {
		t.Error("no setting offers a choice")
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	got := service(t, "model-daily-cap=7", "model-daily-cap-per-client=0", "daily-rows=0", "max-connections=9", "drain-delay=1500ms", "retention=36500d")
	if got.ModelDailyCap.Value != 7 || got.ModelClientCap != 0 || got.DailyRows.Value != 0 || got.MaxConnections.Value != 9 ||
		got.DrainDelay.Value != 1500*time.Millisecond || got.Retention.Value != 36500*day {
		t.Errorf("%+v", got)
	}
	if got := service(t, "model-daily-cap=7"); got.ModelClientCap != 1 {
		t.Errorf("of 7 calls one client may cause %d, want 1", got.ModelClientCap)
	}
}

// TestSecretsInFiles checks settings that are read from files.
func TestSecretsInFiles(t *testing.T) {
	t.Parallel()
	got := service(t, "mail-to=a@b.co", "mail-from=a@b.co",
		"smtp-url-file="+fileWith(t, "smtp://user:hunter2@127.0.0.1:25?tls=none\n"),
		"redis-url-file="+fileWith(t, "rediss://desk:hunter2@cache.example/1\n"),
		"model-url=https://api.example.com/v1", "model-name=m", "model-key-file="+fileWith(t, " sk-hunter2\n"),
		"admin-token-file="+fileWith(t, "0123456789abcdef\n"))
	for text, want := range map[string]string{
		got.Mail.String(): "127.0.0.1:25", got.Redis.String(): "cache.example:6379", got.Model.String(): "m at https://api.example.com/v1",
	} {
		if strings.Contains(text, "hunter2") || !strings.Contains(text, want) {
			t.Errorf("shown as %q, want %q", text, want)
		}
	}
	if !got.Redis.IsSet() || got.Model.Key != "sk-hunter2" || got.AdminToken != "0123456789abcdef" {
		t.Errorf("Redis %v, key %q, token %q", got.Redis.IsSet(), got.Model.Key, got.AdminToken)
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	got := service(t, "model-url=http://localhost:11434/v1/", "model-name=qwen3:4b", "model-timeout=1500ms")
	if want := (model.Endpoint{URL: "http://localhost:11434/v1", Name: "qwen3:4b", Timeout: 1500 * time.Millisecond}); got.Model != want {
		t.Errorf("%+v, want %+v", got.Model, want)
	}
	expect.Same(t, "timeout", 5*time.Second, service(t, "model-url=http://localhost/v1", "model-name=m").Model.Timeout)
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	got := service(t, "notify-webhook=http://127.0.0.1:8000/hook", "notify-webhook-secret-file="+fileWith(t, secretOK+"\n"),
		"notify-ntfy=https://ntfy.example/topic", "notify-ntfy-token=tk_1", "notify-chat=https://hooks.example/services/1")
	var names []string
	for _, target := range got.Notify {
		names = append(names, target.Name)
	}
	expect.Same(t, "targets", []string{"webhook", "ntfy", "chat"}, names)
}

func TestLog(t *testing.T) {
	t.Parallel()
	if got := given(t, "log-level=debug").Level(); got != zerolog.DebugLevel {
		t.Errorf("level %v", got)
	}
	for format, want := range map[string][2]bool{"": {false, true}, "console": {true, true}, "json": {false, false}} {
		settings := given(t, "log-format="+format)
		if got := [2]bool{settings.Console(false), settings.Console(true)}; got != want {
			t.Errorf("format %q: for people %v without and with a terminal, want %v", format, got, want)
		}
	}
}

// TestInForce checks what is shown of settings and where they come from. Every setting has a
// group, and ten are needed first.
func TestInForce(t *testing.T) {
	t.Parallel()
	settings := given(t, "addr=:9000", "data=d", "model-key-file=key.txt", "smtp-url=smtp://u:hunter2@mail.example", "origins=https://a.example,https://b.example")
	flags := []string{"FRONTDESK_ADDR", "FRONTDESK_ORIGINS"}
	isFlag := func(name string) bool { return slices.Contains(flags, name) }
	getenv := func(name string) string {
		return map[string]string{"FRONTDESK_DATA": "d", "FRONTDESK_MODEL_KEY_FILE": "key.txt", "FRONTDESK_SMTP_URL": "x"}[name]
	}
	got, groups := map[string]string{}, map[string]int{}
	for _, one := range settings.InForce(isFlag, getenv) {
		got[strings.TrimPrefix(one.Name, Prefix)] = one.Source + ": " + one.Value
		groups[one.Group]++
	}
	for name, want := range map[string]string{
		"ADDR": "flag: :9000", "DATA": "variable: d", "SMTP_URL": "variable: (set)", "MODEL_KEY": "file key.txt: (set)", "MODEL_KEY_FILE": "",
		"ORIGINS": "flag: https://a.example,https://b.example", "LOG_LEVEL": "default: info", "MAIL_TO": "default: (none)", "ANSWERED_ROWS": "",
		"BASE_URL": "default: http://localhost:9000", "KEEP_ANSWERED": "default: false", "CONTENT": "default: (the embedded sample)",
	} {
		expect.Same(t, name+" is shown as", want, got[name])
	}
	if len(groups) != len(Groups) || groups["first"] > 10 {
		t.Errorf("settings by group: %v", groups)
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

func TestOwnerURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, owner, admin, want string }{
		{"neither", "", "", ""},
		{"admin address on every interface", "", ":9090", "http://localhost:9090/owner/"},
		{"unspecified IPv4 address", "", "0.0.0.0:9090", "http://localhost:9090/owner/"},
		{"unspecified IPv6 address", "", "[::]:9090", "http://localhost:9090/owner/"},
		{"loopback", "", "127.0.0.1:9090", "http://127.0.0.1:9090/owner/"},
		{"IPv6", "", "[fd00::1]:9090", "http://[fd00::1]:9090/owner/"},
		{"host", "", "desk.internal:9090", "http://desk.internal:9090/owner/"},
		{"given with a slash", "https://desk.example/owner/", ":9090", "https://desk.example/owner/"},
		{"given without a slash", "https://Desk.example:443/owner", "", "https://desk.example/owner/"},
	} {
		got := service(t, "owner-url="+tt.owner, "admin-addr="+tt.admin, "admin-token=0123456789abcdef")
		if got.OwnerURL != tt.want || got.AdminToken != "0123456789abcdef" {
			t.Errorf("%s: owner URL %q, token %q; want %q", tt.name, got.OwnerURL, got.AdminToken, tt.want)
		}
	}
	for _, addr := range []string{"127.0.0.1:9090", "127.9.9.9:0", "[::1]:9090", "localhost:9090"} {
		service(t, "admin-addr="+addr) // needs no token
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	const url = "postgres://desk:hunter2@db.example/frontdesk"
	for _, tt := range []struct {
		name    string
		folder  DataFolder
		want    records.Options
		setting string
	}{
		{"nothing set", DataFolder{}, records.Options{Dir: "./data"}, "FRONTDESK_DATA"},
		{"folder", DataFolder{Data: "d"}, records.Options{Dir: "d"}, "FRONTDESK_DATA"},
		{"address", DataFolder{Data: "d", DatabaseURL: url}, records.Options{Dir: "d", URL: url}, "FRONTDESK_DATABASE_URL"},
		{"file", DataFolder{Data: "d", DatabaseURLFile: fileWith(t, url+"\n")}, records.Options{Dir: "d", URL: url}, "FRONTDESK_DATABASE_URL_FILE"},
	} {
		got, setting, err := tt.folder.Records()
		if err != nil || setting != tt.setting {
			t.Errorf("%s: setting %s, %v; want %s", tt.name, setting, err, tt.setting)
		}
		expect.Same(t, tt.name, tt.want, got)
	}
	key, _ := pemKey(t, 1)
	service(t, database, "signing-key="+key)
}

func TestSigningKeys(t *testing.T) {
	t.Parallel()
	first, firstID := pemKey(t, 1)
	second, secondID := pemKey(t, 2)
	file := fileWith(t, first+"\n")
	for _, tt := range []struct {
		name             string
		flags            []string
		current, another string
	}{
		{"none", nil, "", ""},
		{"PEM", []string{"signing-key=" + first}, firstID, ""},
		{"PEM after a line break", []string{"signing-key=\n" + first}, firstID, ""},
		{"path", []string{"signing-key=" + file}, firstID, ""},
		{"file", []string{"signing-key-file=" + file}, firstID, ""},
		{"both", []string{"signing-key=" + first, "signing-key-next-file=" + fileWith(t, second)}, firstID, secondID},
		{"next beside the one in the data folder", []string{"signing-key-next=" + second}, "", secondID},
	} {
		got := service(t, tt.flags...)
		if got.SigningKey.ID != tt.current || got.SigningKeyNext.ID != tt.another {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, got.SigningKey, got.SigningKeyNext, tt.current, tt.another)
		}
	}
	settings := given(t, "signing-key-file="+file)
	expect.OK(t, os.WriteFile(file, []byte(second), 0o600))
	if got, _, err := settings.SigningKeys(); err != nil || got.ID != secondID {
		t.Errorf("after a change of the file: %q, %v; want %q", got, err, secondID)
	}
}

// TestAnswerPrecision: a precision that is set goes before that of the content, and its bounds are those of faq.yaml.
func TestAnswerPrecision(t *testing.T) {
	t.Parallel()
	loaded := expect.Value(content.Load(content.Sample()))(t)
	threshold := func(set string, written float64) float64 {
		t.Helper()
		selection := Selection{Encoder: Switch{Text: "off"}, AnswerPrecision: Share{Text: set}}
		maker, _, err := selection.Maker(meaning.Files{}, func(err error) { t.Error(err) })
		expect.OK(t, err)
		approved := loaded.FAQ
		approved.Precision = written
		book := maker(approved, nil, func(url string) string { return url })
		return book.Explain(t.Context(), "Can I bring my dog?", 1).Threshold
	}
	usual := threshold("", 0)
	expect.Same(t, "the default, written in faq.yaml", usual, threshold("", content.DefaultPrecision))
	expect.Same(t, "the default, set", usual, threshold(fmt.Sprint(content.DefaultPrecision), 0.5))
	careful := threshold("", 0.99)
	if careful <= usual {
		t.Errorf("0.99 in faq.yaml asks for %v, and the default for %v", careful, usual)
	}
	expect.Same(t, "set against the content", careful, threshold("0.99", 0.5))

	field, _ := reflect.TypeFor[Selection]().FieldByName("AnswerPrecision")
	expect.Same(t, "the least", fmt.Sprint(content.MinPrecision), field.Tag.Get("min"))
	expect.Same(t, "the most", fmt.Sprint(content.MaxPrecision), field.Tag.Get("max"))
	if want := fmt.Sprintf("or %v.", content.DefaultPrecision); !strings.HasSuffix(field.Tag.Get("help"), want) {
		t.Errorf("the help does not end with %q", want)
	}
}
