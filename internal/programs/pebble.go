package programs

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

// installPebble installs Debian's Pebble, with the DNS server that belongs to it.
const installPebble = "apt-get install pebble"

// Authority is a real ACME server, for which every name leads to 127.0.0.1.
type Authority struct {
	*Server
	// Own verifies the certificate that the authority itself shows, and OwnFile holds it, for SSL_CERT_FILE.
	Own     *x509.CertPool
	OwnFile string

	t          testing.TB
	client     *http.Client
	management string
	dns        *Server
	dnsControl string
}

// Pebble starts an ACME server whose certificates are valid for a time, and which looks for challenges on two ports.
// URL is its directory.
func Pebble(t testing.TB, httpPort, tlsPort string, validity time.Duration) *Authority {
	t.Helper()
	path := Find(t, "pebble", installPebble)
	dnsPath := Find(t, "pebble-challtestsrv", installPebble)
	dir := t.TempDir()
	addr, _ := FreeAddr(t)
	management, _ := FreeAddr(t)
	dnsAddr, _ := FreeAddr(t)
	dnsControl, _ := FreeAddr(t)
	a := &Authority{OwnFile: filepath.Join(dir, "own.pem"), t: t, management: "https://" + management,
		dnsControl: "http://" + dnsControl}
	a.Own = SelfSigned(t, a.OwnFile, filepath.Join(dir, "key.pem"), time.Hour, "127.0.0.1")
	a.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.Own}}}
	config := map[string]any{"pebble": map[string]any{
		"listenAddress": addr, "managementListenAddress": management,
		"certificate": a.OwnFile, "privateKey": filepath.Join(dir, "key.pem"),
		"httpPort": json.Number(httpPort), "tlsPort": json.Number(tlsPort),
		"certificateValidityPeriod": int(validity.Seconds()),
	}}
	text := expect.Value(json.Marshal(config))(t)
	file := filepath.Join(dir, "pebble.json")
	expect.OK(t, os.WriteFile(file, text, 0o600))
	a.dns = Listening(t, dnsControl, func() *exec.Cmd {
		return exec.Command(dnsPath, "-dns01", dnsAddr, "-management", dnsControl, "-defaultIPv6", "", "-http01", "",
			"-https01", "", "-tlsalpn01", "")
	}, func() error { return a.Resolve("started.example", "127.0.0.1") })
	a.Server = Listening(t, addr, func() *exec.Cmd {
		cmd := exec.Command(path, "-strict", "-config", file, "-dnsserver", dnsAddr)
		cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1")
		return cmd
	}, func() error { _, err := a.get("https://" + addr + "/dir"); return err })
	a.URL = "https://" + addr + "/dir"
	return a
}

// Resolve lets the authority find a name at an address.
func (a *Authority) Resolve(name, address string) error {
	text, err := json.Marshal(map[string]any{"host": name, "addresses": []string{address}})
	if err != nil {
		return err
	}
	response, err := http.Post(a.dnsControl+"/add-a", "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// Roots are the roots of the certificates that it has issued since its start.
func (a *Authority) Roots() *x509.CertPool {
	a.t.Helper()
	text, err := a.get(a.management + "/roots/0")
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		a.t.Fatalf("the root of the authority: %v, %q", err, text)
	}
	return roots
}

func (a *Authority) get(url string) ([]byte, error) {
	response, err := a.client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s is answered %s", url, response.Status)
	}
	return io.ReadAll(response.Body)
}

// SelfSigned writes a certificate for names and addresses, which is valid for a time, and its key. It returns the
// roots that verify it.
func SelfSigned(t testing.TB, certFile, keyFile string, validity time.Duration, names ...string) *x509.CertPool {
	t.Helper()
	key := expect.Value(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(validity),
		IsCA: true, BasicConstraintsValid: true,
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der := expect.Value(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))(t)
	private := expect.Value(x509.MarshalPKCS8PrivateKey(key))(t)
	roots := x509.NewCertPool()
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der},
		keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		text := pem.EncodeToMemory(block)
		roots.AppendCertsFromPEM(text)
		expect.OK(t, os.WriteFile(file, text, 0o600))
	}
	return roots
}
