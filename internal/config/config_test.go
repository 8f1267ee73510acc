package config

import (
	"fmt"
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
	"frontdesk/faq/semantic"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/internal/model"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

func flag(name string) string {
	return strings.ToLower(strings.ReplaceAll(name[len(Prefix):], "_", "-"))
}

// The defaults hold without a setting and with every one empty, as an empty variable gives it.
func TestDefaults(t *testing.T) {
	t.Parallel()
	var empty []string
	for _, setting := range (Settings{}).Describe() {
		empty = append(empty, flag(setting.Name)+"=")
	}
	var presets []limits.Pool
	for _, name := range limits.PresetPools() {
		presets = append(presets, expect.Value(limits.ParsePool(name))(t))
	}
	for name, settings := range map[string]Settings{"none given": given(t), "all empty": given(t, empty...), "of a program": {}} {
		got := expect.Value(settings.Service(0))(t)
		if !got.Mail.Now().KeepsFiles() || !mailer.ReachesNoOne(got.Mail.Now().To) {
			t.Errorf("%s: mail by %v", name, got.Mail)
		}
		if got.Retention.Value != 365*day || got.ModelDailyCap.Value != 500 || got.DailySends.Value != 1000 || got.DailyRows.Value != 100_000 ||
			!got.KeepQuestions.Value || !got.MailRetry.Value || got.MCPToolErrors != contract.ToolErrorsContract || got.MCPVersions != contract.MCPVersionsContract {
			t.Errorf("%s: %+v", name, got.Settings)
		}
		got.Mail, got.Settings = nil, Settings{}
		want := Service{
			BaseURL: "http://localhost:8080", Loopback: true, Origins: []string{"http://127.0.0.1:8080", "http://[::1]:8080"},
			ModelClientCap: 50, SharedClients: presets, Proofs: map[string]string{},
		}
		expect.Same(t, name, want, got, cmp.AllowUnexported(Service{}), cmp.Exporter(func(reflect.Type) bool { return true }))
		expect.Same(t, name,
			[]any{zerolog.InfoLevel, "./data", ":8080"}, []any{settings.Level(), settings.Dir(), settings.WithDefaults().Addr})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	const public, mailTo, mailFrom = "base-url=https://desk.example", "mail-to=a@desk.example", "mail-from=b@desk.example"
	first, firstID := pemKey(t, 1)
	second, secondID := pemKey(t, 2)
	keyFile := fileWith(t, first+"\n")
	base := func(s Service) any { return fmt.Sprint(s.BaseURL, " ", s.Origins) }
	app := func(s Service) any { return s.AppURL + " " + s.AppOrigin }
	listens := func(s Service) any { return s.Addr + " " + s.HTTPAddr }
	owner := func(s Service) any { return s.OwnerDomain + " " + s.OwnerURL }
	proxies := func(s Service) any { return fmt.Sprint(s.TrustedProxies) }
	proofs := func(s Service) any { return s.Proofs }
	backups := func(s Service) any {
		daily := expect.Value(s.DailyBackup())(t)
		if daily == nil {
			return ""
		}
		return daily.Folder
	}
	pools := func(s Service) any { return fmt.Sprint(s.SharedClients, s.LimitExempt) }
	numbers := func(s Service) any {
		return fmt.Sprint(s.ModelDailyCap, s.ModelClientCap, s.DailyRows.Value, s.MaxConnections.Value, s.DrainDelay.Value, s.Retention.Value)
	}
	endpoint := func(s Service) any { return s.Model }
	targets := func(s Service) any { return fmt.Sprint(s.Notify) }
	keys := func(s Service) any { return s.SigningKey.ID + " " + s.SigningKeyNext.ID }
	for _, tt := range []struct {
		name  string
		flags string // with | between them
		got   func(Service) any
		want  any
	}{
		{"upper case, default port, slash", "base-url=HTTPS://Desk.Example:443/ | " + files, base, "https://desk.example []"},
		{"international names", "base-url=https://München.example:8443/ | origins=https://BÜCHER.example,http://straße.example:80 | " + files, base,
			"https://xn--mnchen-3ya.example:8443 [https://xn--bcher-kva.example http://xn--strae-oqa.example]"},
		{"application of an international name", "app-url=https://münchen.example:443/desk/", app,
			"https://xn--mnchen-3ya.example/desk https://xn--mnchen-3ya.example"},
		{"the default, written", "base-url=http://localhost:8080", base, "http://localhost:8080 [http://127.0.0.1:8080 http://[::1]:8080]"},
		{"the default port", "addr=:http", base, "http://localhost [http://127.0.0.1 http://[::1]]"},
		{"another local one", "base-url=http://127.0.0.1:8080", base, "http://127.0.0.1:8080 []"},
		{"domains", "domain=Desk.Example, bücher.example, | " + files, base, "https://desk.example [https://xn--bcher-kva.example]"},
		{"domains on another port", "domain=desk.example | domain=b.example | base-url=https://desk.example:8443 | " + files, base,
			"https://desk.example:8443 [https://b.example:8443]"},
		{"final dots", "domain=desk.example. | base-url=https://desk.example.:443 | domain=b.example. | " + files, base, "https://desk.example [https://b.example]"},
		{"further origins", public + " | " + files + " | origins= https://Shop.example ,,http://a.example:80", base, "https://desk.example [https://shop.example http://a.example]"},
		{"listens with a domain", domain, listens, ":443 :80"},
		{"listens elsewhere", "domain=desk.example | addr=:8443 | http-addr=:8081 | " + files, listens, ":8443 :8081"},
		{"owner's domain", domain + " | owner-domain=Owner.example | " + token + " | admin-addr=127.0.0.1:0", owner, "owner.example https://owner.example/owner/"},
		{"owner's domain on another port", domain + " | base-url=https://desk.example:8443 | owner-domain=owner.example | " + token, owner,
			"owner.example https://owner.example:8443/owner/"},
		{"admin address on every interface", token + " | admin-addr=:9090", owner, " http://localhost:9090/owner/"},
		{"unspecified IPv4 address", token + " | admin-addr=0.0.0.0:9090", owner, " http://localhost:9090/owner/"},
		{"unspecified IPv6 address", token + " | admin-addr=[::]:9090", owner, " http://localhost:9090/owner/"},
		{"loopback needs no token", "admin-addr=127.9.9.9:9090", owner, " http://127.9.9.9:9090/owner/"},
		{"nor does IPv6's", "admin-addr=[::1]:9090", owner, " http://[::1]:9090/owner/"},
		{"nor does localhost", "admin-addr=localhost:9090", owner, " http://localhost:9090/owner/"},
		{"host", token + " | admin-addr=desk.internal:9090", owner, " http://desk.internal:9090/owner/"},
		{"owner's address with a slash", token + " | admin-addr=:9090 | owner-url=https://desk.example/owner/", owner, " https://desk.example/owner/"},
		{"owner's address without a slash", "owner-url=https://Desk.example:443/owner", owner, " https://desk.example/owner/"},
		{"proxies", "trusted-proxies=127.0.0.1, 10.1.2.3/8, | trusted-proxies=2001:db8::1", proxies, "[127.0.0.1/32 10.0.0.0/8 2001:db8::1/128]"},
		{"pools and exempt addresses", "shared-clients=openai=10.1.2.3/8, 2001:db8::/32 | limit-exempt=192.0.2.7, ::ffff:10.0.0.0/104", pools,
			"[{openai [10.0.0.0/8] []} {2001:db8::/32 [2001:db8::/32] []}] [192.0.2.7/32 10.0.0.0/8]"},
		{"proofs", "proofs=mcp-registry=v=MCPv1; k=ed25519; p=A+/=, openai-apps=token", proofs,
			map[string]string{contract.PathRegistryAuth: "v=MCPv1; k=ed25519; p=A+/=", contract.PathAppsChallenge: "token"}},
		{"no backups", "domain=", backups, ""},
		{"backups", "backup=daily | data=/d", backups, "/d/backups"},
		{"backups elsewhere", "backup=daily:/mnt/b:c", backups, "/mnt/b:c"},
		{"no pools", "shared-clients=off", pools, "[] []"},
		{"numbers", "model-daily-cap=7 | model-daily-cap-per-client=0 | daily-rows=0 | max-connections=9 | drain-delay=1500ms | retention=36500d", numbers,
			"7 0 0 9 1.5s 876000h0m0s"},
		{"a tenth of 7 calls", "model-daily-cap=7", numbers, "7 1 100000 0 0s 8760h0m0s"},
		{"model", "model-url=http://localhost:11434/v1/ | model-name=qwen3:4b | model-timeout=1500ms", endpoint,
			model.Endpoint{URL: "http://localhost:11434/v1", Name: "qwen3:4b", Timeout: 1500 * time.Millisecond}},
		{"model's default timeout", "model-url=http://localhost/v1 | model-name=m", endpoint, model.Endpoint{URL: "http://localhost/v1", Name: "m", Timeout: 5 * time.Second}},
		{"notifications", "notify-webhook=http://127.0.0.1:8000/hook | notify-webhook-secret-file=" + fileWith(t, secretOK+"\n") +
			" | notify-ntfy=https://tk_1@ntfy.example/topic | notify-chat=https://hooks.example/services/1", targets,
			"[webhook at http://127.0.0.1:8000 ntfy at https://ntfy.example chat at https://hooks.example]"},
		{"PEM after a line break", "signing-key=\n" + first, keys, firstID + " "},
		{"path of a key", "signing-key=" + keyFile, keys, firstID + " "},
		{"file of a key", "signing-key-file=" + keyFile, keys, firstID + " "},
		{"both keys", "signing-key=" + first + " | signing-key-next-file=" + fileWith(t, second), keys, firstID + " " + secondID},
		{"next key beside the one in the data folder", "signing-key-next=" + second, keys, " " + secondID},
	} {
		expect.Same(t, tt.name, tt.want, tt.got(service(t, strings.Split(tt.flags, " | ")...)))
	}

	settings := given(t, "signing-key-file="+keyFile)
	expect.Write(t, keyFile, second)
	if got, _, err := settings.SigningKeys(); err != nil || got.ID != secondID {
		t.Errorf("after a change of its file, the key is %q, %v; want %q", got, err, secondID)
	}
}

// Every switch takes both words, and a setting every value that shell completion offers.
func TestSwitches(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"on": true, "true": true, "off": false, "false": false} {
		got := service(t, "mail-retry="+text, "keep-questions="+text, "keep-answered="+text, "trial-mail="+text, "encoder="+text)
		expect.Same(t, text+" is read as",
			[]any{want, want, want, want}, []any{got.MailRetry.Value, got.KeepQuestions.Value, got.KeepAnswered, got.TrialMail.Value})
	}
	expect.Same(t, "kept with an admin address", true, service(t, "admin-addr=127.0.0.1:0").KeepAnswered)
	expect.Same(t, "kept with an owner domain", true, service(t, "domain=desk.example.org", "owner-domain=own.example.org",
		"admin-token=a-token-of-sixteen-letters", "smtp-url=file:", "mail-to=a@example.org", "mail-from=b@example.org").KeepAnswered)
	expect.Same(t, "kept with keep-answered=off",
		false, service(t, "admin-addr=127.0.0.1:0", "keep-answered=off").KeepAnswered)
	offered := 0
	for field := range reflect.TypeFor[Settings]().Fields() {
		for choice := range strings.SplitSeq(field.Tag.Get("choices"), ",") {
			if choice != "" {
				offered++
				service(t, flag(field.Tag.Get("env"))+"="+choice)
			}
		}
	}
	if offered == 0 {
		t.Error("no setting offers a choice")
	}
}

func TestSecretsInFiles(t *testing.T) {
	t.Parallel()
	got := service(t, "mail-to=a@b.co", "mail-from=a@b.co",
		"smtp-url-file="+fileWith(t, "smtp://user:hunter2@127.0.0.1:25?tls=none\n"),
		"redis-url-file="+fileWith(t, "rediss://desk:hunter2@cache.example/1\n"),
		"model-url=https://api.example.com/v1", "model-name=m", "model-key-file="+fileWith(t, " sk-hunter2\n"),
		"admin-token-file="+fileWith(t, "0123456789abcdef\n"))
	for text, want := range map[string]string{
		got.Mail.Now().String(): "127.0.0.1:25", got.Redis.String(): "cache.example:6379", got.Model.String(): "m at https://api.example.com/v1",
	} {
		expect.Holds(t, "shown as", text, want)
		expect.Lacks(t, "shown as", text, "hunter2")
	}
	expect.Same(t, "the settings",
		[]any{true, "sk-hunter2", "0123456789abcdef"}, []any{got.Redis.IsSet(), got.Model.Key, got.AdminToken})
}

func TestLog(t *testing.T) {
	t.Parallel()
	expect.Same(t, "level", zerolog.DebugLevel, given(t, "log-level=debug").Level())
	for format, want := range map[string][2]bool{"": {false, true}, "console": {true, true}, "json": {false, false}} {
		settings := given(t, "log-format="+format)
		expect.Same(t, "format "+format+": for people", want, [2]bool{settings.Console(false), settings.Console(true)})
	}
}

// Every setting has a group, and ten are needed first.
func TestInForce(t *testing.T) {
	t.Parallel()
	settings := given(t, "addr=:9000", "data=d", "model-key-file=key.txt", "smtp-url=smtp://u:hunter2@mail.example", "origins=https://a.example,https://b.example")
	flags := []string{"FRONTDESK_ADDR", "FRONTDESK_ORIGINS"}
	isFlag := func(name string) bool { return slices.Contains(flags, name) }
	getenv := func(name string) string {
		return map[string]string{"FRONTDESK_DATA": "d", "FRONTDESK_MODEL_KEY_FILE": "key.txt", "FRONTDESK_SMTP_URL": "x"}[name]
	}
	got, groups := map[string]string{}, map[string]int{}
	list, _ := settings.InForce(isFlag, getenv) // key.txt does not exist
	for _, one := range list {
		got[strings.TrimPrefix(one.Name, Prefix)] = one.Source + ": " + one.Value
		groups[one.Group]++
	}
	for name, want := range map[string]string{
		"ADDR": "flag: :9000", "DATA": "variable: d", "SMTP_URL": "variable: (set)", "MODEL_KEY": "file key.txt: (set)", "MODEL_KEY_FILE": "",
		"ORIGINS": "flag: https://a.example,https://b.example", "LOG_LEVEL": "default: info", "MAIL_TO": "default: (none)",
		"BASE_URL": "default: http://localhost:9000", "KEEP_ANSWERED": "default: false", "CONTENT": "default: (the embedded sample)",
	} {
		expect.Same(t, name+" is shown as", want, got[name])
	}
	if len(groups) != len(Groups) || groups["first"] > 10 {
		t.Errorf("settings by group: %v", groups)
	}
}

// A command that sends mail requires the mail server, which serve may leave out.
func TestMailServerOfACommand(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		given MailServer
		shown string // or the setting that an error names
	}{
		"none": {MailServer{}, "FRONTDESK_SMTP_URL"},
		"a server": {MailServer{SMTPURL: "smtp://user:hunter2@mail.example", MailFrom: "a@b.co", MailTo: "c@d.co"},
			"smtp://mail.example:587 a@b.co c@d.co"},
		"files": {MailServer{SMTPURL: "file:"},
			"file: " + filepath.Join("data", "mail") + " frontdesk@frontdesk.invalid owner@frontdesk.invalid"},
		"no address": {MailServer{SMTPURL: "mail.example"}, "FRONTDESK_SMTP_URL"},
		"no file":    {MailServer{SMTPURLFile: "does-not-exist"}, "FRONTDESK_SMTP_URL_FILE"},
		"a typo":     {MailServer{SMTPURL: "file:", MailTo: "c@"}, "FRONTDESK_MAIL_TO"},
		"kept":       {MailServer{MailTo: "c@d.co"}, "smtp://kept.example:587 kept@a.co c@d.co"},
	} {
		dir := "data"
		if name == "kept" {
			dir = t.TempDir()
			expect.OK(t, mailer.Kept{Server: "smtp://kept.example", From: "kept@a.co", To: "kept@b.co"}.Write(dir))
		}
		account, err := tt.given.Account(dir)
		shown := fmt.Sprint(account.Transport, " "+account.From+" ", account.To)
		if err != nil {
			shown, _, _ = strings.Cut(err.Error(), ":")
		}
		expect.Same(t, name, tt.shown, shown)
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
		expect.OK(t, err)
		expect.Same(t, tt.name, tt.setting, setting)
		expect.Same(t, tt.name, tt.want, got)
	}
	key, _ := pemKey(t, 1)
	service(t, database, "signing-key="+key)
}

