package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/quota"
	"frontdesk/internal/signing"
	"frontdesk/mailer"
)

// Service is the settings after their checks, and what follows from them. A checked value
// hides the text of its setting.
type Service struct {
	Settings        // with their defaults
	BaseURL  string // an origin: scheme and host, without a final slash
	AppURL   string // without a final slash, or empty
	// Loopback reports whether only this machine reaches the base address.
	Loopback bool
	Origins  []string // additional origins that count as the service's own
	// AppOrigin is the origin of the workspace application, or empty.
	AppOrigin string

	// Domains are the names under which the service answers HTTPS, and OwnerDomain the one of the owner's pages.
	Domains     []string
	OwnerDomain string

	Redis quota.Address // zero without Redis

	Mail *mailer.Current // nil if the settings of mail are wrong
	// MailFixed means that settings or an own main decide where mails go. Otherwise the owner's pages can.
	MailFixed bool
	// Notify are the targets that are notified beside the mail.
	Notify []notify.Target

	// OwnerURL is the address of the owner's pages, with a final slash, or empty without
	// an admin address.
	OwnerURL string
	// AdminToken opens the owner's pages; empty means that only sign-in links do.
	AdminToken string

	// SigningKey is the given key; an empty ID means that the key is in the data
	// folder. SigningKeyNext is published beside it; its ID is empty when there is none.
	SigningKey, SigningKeyNext signing.Key
	// Proofs are the texts by which directories of MCP servers see that the domain is the
	// owner's, by path.
	Proofs map[string]string

	Model          model.Endpoint // zero without a model
	ModelClientCap int            // calls a UTC day of one client
	KeepAnswered   bool

	TrustedProxies []netip.Prefix
	SharedClients  []limits.Pool
	LimitExempt    []netip.Prefix
}

// Tests are the test messages to everyone who would hear of an inquiry.
func (s Service) Tests() notify.Tests {
	mail := s.Mail.Now()
	return notify.Tests{Mail: mail, From: mail.From, To: mail.To, Targets: s.Notify, OwnerURL: s.OwnerURL}
}

// WithDefaults returns the settings in which the default is in place of every empty one.
func (s Settings) WithDefaults() Settings {
	s.settle(faults{})
	return s
}

// settle gives every setting its default and value.
func (s *Settings) settle(wrong faults) {
	wrong.settle(s)
	port := ":8080"
	if s.IsOn() {
		port = ":443"
		s.HTTPAddr = cmp.Or(s.HTTPAddr, ":80")
	}
	s.Addr = cmp.Or(s.Addr, port)
}

// Service checks the settings of a service that listens on port, or on that of the listen
// address if port is 0. The error names every setting that is wrong.
func (s Settings) Service(port int) (Service, error) {
	wrong := faults{}
	s.settle(wrong)
	service := Service{
		Settings: s,
		AppURL:   s.AppURL.Value.String(), AppOrigin: s.AppURL.Value.origin(),
		ModelClientCap: max(1, s.ModelDailyCap.Value/10),
		KeepAnswered:   s.KeepAnswered.Value || s.KeepAnswered.Text == "" && (s.AdminAddr != "" || s.OwnerDomain != ""),
	}
	if s.ModelDailyCapPerClient.Text != "" {
		service.ModelClientCap = s.ModelDailyCapPerClient.Value
	}

	for name, addr := range map[string]string{
		"FRONTDESK_ADDR": s.Addr, "FRONTDESK_HTTP_ADDR": s.HTTPAddr, "FRONTDESK_ADMIN_ADDR": s.AdminAddr,
	} {
		_, text, err := net.SplitHostPort(cmp.Or(addr, ":0"))
		if err == nil {
			_, err = net.LookupPort("tcp", text)
		}
		if err != nil {
			wrong.addf(name, "%q is not an address to listen on, such as :8080 or 127.0.0.1:8080", addr)
		}
	}
	if port == 0 {
		_, text, _ := net.SplitHostPort(s.Addr)
		port, _ = net.LookupPort("tcp", text) // it may be a name, such as http
	}
	local, _ := parseAddress("http://localhost:"+strconv.Itoa(port), false)
	base, domains := s.base(wrong)
	if base == (address{}) && s.BaseURL.Text == "" {
		base = local
	}
	service.Domains = domains
	s.https(&service, wrong)
	service.BaseURL, service.Loopback = base.String(), contract.IsLoopback(base.hostname())
	service.Origins = parseEach(wrong, "FRONTDESK_ORIGINS", s.Origins, parseOrigin)
	for _, domain := range service.Domains[min(1, len(service.Domains)):] {
		service.Origins = append(service.Origins, base.withHost(domain))
	}
	if base == local {
		// All names of this machine are accepted: people type any of them.
		service.Origins = append(service.Origins, base.withHost("127.0.0.1"), base.withHost("[::1]"))
	}
	service.TrustedProxies = parseEach(wrong, "FRONTDESK_TRUSTED_PROXIES", s.TrustedProxies, limits.ParsePrefix)
	s.pools(&service, wrong)
	service.Proofs = s.proofs(wrong)

	var err error
	if text, name := wrong.secret("FRONTDESK_REDIS_URL", s.RedisURL, s.RedisURLFile); text != "" {
		service.Redis, err = quota.Parse(text)
		wrong.add(name, err)
	}
	_, _, err = s.parse()
	wrong.add("FRONTDESK_BACKUP", err)
	s.mail(&service, wrong)
	s.targets(&service, wrong)
	s.ownerPages(&service, base, wrong)
	s.database(wrong)
	service.SigningKey, service.SigningKeyNext = s.signing(wrong)
	s.model(&service, wrong)
	return service, wrong.join()
}

