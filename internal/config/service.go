package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/model"
	"frontdesk/internal/notify"
	"frontdesk/internal/quota"
	"frontdesk/internal/signing"
	"frontdesk/mailer"
)

// Service is the settings after their checks, as typed values.
type Service struct {
	BaseURL string   // without a final slash
	AppURL  string   // without a final slash, or empty
	Origin  string   // the origin of the base address
	Origins []string // additional origins that count as the service's own
	// AppOrigin is the origin of the workspace application, or empty.
	AppOrigin string

	Redis quota.Address // zero without Redis

	Mail             mailer.Transport
	MailTo, MailFrom string
	// MailUnset means that no mail server was set, so mails are kept as files.
	MailUnset bool
	// MailFiles means that mails are kept as files, by setting or by default.
	MailFiles bool
	TrialMail bool // mail the owner when a trial is started
	MailRetry bool // failed mails are tried again without being asked
	// Notify are the targets that are notified beside the mail.
	Notify []notify.Target

	// OwnerURL is the address of the owner's pages, with a final slash, or empty without
	// an admin address.
	OwnerURL string
	// AdminToken opens the owner's pages; empty means that only sign-in links do.
	AdminToken string

	Retention time.Duration
	// SigningKey is the given key; an empty ID means that the key is in the data
	// folder. SigningKeyNext is published beside it; its ID is empty when there is none.
	SigningKey, SigningKeyNext signing.Key
	AgentDirectories           []string // origins

	Model                 model.Endpoint // zero without a model
	ModelDailyCap         int            // calls a UTC day
	ModelClientCap        int            // calls a UTC day of one client
	DailySends, DailyRows int            // a UTC day, over all clients
	KeepQuestions         bool
	KeepAnswered          bool
	AnsweredRows          int           // answered questions that are kept
	AnsweredAge           time.Duration // after which one is deleted
	Precision             float64       // of the embedded selector's answers

	TrustedProxies []netip.Prefix
	// MaxConnections and MaxConnectionsPerClient bound open connections; 0 is the
	// default.
	MaxConnections, MaxConnectionsPerClient int
	DrainDelay                              time.Duration // from SIGTERM until the listener closes
}

// Addresses of mails that are only kept as files, when the owner has set none. No mail
// can reach them (RFC 2606).
const (
	unsetMailTo   = "owner@frontdesk.invalid"
	unsetMailFrom = "frontdesk@frontdesk.invalid"
)

// Daily caps over all clients (decisions).
const (
	defaultDailySends = 1000
	defaultDailyRows  = 100_000
)

// Bounds of the answered questions that are kept.
const (
	defaultAnsweredRows = 20_000
	defaultAnsweredAge  = "90d"
)

// faults collects the errors of settings.
type faults []error

// add adds an error, if there is one, under the name of its setting.
func (f *faults) add(name string, err error) {
	if err != nil {
		*f = append(*f, fmt.Errorf("%s: %w", name, err))
	}
}

// Service checks the settings of a service that listens on port. The error names
// every setting that is wrong.
func (s Settings) Service(port int) (Service, error) {
	var wrong faults
	service := Service{}
	base, err := s.base(port)
	wrong.add("FRONTDESK_BASE_URL", err)
	service.BaseURL, service.Origin = base.String(), base.String()

	if s.AppURL != "" {
		app, err := parseAddress(s.AppURL, true)
		wrong.add("FRONTDESK_APP_URL", err)
		service.AppURL, service.AppOrigin = app.String(), app.origin()
	}
	service.Origins, err = parseOrigins(s.Origins)
	wrong.add("FRONTDESK_ORIGINS", err)
	if base == defaultBase(port) {
		// All names of this machine are accepted: people type any of them.
		service.Origins = append(service.Origins, base.withHost("127.0.0.1"), base.withHost("[::1]"))
	}
	service.OwnerURL, err = s.ownerURL()
	wrong.add("FRONTDESK_OWNER_URL", err)
	token, name, err := s.adminToken()
	wrong.add(name, err)
	service.AdminToken = token
	service.TrialMail, err = parseSwitch(s.TrialMail, false)
	wrong.add("FRONTDESK_TRIAL_MAIL", err)
	service.MailRetry, err = parseOnOff(s.MailRetry)
	wrong.add("FRONTDESK_MAIL_RETRY", err)
	s.targets(&service, &wrong)
	service.TrustedProxies, err = parsePrefixes(s.TrustedProxies)
	wrong.add("FRONTDESK_TRUSTED_PROXIES", err)
	service.MaxConnections, err = parseConnections(s.MaxConnections)
	wrong.add("FRONTDESK_MAX_CONNECTIONS", err)
	service.MaxConnectionsPerClient, err = parseConnections(s.MaxConnectionsPerClient)
	wrong.add("FRONTDESK_MAX_CONNECTIONS_PER_CLIENT", err)
	service.DrainDelay, err = parseDrainDelay(s.DrainDelay)
	wrong.add("FRONTDESK_DRAIN_DELAY", err)
	service.Retention, err = parseAge(s.Retention)
	wrong.add("FRONTDESK_RETENTION", err)
	service.KeepQuestions, err = parseSwitch(s.KeepQuestions, true)
	wrong.add("FRONTDESK_KEEP_QUESTIONS", err)
	service.KeepAnswered, err = parseSwitch(s.KeepAnswered, false)
	wrong.add("FRONTDESK_KEEP_ANSWERED", err)
	service.AnsweredRows, err = parseCount(s.AnsweredRows, defaultAnsweredRows)
	wrong.add("FRONTDESK_ANSWERED_ROWS", err)
	service.AnsweredAge, err = parseAge(cmp.Or(s.AnsweredAge, defaultAnsweredAge))
	wrong.add("FRONTDESK_ANSWERED_AGE", err)
	if service.Precision, err = s.Selection.Precision(); err != nil {
		wrong = append(wrong, err) // err names the setting
	}
	service.DailySends, err = parseCount(s.DailySends, defaultDailySends)
	if err == nil && service.DailySends == 0 {
		err = errors.New("must be at least 1")
	}
	wrong.add("FRONTDESK_DAILY_SENDS", err)
	service.DailyRows, err = parseCount(s.DailyRows, defaultDailyRows)
	wrong.add("FRONTDESK_DAILY_ROWS", err)
	if _, err := s.UsesEncoder(); err != nil {
		wrong = append(wrong, err) // err names the setting
	}
	name, err = s.redis(&service)
	wrong.add(name, err)
	s.mail(&service, base.isLoopback(), &wrong)
	s.database(&wrong)
	s.signing(&service, &wrong)
	service.AgentDirectories, err = parseDirectories(s.AgentDirectories)
	wrong.add("FRONTDESK_AGENT_DIRECTORIES", err)
	s.model(&service, &wrong)
	return service, errors.Join(wrong...)
}

