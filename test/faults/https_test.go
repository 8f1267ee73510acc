package faults

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

const httpsDomain = "desk.example"

// encrypted makes a handshake before a connection is held.
func encrypted(hold hold) hold {
	return func(conn net.Conn) error {
		secure := tls.Client(conn, &tls.Config{ServerName: httpsDomain, InsecureSkipVerify: true})
		return errors.Join(secure.Handshake(), hold(secure))
	}
}

// silent sends nothing.
func silent(net.Conn) error { return nil }

// halfHandshake begins a handshake and never ends it.
func halfHandshake(conn net.Conn) error {
	_, err := conn.Write([]byte{22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3})
	return err
}

// TestHeldOverHTTPS fills all places of a service that answers HTTPS by itself with connections that do nothing: a new
// client is served, and handshakes that do not come are given up.
func TestHeldOverHTTPS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	programs.SelfSigned(t, cert, key, time.Hour, httpsDomain)
	p := setup{mail: listenMail(t), environ: []string{
		"FRONTDESK_DOMAIN=" + httpsDomain, "FRONTDESK_HTTP_ADDR=127.0.0.1:0", "FRONTDESK_TLS_CERT=" + cert,
		"FRONTDESK_TLS_KEY=" + key, "FRONTDESK_MAX_CONNECTIONS=20",
	}}.start(t)
	for name, kind := range map[string]hold{
		"no handshake": silent, "half a handshake": halfHandshake, "half a header": encrypted(slowHeader),
	} {
		held := holdAll(t, p.url, 30, sameAddress, func(int) hold { return kind })
		client := &http.Client{Timeout: patience, Transport: &http.Transport{
			ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{ServerName: httpsDomain, InsecureSkipVerify: true},
		}}
		response := expect.Value(client.Get("https" + p.url[len("http"):] + contract.PathHealth))(t)
		_ = response.Body.Close()
		expect.Same(t, name+": a new client is answered "+response.Proto+" "+response.Status,
			[]any{200, 2}, []any{response.StatusCode, response.ProtoMajor})
		client.CloseIdleConnections()
		for _, conn := range held {
			if name == "half a header" {
				break
			}
			_, err := io.Copy(io.Discard, conn) // until its deadline
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				t.Errorf("%s is still waited for", name)
			}
		}
		closeAll(held)
	}
	p.stop()
}