// proofPaths are the paths of the proofs by their directories.
var proofPaths = map[string]string{
	"mcp-registry": contract.PathRegistryAuth,
	"openai-apps":  contract.PathAppsChallenge,
}

// proofs returns the proofs of the domain by path.
func (s Settings) proofs(wrong faults) map[string]string {
	proofs := map[string]string{}
	parseEach(wrong, "FRONTDESK_PROOFS", s.Proofs, func(entry string) (text string, err error) {
		directory, text, _ := strings.Cut(entry, "=")
		path := proofPaths[directory]
		if path == "" || text == "" {
			return "", fmt.Errorf("%q is neither mcp-registry=TEXT nor openai-apps=TEXT", entry)
		}
		if proofs[path] != "" {
			return "", fmt.Errorf("holds two texts of %s", directory)
		}
		proofs[path] = text
		return text, nil
	})
	return proofs
}

// pools fills in the addresses of many people, and those without a limit.
func (s Settings) pools(service *Service, wrong faults) {
	shared := s.SharedClients
	switch {
	case len(shared) == 0:
		shared = limits.PresetPools()
	case slices.Equal(shared, []string{"off"}):
		shared = nil
	}
	service.SharedClients = parseEach(wrong, "FRONTDESK_SHARED_CLIENTS", shared, limits.ParsePool)
	service.LimitExempt = parseEach(wrong, "FRONTDESK_LIMIT_EXEMPT", s.LimitExempt, limits.ParsePrefix)
}

// mail fills in where mails go. Without a setting it is the account that the owner's pages keep, else files while only
// this machine reaches the service.
func (s Settings) mail(service *Service, wrong faults) {
	service.MailFixed = s.Sender != nil || s.SMTPURL != "" || s.SMTPURLFile != "" || s.MailTo != "" || s.MailFrom != "" ||
		s.IsShared()
	account, setting := s.account(wrong, s.Data, !service.MailFixed)
	if service.Loopback && !account.IsSet() {
		account.Transport = mailer.FolderOf(s.Data)
	}
	if account.KeepsFiles() || !account.IsSet() {
		account = account.OrNobody()
	}
	for name, given := range map[string]string{"FRONTDESK_MAIL_TO": account.To, "FRONTDESK_MAIL_FROM": account.From} {
		if given == "" {
			wrong.addf(name, "is required with a mail server: set it to an address such as desk@example.org")
		}
	}
	if wrong[setting] == nil && wrong["FRONTDESK_MAIL_TO"] == nil && wrong["FRONTDESK_MAIL_FROM"] == nil {
		service.Mail = mailer.NewCurrent(account)
	}
}

