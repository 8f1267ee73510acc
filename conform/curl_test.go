package conform

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

type received struct {
	Method, URI, Host, Body string
	Header                  []string
	Chunked                 bool
}

func listen(t *testing.T) (*url.URL, <-chan received) {
	t.Helper()
	requests := make(chan received, 1)
	listener := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		request := received{Method: r.Method, URI: r.RequestURI, Host: r.Host, Body: string(body), Chunked: len(r.TransferEncoding) > 0}
		for name, values := range r.Header {
			// Headers of framing and of the connection may differ.
			if !slices.Contains([]string{"Connection", "Content-Length"}, name) {
				request.Header = append(request.Header, name+": "+strings.Join(values, " | "))
			}
		}
		slices.Sort(request.Header)
		requests <- request
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return &url.URL{Scheme: "http", Host: listener.Addr().String()}, requests
}

// TestCommandsAreExact sends requests as a check does, and again with the command of the
// report: a server must receive the same.
func TestCommandsAreExact(t *testing.T) {
	t.Parallel()
	programs.Find(t, "curl", "apt-get install curl")
	bash := programs.Find(t, "bash", "apt-get install bash")
	for _, tt := range []struct {
		name string
		r    Request
	}{
		{"get", get("/v1/health")},
		{"headers", get("/v1/health", "Accept: text/markdown", "X-A: it's", "X-A: again", "X-Empty:")},
		{"path as it is", get("/v1/../v1//%2e[1]{2}")},
		{"method", Request{Method: "BREW", Path: "/x"}},
		{"json", post("/x", `{"q":"it's $HOME \"!\" \\n 100%"}`)},
		{"form", post("/x", "a=b&c=%20")},
		{"no type", Request{Method: "POST", Path: "/x", Body: "{}"}},
		{"no body", Request{Method: "POST", Path: "/x"}},
		{"get with a body", Request{Method: "GET", Path: "/x", Body: "abc"}},
		{"host", get("/x", "Host: evil.example", "Origin: null")},
		{"bytes", post("/x", "\xff\xfe\x00\r\n'\\%s")},
		{"unicode", post("/x", "Zoë 李 \u202e")},
		{"repetitions", post("/x", `{"q":"`+strings.Repeat("é", 300)+`"`+strings.Repeat(" ", 1400)+`}`)},
		{"chunked", Request{Method: "POST", Path: "/x", Header: []string{typeJSON}, Body: `{"dry_run":true` + strings.Repeat(" ", 8190) + `}`, Chunked: true}},
		{"tabs in a header", get("/x", "X-A: a\tb")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target, heard := listen(t)
			conn := expect.Value(net.Dial("tcp", target.Host))(t)
			defer conn.Close()
			expect.Value(conn.Write(tt.r.bytes(target)))(t)
			want := <-heard
			command := tt.r.command(target)
			if out, err := exec.CommandContext(t.Context(), bash, "-c", command).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s\n%s", err, out, command)
			}
			expect.Same(t, command, want, <-heard)
		})
	}
}

func TestWireCommands(t *testing.T) {
	t.Parallel()
	bash := programs.Find(t, "bash", "apt-get install bash")
	target := &url.URL{Scheme: "http", Host: "127.0.0.1:8080"}
	for _, wire := range []string{"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n", "\x16\x03\x01\x00%d\\'\"$", strings.Repeat("X-A: b\r\n", 50) + "end", strings.Repeat("ab", 40)} {
		r := Request{Raw: wire}
		command, to, _ := strings.Cut(r.command(target), " | ")
		out, err := exec.CommandContext(t.Context(), bash, "-c", command).Output()
		if err != nil || string(out) != string(r.bytes(target)) || to != "nc -w 5 127.0.0.1 8080" {
			t.Errorf("%s prints %q, %v; want %q", command, out, err, r.bytes(target))
		}
	}
	secure := Request{Raw: "x"}.command(&url.URL{Scheme: "https", Host: "desk.example"})
	if want := "printf 'x' | openssl s_client -quiet -connect desk.example:443"; secure != want {
		t.Errorf("command %s, want %s", secure, want)
	}
}
