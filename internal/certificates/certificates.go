// Package certificates gets and renews the certificates of the service's domains by ACME, or reads the owner's own
// files again when they change. A handshake never waits for a certificate, and an expired one is used until there is
// another.
package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/mholt/acmez/v3"
	"github.com/rs/zerolog"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"frontdesk/internal/disk"
	"frontdesk/internal/span"
)

// Folder is the folder of the data folder in which certificates, their keys and the ACME account are.
const Folder = "certificates"

// Config is what certificates are made of.
type Config struct {
	Domains           []string
	Folder            string // where those of ACME are kept
	CA, Email         string // of ACME
	CertFile, KeyFile string // those of the owner, in place of ACME; empty for none
	// HTTPS and HTTP are the addresses on which the service listens.
	HTTPS, HTTP net.Addr
	Events      *span.Events
	Log         zerolog.Logger
	// Ending is called when a certificate ends soon: at every look at it, by one caller at a time.
	Ending func(ctx context.Context, state State)
}

// Certificates are the certificates of the domains. Its methods may be called concurrently.
type Certificates struct {
	Config
	own atomic.Pointer[tls.Certificate] // the owner's; nil with ACME

	acme   *certmagic.Config
	issuer *certmagic.ACMEIssuer
	cache  *certmagic.Cache

	mu       sync.Mutex
	failures map[string]error // by domain: why the last attempt to load or get its certificate failed
	looks    chan struct{}    // holds an item when a certificate may have changed
}

const (
	// renewInterval is how often certificates are looked through for those that are due.
	renewInterval = 10 * time.Minute
	// lookInterval is how often a certificate that ends is reported; the first time is exact.
	lookInterval = 12 * time.Hour
)

// Read returns the states of certificates that are there, without getting any.
func Read(ctx context.Context, config Config) ([]State, error) {
	c, err := Open(config)
	if err != nil {
		return nil, err
	}
	if c.acme != nil {
		defer c.cache.Stop()
		c.load(ctx)
	}
	return c.States(), nil
}

// Open reads the files of the owner, if there are any. Nothing is requested before Manage.
func Open(config Config) (*Certificates, error) { return open(config, renewInterval, nil) }

// open is Open with another interval, and roots that verify the authority's own certificate, nil for the system's.
func open(config Config, renewInterval time.Duration, roots *x509.CertPool) (*Certificates, error) {
	c := &Certificates{Config: config, failures: map[string]error{}, looks: make(chan struct{}, 1)}
	if c.CertFile != "" {
		return c, c.Reload()
	}
	disableStorageLog()
	log := zap.NewNop()
	if c.Log.GetLevel() <= zerolog.DebugLevel {
		log = zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zapcore.EncoderConfig{MessageKey: "message"}),
			zapcore.AddSync(debugLog{c.Log}), zap.DebugLevel))
	}
	c.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert:   func(certmagic.Certificate) (*certmagic.Config, error) { return c.acme, nil },
		RenewCheckInterval: renewInterval, Logger: log,
	})
	c.acme = certmagic.New(c.cache, certmagic.Config{
		Storage: &certmagic.FileStorage{Path: c.Folder}, OCSP: certmagic.OCSPConfig{DisableStapling: true}, OnEvent: c.note,
		Logger: log,
	})
	issuer := certmagic.ACMEIssuer{CA: c.CA, TestCA: c.CA, Email: c.Email, Agreed: true, TrustedRoots: roots, Logger: log}
	if c.CA == certmagic.LetsEncryptProductionCA {
		issuer.TestCA = certmagic.LetsEncryptStagingCA // for tries after a failed one, because failures are limited
	}
	if addr, ok := c.HTTPS.(*net.TCPAddr); ok {
		issuer.AltTLSALPNPort = addr.Port
		if !addr.IP.IsUnspecified() {
			issuer.ListenHost = addr.IP.String()
		}
	}
	if addr, ok := c.HTTP.(*net.TCPAddr); ok {
		issuer.AltHTTPPort = addr.Port
	}
	c.issuer = certmagic.NewACMEIssuer(c.acme, issuer)
	c.acme.Issuers = []certmagic.Issuer{c.issuer}
	return c, nil
}

