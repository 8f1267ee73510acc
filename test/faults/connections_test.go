package faults

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

// hold brings a connection into a state in which it stays open.
type hold func(conn net.Conn) error

func idle(conn net.Conn) error {
	if _, err := io.WriteString(conn, "GET "+contract.PathHealth+" HTTP/1.1\r\nHost: desk.example\r\n\r\n"); err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return errors.Join(err, response.Body.Close())
}

func slowHeader(conn net.Conn) error {
	_, err := io.WriteString(conn, "POST "+contract.PathAsk+" HTTP/1.1\r\nHost: desk.ex")
	return err
}

// flood sends a header without an end, for as long as the service reads it.
func flood(conn net.Conn) error {
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: desk.example\r\n"); err != nil {
		return err
	}
	line := "X-Flood: " + strings.Repeat("a", 4000) + "\r\n"
	for range 100 {
		if _, err := io.WriteString(conn, line); err != nil {
			break // it was answered 431, and closed
		}
	}
	return nil
}

func slowReader(conn net.Conn) error {
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		return err
	}
	request := "GET " + contract.PathOpenAPI + " HTTP/1.1\r\nHost: desk.example\r\n\r\n"
	_, err := io.WriteString(conn, strings.Repeat(request, 100))
	return err
}

// The log has how long a new client waits and what memory the process has.
func TestTenThousandConnections(t *testing.T) {
	n := sized(300, 10_000)
	p := setup{mail: listenMail(t)}.start(t)
	before, memory := p.sockets(), p.memory()
	kinds := []hold{slowHeader, flood, slowReader, forms}
	shares := []int{n / 20, n / 20, n / 50, n / 50}
	held := holdAll(t, p.url, n, sameAddress, func(i int) hold {
		for kind, share := range shares {
			if i -= share; i < 0 {
				return kinds[kind]
			}
		}
		return idle
	})
	var waits spread
	for range 200 {
		c := newCaller(t, p.url)
		got := c.send("GET", contract.PathHealth, "")
		if got.status != 200 {
			t.Errorf("a new client is answered %d %v", got.status, got.err)
		}
		waits = append(waits, got.took)
		c.leave()
	}
	other := newCaller(t, p.url)
	other.checkRest(t)
	other.leave()
	t.Logf("%d connections (half headers, header floods, and two kinds that do not read: %v); a new client's health: %v; "+
		"memory %d MB, before %d MB", n, shares, waits, p.memory()>>20, memory>>20)
	expect.AtMost(t, "memory", int64(128<<20+n*(24<<10)), p.memory())
	for _, conn := range held[:sized(0, shares[0])] { // it gives up on half headers by itself
		expect.Error(t, "half a header is still waited for", expect.ErrorOf(io.Copy(io.Discard, conn)), nil)
	}
	closeAll(held)
	eventually(t, "the sockets to be closed", func() bool { return p.sockets() <= before })
	p.stop()
}

func holdAll(t *testing.T, url string, n int, from func(i int) net.IP, kind func(i int) hold) []net.Conn {
	t.Helper()
	held, next := make([]net.Conn, n), make(chan int)
	var group sync.WaitGroup
	for range senders {
		group.Go(func() {
			for i := range next {
				dialer := net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: from(i)}}
				conn, err := dialer.Dial("tcp", strings.TrimPrefix(url, "http://"))
				if err == nil {
					held[i] = conn
					err = errors.Join(conn.SetDeadline(time.Now().Add(patience)), kind(i)(conn))
				}
				if err != nil {
					t.Errorf("connection %d: %v", i, err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
	t.Cleanup(func() { closeAll(held) })
	return held
}

func closeAll(held []net.Conn) {
	for _, conn := range held {
		if conn != nil {
			_ = conn.Close()
		}
	}
}

func (p *process) memory() int64 { return p.status("VmRSS") }

// status returns a number of bytes as Linux tells it; 0 elsewhere.
func (p *process) status(name string) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	_, value, _ := strings.Cut(string(status), name+":")
	var kilobytes int64
	_, _ = fmt.Sscan(value, &kilobytes)
	return kilobytes << 10
}

// With more connections than descriptors new ones wait: some are left for a mail, and all are served again later.
func TestFewFileDescriptors(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skipf("the limit is set by a shell: %v", err)
	}
	s := setup{dir: t.TempDir(), mail: listenMail(t), command: []string{shell, "-c", `ulimit -n 64 && exec "$@"`, shell}}
	p := s.start(t)
	known := newCaller(t, p.url)
	known.http.Transport.(*http.Transport).MaxConnsPerHost = 1 // and it stays connected
	known.wantContact(t, 0)
	held := holdAll(t, p.url, 100, sameAddress, func(int) hold { return silent })
	for i := range 5 {
		for _, path := range []string{contract.PathHealth, contract.PathCatalog} {
			if got := known.send("GET", path, ""); got.status != 200 {
				t.Errorf("a client that is connected is answered %d %v at %s", got.status, got.err, path)
			}
		}
		known.wantContact(t, 1+i)
	}
	closeAll(held)
	known.leave()
	fresh := newCaller(t, p.url)
	fresh.wantContact(t, 6)
	fresh.checkRest(t)
	p.stop()
	s.wantSent(t, 7)
	expect.Lacks(t, "the log", p.log.String(), "too many open files")
}

// forms sends forms without end and reads none of the pages that answer them.
func forms(conn net.Conn) error {
	_ = conn.(*net.TCPConn).SetReadBuffer(4096) // a larger buffer takes longer to fill
	const form = "POST /ask HTTP/1.1\r\nHost: desk.example\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
		"Content-Length: 22\r\n\r\nq=What+does+it+cost%3F"
	_, _ = io.WriteString(conn, strings.Repeat(form, 100)) // fails where the service closes the connection
	return nil
}

func sameAddress(int) net.IP     { return nil }
func manyAddresses(i int) net.IP { return net.IPv4(127, 1, byte(i>>8), byte(i)) }

const httpsDomain = "desk.example"

func encrypted(hold hold) hold {
	return func(conn net.Conn) error {
		secure := tls.Client(conn, &tls.Config{ServerName: httpsDomain, InsecureSkipVerify: true})
		return errors.Join(secure.Handshake(), hold(secure))
	}
}

func silent(net.Conn) error { return nil }

func halfHandshake(conn net.Conn) error {
	_, err := conn.Write([]byte{22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3})
	return err
}

// When idle connections hold all places, a new client is served, and handshakes that do not come are given up.
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