// A precision that is set goes before that of the content, and its bounds are those of faq.yaml.
func TestAnswerPrecision(t *testing.T) {
	t.Parallel()
	loaded := expect.Value(content.Load(content.Sample()))(t)
	threshold := func(set string, written float64) float64 {
		t.Helper()
		selection := Selection{Encoder: Switch{Text: "off"}, AnswerPrecision: Share{Text: set}}
		builder, _, err := selection.BuildAnswerer(semantic.Files{}, func(err error) { t.Error(err) })
		expect.OK(t, err)
		approved := loaded.FAQ
		approved.Precision = written
		answerer := builder(approved, nil, func(url string) string { return url })
		return answerer.Explain(t.Context(), "Can I bring my dog?", 1).Threshold
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
	if want := fmt.Sprintf("or %v.", content.DefaultPrecision); !strings.HasSuffix(ParseHelp(helpText)[field.Tag.Get("env")], want) {
		t.Errorf("the help does not end with %q", want)
	}
}

// The account that the owner's pages keep counts only where no setting says anything about mail.
func TestKeptMail(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	kept := mailer.Kept{Server: "smtps://mail.example", From: "desk@example.org", To: "owner@example.org"}
	expect.OK(t, kept.Write(data))
	key, _ := pemKey(t, 1)
	const server = "smtps://mail.example:465"
	for _, tt := range []struct {
		name  string
		flags []string
		want  string
		fixed bool
	}{
		{"on this machine", nil, server, false},
		{"public", []string{"base-url=https://desk.example"}, server, false},
		{"files by setting", []string{"smtp-url=file:"}, "file: " + filepath.Join(data, "mail"), true},
		{"another recipient", []string{"mail-to=a@example.org", "base-url=https://desk.example"}, "none", true},
		{"PostgreSQL", []string{"database-url=postgres://desk@db.example/desk", "base-url=https://desk.example", "signing-key=" + key}, "none", true},
	} {
		got := service(t, append(tt.flags, "data="+data)...)
		expect.Same(t, tt.name, tt.want, got.Mail.Now().String())
		expect.Same(t, tt.name+": fixed", tt.fixed, got.MailFixed)
	}
	expect.Same(t, "public without an account", "none", service(t, "base-url=https://desk.example", "data="+t.TempDir()).Mail.Now().String())
	expect.Write(t, filepath.Join(data, mailer.AccountFile), "{}")
	_, err := given(t, "data="+data).Service(0)
	expect.Says(t, "a damaged account", err, "FRONTDESK_DATA: the file "+mailer.AccountFile)
}