// disableStorageLog turns off the logger of certmagic's file storage, which takes no other one and writes to stderr.
var disableStorageLog = sync.OnceFunc(func() { *certmagic.Default.Logger = *zap.NewNop() })

// debugLog writes the lines of certmagic into the log.
type debugLog struct{ log zerolog.Logger }

func (d debugLog) Write(line []byte) (int, error) {
	d.log.Debug().RawJSON("acme", line[:len(line)-1]).Msg("certificates")
	return len(line), nil
}

// Manage uses the certificates on disk. Until ctx ends, it gets those that are missing or due for renewal; the end of
// ctx also stops requests under way.
func (c *Certificates) Manage(ctx context.Context) {
	if c.acme == nil {
		for _, dir := range slices.Compact([]string{filepath.Dir(c.CertFile), filepath.Dir(c.KeyFile)}) {
			go disk.Folder{Path: dir, Log: c.Log}.Run(ctx, func() { _ = c.Reload() }) // logged
		}
		return
	}
	c.load(ctx)
	for _, state := range c.States() {
		if _, unread := errors.AsType[*fs.PathError](state.Err); state.Err != nil && !unread { // its files are damaged
			_ = c.acme.Storage.Delete(ctx, certmagic.StorageKeys.CertsSitePrefix(c.issuer.IssuerKey(), state.Domain))
		}
	}
	c.setAsideAccounts()
	go func() { // what is loaded already, ManageAsync leaves to the next look through
		if err := errors.Join(c.acme.ManageAsync(ctx, c.Domains), c.cache.RenewManagedCertificates(ctx)); err != nil {
			c.Log.Error().Err(err).Msg("certificates cannot be managed")
		}
	}()
}

// setAsideAccounts moves each account with a damaged file, because certmagic makes no new account while that file is
// there. It moves it out of users, because certmagic takes the names in that folder for addresses.
func (c *Certificates) setAsideAccounts() {
	folder := os.DirFS(c.Folder)
	files, _ := fs.Glob(folder, "acme/*/users/*/*")
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		_, keyErr := certmagic.PEMDecodePrivateKey(text)
		if err != nil || !(path.Ext(file) == ".key" && keyErr != nil || path.Ext(file) == ".json" && !json.Valid(text)) {
			continue
		}
		account := path.Dir(file)
		aside := strings.Replace(account, "/users/", time.Now().UTC().Format("/damaged-20060102T150405.000Z-"), 1)
		err = os.Rename(filepath.Join(c.Folder, account), filepath.Join(c.Folder, aside))
		c.Log.Error().AnErr("rename", err).Str("file", file).
			Msg("the ACME account in the data folder is damaged: it is set aside, and a new one is made")
	}
}

// load reads the certificates that are kept.
func (c *Certificates) load(ctx context.Context) {
	for _, domain := range c.Domains {
		if _, err := c.acme.CacheManagedCertificate(ctx, domain); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.keep(domain, err)
			c.Log.Error().Str("domain", domain).Err(err).Msg("the certificate in the data folder cannot be used; a damaged " +
				"one is replaced now; if its files cannot be read, mend their permissions or the disk")
		}
	}
}

