package server

import (
	"bufio"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	framing "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"frontdesk/internal/expect"
)

func TestRedirectToHTTPS(t *testing.T) {
	t.Parallel()
	redirect := redirectToHTTPS("https://desk.example:8443", []string{"desk.example", "www.desk.example"}, zerolog.Nop())
	for _, tt := range []struct{ request, host, location string }{
		{"GET /faq?a=b", "desk.example", "https://desk.example:8443/faq?a=b"},
		{"GET /", "www.desk.example:80", "https://www.desk.example:8443/"},
		{"GET /", "evil.example", "https://desk.example:8443/"},
		{"GET //evil.example/", "desk.example", "https://desk.example:8443//evil.example/"},
		{"GET x:.evil.example/p", "desk.example", ""}, // the scheme would continue the name
		{"GET x:@evil.example/p", "desk.example", ""}, // or begin credentials
		{"GET http://desk.example/faq", "desk.example", ""},
		{"OPTIONS *", "desk.example", ""},
	} {
		request := tt.request + " HTTP/1.1\r\nHost: " + tt.host + "\r\n\r\n"
		w := httptest.NewRecorder()
		redirect.ServeHTTP(w, expect.Value(http.ReadRequest(bufio.NewReader(strings.NewReader(request))))(t))
		status := 308
		if tt.location == "" {
			status = 400
		}
		expect.Same(t, request, []any{status, tt.location, 16}, []any{w.Code, w.Header().Get("Location"), len(w.Header().Get("X-Request-Id"))})
	}
}

// openHTTP2 returns the header of a POST as well.
func openHTTP2(t *testing.T, handler http.Handler) (framer *framing.Framer, post []byte) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2, server.Config.HTTP2 = true, http2
	server.StartTLS()
	t.Cleanup(server.Close)
	conn := expect.Value(tls.Dial("tcp", server.Listener.Addr().String(),
		&tls.Config{NextProtos: []string{"h2"}, InsecureSkipVerify: true}))(t)
	t.Cleanup(func() { _ = conn.Close() })
	expect.Value(io.WriteString(conn, framing.ClientPreface))(t)
	framer = framing.NewFramer(conn, conn)
	expect.OK(t, framer.WriteSettings())
	var header strings.Builder
	encoder := hpack.NewEncoder(&header)
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "https"}, {":authority", "x"}, {":path", "/"}} {
		expect.OK(t, encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}))
	}
	return framer, []byte(header.String())
}

// A client may send 65,535 bytes before it has read our settings (RFC 9113, 6.9.3). All have arrived when its ping is
// answered.
func TestBodyBeforeSettings(t *testing.T) {
	t.Parallel()
	framer, post := openHTTP2(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	expect.OK(t, framer.WriteHeaders(framing.HeadersFrameParam{StreamID: 1, BlockFragment: post, EndHeaders: true}))
	for left := 65535; left > 0; left -= 16 << 10 {
		expect.OK(t, framer.WriteData(1, false, make([]byte, min(left, 16<<10))))
	}
	expect.OK(t, framer.WritePing(false, [8]byte{}))
	for {
		switch frame := expect.Value(framer.ReadFrame())(t).(type) {
		case *framing.RSTStreamFrame:
			t.Fatal("the request is reset: ", frame.ErrCode)
		case *framing.PingFrame:
			return
		}
	}
}

// Requests that share a connection are answered until the end. After a GOAWAY, net/http would drop the second.
func TestDrainOverHTTP2(t *testing.T) {
	t.Parallel()
	s := &Server{}
	s.Handle(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.draining.Store(true)
	framer, post := openHTTP2(t, s.Handler())
	for stream := uint32(1); stream <= 3; stream += 2 {
		expect.OK(t, framer.WriteHeaders(framing.HeadersFrameParam{StreamID: stream, BlockFragment: post,
			EndHeaders: true, EndStream: true}))
		for answered := false; !answered; {
			switch frame := expect.Value(framer.ReadFrame())(t).(type) {
			case *framing.GoAwayFrame:
				t.Fatal("the connection closes before request ", stream, " is answered")
			case *framing.HeadersFrame:
				answered = frame.StreamID == stream
			}
		}
	}
}
