package app

import (
	"bytes"
	"net"
	"net/http"
	"testing"

	"github.com/rs/zerolog"
)

// TestAdminClosesWithoutAnError: a clean stop leaves nothing in the log.
func TestAdminClosesWithoutAnError(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := &admin{listener: listener, server: &http.Server{Handler: http.NotFoundHandler()}}
	var log bytes.Buffer
	ended := make(chan struct{})
	go func() {
		a.serve(zerolog.New(&log))
		close(ended)
	}()
	response, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	a.close()
	<-ended
	if log.Len() > 0 {
		t.Errorf("the log has %s", &log)
	}
}