// targets fills in who is notified. Secrets without a target are read too: they may be
// there for later.
func (n Notifications) targets(service *Service, wrong faults) {
	key, keyFrom := wrong.secret("FRONTDESK_NOTIFY_WEBHOOK_SECRET", n.NotifyWebhookSecret, n.NotifyWebhookSecretFile)
	add := func(name, value, file string, parse func(string) (notify.Target, error)) {
		address, from := wrong.secret(name, value, file)
		if address == "" {
			return
		}
		target, err := parse(address)
		if errors.Is(err, notify.ErrSecret) {
			from = keyFrom
		}
		wrong.add(from, err)
		if err == nil {
			service.Notify = append(service.Notify, target)
		}
	}
	add("FRONTDESK_NOTIFY_WEBHOOK", n.NotifyWebhook, n.NotifyWebhookFile, func(address string) (notify.Target, error) {
		return notify.ParseWebhook(address, key)
	})
	add("FRONTDESK_NOTIFY_NTFY", n.NotifyNtfy, n.NotifyNtfyFile, notify.ParseNtfy)
	add("FRONTDESK_NOTIFY_CHAT", n.NotifyChat, n.NotifyChatFile, notify.ParseChat)
}

// model fills in the model that may choose an entry. Its other settings are checked
// even when the address is missing.
func (s Settings) model(service *Service, wrong faults) {
	key, from := wrong.secret("FRONTDESK_MODEL_KEY", s.ModelKey, s.ModelKeyFile)
	if !isHeaderText(key) {
		wrong.addf(from, "holds a character that no key has") // the value is a secret and is not shown
	}
	if s.ModelURL == "" {
		return
	}
	at, err := parseAddress(s.ModelURL, true)
	if strings.ContainsAny(s.ModelURL, "@?#") { // it may be a key, which must not be shown
		err = errors.New("must be only scheme, host and path: set the key with FRONTDESK_MODEL_KEY")
	}
	wrong.add("FRONTDESK_MODEL_URL", err)
	if s.ModelName == "" {
		wrong.addf("FRONTDESK_MODEL_NAME", "is required with a model: set it to the model's name at the endpoint")
	}
	service.Model = model.Endpoint{URL: at.String(), Name: s.ModelName, Key: key, Timeout: s.ModelTimeout.Value}
}

// isHeaderText reports whether a secret can be sent in a header.
func isHeaderText(secret string) bool {
	return !strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' })
}

// signing returns the given keys. A key that was not given has an empty ID.
func (s Settings) signing(wrong faults) (first, next signing.Key) {
	first = signingKey("FRONTDESK_SIGNING_KEY", s.SigningKey, s.SigningKeyFile, wrong)
	next = signingKey("FRONTDESK_SIGNING_KEY_NEXT", s.SigningKeyNext, s.SigningKeyNextFile, wrong)
	if next.ID != "" && next.ID == first.ID {
		wrong.addf("FRONTDESK_SIGNING_KEY_NEXT", "is the same key as FRONTDESK_SIGNING_KEY")
	}
	return first, next
}

// SigningKeys reads the given keys from their current files. A key that was not given
// has an empty ID. The error names every setting that is wrong.
func (s Settings) SigningKeys() (first, next signing.Key, err error) {
	wrong := faults{}
	first, next = s.signing(wrong)
	return first, next, wrong.join()
}

// signingKey reads one key: PEM, or the path of a file that holds it.
func signingKey(name, value, file string, wrong faults) (key signing.Key) {
	text, from := wrong.secret(name, value, file)
	if text == "" {
		return key
	}
	if file == "" && !strings.HasPrefix(strings.TrimSpace(text), "-----BEGIN ") {
		content, err := os.ReadFile(text)
		if reason, ok := errors.AsType[*fs.PathError](err); ok {
			// The error must not show the path: it may be a key without its PEM frame.
			wrong.addf(from, "is neither PEM nor a file that can be read: %w", reason.Err)
			return key
		}
		text = string(content)
	}
	key, err := signing.ParseKey([]byte(text))
	wrong.add(from, err)
	return key
}

// Level returns the log level, the default one when the setting is wrong.
func (s Settings) Level() zerolog.Level {
	if level, err := zerolog.ParseLevel(s.WithDefaults().LogLevel); err == nil {
		return level
	}
	return zerolog.InfoLevel
}

// Console reports whether the log is written for people. terminal is whether it goes to
// a terminal, which decides the default.
func (s Settings) Console(terminal bool) bool {
	return s.LogFormat == "console" || s.LogFormat != "json" && terminal
}

// Local is how a command on the same machine reaches the service: its address, and the host and port to connect to.
// listens is the address that the service listens on.
func (s Service) Local(listens string) (url, dial string) {
	host, port, _ := net.SplitHostPort(listens)
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "127.0.0.1" // no name: an image may not resolve its own
	}
	dial = net.JoinHostPort(host, port)
	if len(s.Domains) > 0 {
		return "https://" + s.Domains[0], dial
	}
	return "http://" + dial, dial
}