func (s Settings) base(port int) (address, error) {
	if s.BaseURL == "" {
		return defaultBase(port), nil
	}
	return parseAddress(s.BaseURL, false)
}

func defaultBase(port int) address { return address{"http", "localhost:" + strconv.Itoa(port), ""} }

// redis fills in the Redis that instances share. The error belongs to the setting of
// the returned name.
func (s Settings) redis(service *Service) (name string, err error) {
	text, name, err := secret("FRONTDESK_REDIS_URL", s.RedisURL, s.RedisURLFile)
	if err != nil || text == "" {
		return name, err
	}
	service.Redis, err = quota.Parse(text)
	return name, err
}

// mail fills in where mails go. Only a service on a loopback address may start without
// a mail server: the mails of a public one would reach no one.
func (s Settings) mail(service *Service, loopback bool, wrong *faults) {
	target, name, err := s.address()
	switch {
	case err != nil:
		wrong.add(name, err)
		return
	case target == "" && !loopback:
		wrong.add("FRONTDESK_SMTP_URL", errors.New("is required with a public base address: "+
			"set it to the mail server (smtp://…, smtps://…), or to file: to keep each mail as a file"))
		return
	case target == "":
		target, service.MailUnset = "file:", true
	}
	service.Mail, err = mailer.Parse(target, s.Dir())
	wrong.add(name, err)
	service.MailFiles = target == "file:"
	service.MailTo, err = mailAddress(s.MailTo, unsetMailTo, service.MailFiles)
	wrong.add("FRONTDESK_MAIL_TO", err)
	service.MailFrom, err = mailAddress(s.MailFrom, unsetMailFrom, service.MailFiles)
	wrong.add("FRONTDESK_MAIL_FROM", err)
}

// secret returns a setting that can be given directly or in a file, and the name of
// the setting that was used.
func secret(name, value, file string) (text, from string, err error) {
	switch {
	case file == "":
		return value, name, nil
	case value != "":
		return "", name + "_FILE", fmt.Errorf("is set together with %s: set one of them", name)
	}
	content, err := os.ReadFile(file)
	return strings.TrimSpace(string(content)), name + "_FILE", err
}

func mailAddress(given, unset string, optional bool) (string, error) {
	if given == "" && optional {
		return unset, nil
	}
	if given == "" {
		return "", errors.New("is required with a mail server: set it to an address such as desk@example.org")
	}
	_, err := mailer.ParseAddress(given)
	return given, err
}

func parsePrefixes(texts []string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for _, text := range nonEmpty(texts) {
		prefix, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is not an address range such as 10.0.0.0/8", text)
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes, nil
}

// Level returns the log level.
func (s Settings) Level() (zerolog.Level, error) {
	switch s.LogLevel {
	case "":
		return zerolog.InfoLevel, nil
	case "debug", "info", "warn", "error":
		return zerolog.ParseLevel(s.LogLevel)
	}
	return zerolog.NoLevel, fmt.Errorf("FRONTDESK_LOG_LEVEL: %q is not one of debug, info, warn, error", s.LogLevel)
}

// Console reports whether the log is written for people. terminal is whether it goes to
// a terminal, which decides the default.
func (s Settings) Console(terminal bool) (bool, error) {
	switch s.LogFormat {
	case "":
		return terminal, nil
	case "console":
		return true, nil
	case "json":
		return false, nil
	}
	return false, fmt.Errorf("FRONTDESK_LOG_FORMAT: %q is not one of console, json", s.LogFormat)
}