// Run reports certificates that end soon, until ctx ends.
func (c *Certificates) Run(ctx context.Context) {
	if c.acme != nil {
		defer certmagic.CleanUpOwnLocks(context.WithoutCancel(ctx), c.acme.Logger) // else the next start would wait for them
		defer func() { go c.cache.Stop() }()                                       // it waits for requests under way
	}
	for {
		now, next := time.Now(), lookInterval
		for _, state := range c.States() {
			if state.IsEnding(now) {
				c.Events.Add(span.CertificateEnding, state.Domain)
				c.Log.Warn().Str("domain", state.Domain).Time("end", state.End).Str("hint", state.Hint()).
					Msg("a certificate ends soon or has ended")
				c.Ending(ctx, state)
			} else if !state.End.IsZero() {
				next = min(next, state.noticeAt().Sub(now)+time.Millisecond)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(next):
		case <-c.looks:
		}
	}
}

// note records the outcome of an attempt; certmagic calls it with each event.
func (c *Certificates) note(ctx context.Context, event string, data map[string]any) error {
	if event != "cert_obtained" && event != "cert_failed" || ctx.Err() != nil {
		return nil
	}
	domain, _ := data["identifier"].(string)
	err, _ := data["error"].(error)
	c.keep(domain, err)
	if err == nil {
		c.Log.Info().Str("domain", domain).Msg("certificate obtained")
	} else {
		c.Events.Add(span.CertificateNotObtained, domain)
		c.Log.Error().Str("domain", domain).Err(err).Str("hint", Hint(err)).
			Msg("a certificate was not obtained; the service tries again by itself")
	}
	c.look()
	return nil
}

func (c *Certificates) keep(domain string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures[domain] = err
}

func (c *Certificates) look() {
	select {
	case c.looks <- struct{}{}:
	default:
	}
}

// Reload reads the files of the owner, if there are any. Files with a fault change nothing.
func (c *Certificates) Reload() error {
	if c.CertFile == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
	if err != nil {
		err = fmt.Errorf("FRONTDESK_TLS_CERT, FRONTDESK_TLS_KEY: %w", err)
		if c.own.Load() != nil { // at a start the error stops it
			c.Events.Add(span.CertificateRefused, "")
			c.Log.Error().Err(err).Msg("certificate refused: the old one stays in use")
		}
		return err
	}
	if old := c.own.Swap(&pair); old == nil || !old.Leaf.Equal(pair.Leaf) {
		c.Log.Info().Time("end", pair.Leaf.NotAfter).Msg("certificate read")
	}
	for _, domain := range c.Domains {
		if err := pair.Leaf.VerifyHostname(domain); err != nil {
			c.Log.Error().Err(err).Msg("FRONTDESK_TLS_CERT is not for every domain")
		}
	}
	c.look()
	return nil
}

// TLS is the configuration of the listener. Handshakes for other names are refused before anything is computed.
func (c *Certificates) TLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1", acmez.ACMETLS1Protocol},
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			switch {
			case !slices.Contains(c.Domains, strings.ToLower(hello.ServerName)):
				return nil, nil // crypto/tls answers unrecognized_name
			case c.acme == nil:
				return c.own.Load(), nil
			}
			return c.acme.GetCertificate(hello)
		},
	}
}

// Challenges answers what the authority asks over HTTP; next answers everything else.
func (c *Certificates) Challenges(next http.Handler) http.Handler {
	if c.acme == nil {
		return next
	}
	return c.issuer.HTTPChallengeHandler(next)
}

// Ready returns why a domain has no certificate at all, or nil.
func (c *Certificates) Ready() error {
	for _, state := range c.States() {
		if state.End.IsZero() {
			return errors.Join(errors.New("no certificate yet for "+state.Domain+". "+state.Hint()), state.Err)
		}
	}
	return nil
}

// States returns how the certificate of each domain is.
func (c *Certificates) States() []State {
	c.mu.Lock()
	defer c.mu.Unlock()
	states := make([]State, len(c.Domains))
	for i, domain := range c.Domains {
		states[i] = State{Domain: domain, Err: c.failures[domain], Own: c.acme == nil}
		if c.acme == nil {
			leaf := c.own.Load().Leaf
			states[i].Start, states[i].End, states[i].Err = leaf.NotBefore, leaf.NotAfter, leaf.VerifyHostname(domain)
			continue
		}
		for _, one := range c.cache.AllMatchingCertificates(domain) {
			if one.Leaf.NotAfter.After(states[i].End) {
				states[i].Start, states[i].End = one.Leaf.NotBefore, one.Leaf.NotAfter
			}
		}
	}
	return states
}
