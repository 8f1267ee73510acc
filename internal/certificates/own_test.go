package certificates

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/mholt/acmez/v3/acme"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

func TestOwnFiles(t *testing.T) {
	t.Parallel()
	d, dir := ports(t), t.TempDir()
	config := d.config(t, "")
	config.CertFile, config.KeyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	err := expect.ErrorOf(Open(config))
	expect.Error(t, "without the files", err, fs.ErrNotExist)
	expect.Says(t, "without the files", err, "FRONTDESK_TLS_CERT")
	expect.Same(t, "the log", "", d.log.text())
	replace := func(validity time.Duration, name string) {
		programs.SelfSigned(t, config.CertFile+"~", config.KeyFile+"~", validity, name)
		expect.OK(t, os.Rename(config.KeyFile+"~", config.KeyFile), os.Rename(config.CertFile+"~", config.CertFile))
	}
	replace(100*24*time.Hour, named(t))
	d.run(t, config, nil)
	first := d.eventually(t, anyOne)
	for _, name := range []string{"shop.example", ""} {
		expect.Says(t, "a handshake for "+name, expect.ErrorOf(d.served(t, name)), "unrecognized name")
	}
	replace(10*time.Second, named(t)) // which ends soon
	second := d.eventually(t, func(leaf *x509.Certificate) bool { return !leaf.Equal(first) })
	state := <-d.ending
	expect.Same(t, "the end in the notice", second.NotAfter, state.End)
	expect.Holds(t, "the hint", state.Hint(), "Replace the files")
	expect.Write(t, config.KeyFile, "no key")
	_, next := d.log.wait(t, 0, "certificate refused")
	if leaf := expect.Value(d.served(t, named(t)))(t); !leaf.Equal(second) {
		t.Errorf("with a faulty key, %v is served", leaf)
	}
	replace(time.Hour, "other.example")
	d.log.wait(t, next, "not for every domain")
	expect.Holds(t, "the state", d.States()[0].Hint(), "for all domains")
	answered := false
	d.Challenges(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { answered = true })).ServeHTTP(nil, nil)
	expect.Same(t, "challenges pass", true, answered)
}

// An unreadable kept file is not mistaken for a pending certificate.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	config := ports(t).config(t, "https://ca.example/directory")
	key := certmagic.StorageKeys.SitePrivateKey((&certmagic.ACMEIssuer{CA: config.CA}).IssuerKey(), named(t))
	expect.OK(t, os.MkdirAll(filepath.Join(config.Folder, key), 0o700)) // a folder in place of the file
	states := expect.Value(Read(t.Context(), config))(t)
	expect.Says(t, "the state", states[0].Err, named(t)+".key")
	expect.Same(t, "the advice", "other", states[0].Advice())
	c := expect.Value(Open(config))(t)
	defer c.cache.Stop()
	expect.Says(t, "ready at first", c.Ready(), states[0].Domain+". The service is getting one")
	c.load(t.Context())
	expect.Says(t, "ready", c.Ready(), states[0].Err.Error())
}

func TestIsEnding(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	now := time.Now()
	for _, tt := range []struct {
		lifetime, left time.Duration
		want           bool
	}{
		{90 * day, 15 * day, false}, {90 * day, 14*day - 1, true}, {90 * day, -day, true},
		{365 * day, 15 * day, false}, {365 * day, 13 * day, true},
		{6 * day, 2 * day, false}, {6 * day, day, true}, // it is renewed two days before its end
	} {
		state := State{Start: now.Add(tt.left - tt.lifetime), End: now.Add(tt.left)}
		expect.Same(t, fmt.Sprintf("%v of %v are left", tt.left, tt.lifetime), tt.want, state.IsEnding(now))
	}
	expect.Same(t, "no certificate ends", false, (State{}).IsEnding(now))
}

func TestHints(t *testing.T) {
	t.Parallel()
	problem := func(kind string) error {
		return fmt.Errorf("[desk.example] solving challenges: %w", acme.Problem{Type: acme.ProblemTypeNamespace + kind})
	}
	for want, errs := range map[string][]error{
		"reach": {problem("connection"), problem("unauthorized"), problem("tls"), problem("incorrectResponse")},
		"down": {problem("serverInternal"), context.DeadlineExceeded,
			fmt.Errorf("directory: %w", &net.OpError{Err: os.ErrDeadlineExceeded})},
		"clock":   {fmt.Errorf("directory: %w", x509.CertificateInvalidError{Reason: x509.Expired})},
		"other":   {problem("malformed"), errors.New("the disk is full")},
		"dns":     {problem("dns")},
		"limited": {problem("rateLimited")},
		"caa":     {problem("caa")},
	} {
		for _, err := range errs {
			expect.Same(t, err.Error(), want, advice(err))
			expect.Holds(t, err.Error(), Hint(err), " ")
		}
	}
}
