package main

import (
	"testing"

	"frontdesk/config"
	"frontdesk/conform"
)

// startChecked runs a service whose mail goes to a sink of conform's.
func startChecked(t *testing.T) (*desk, *conform.Sink) {
	t.Helper()
	sink, err := conform.ListenMail("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sink.Close(); err != nil {
			t.Error(err)
		}
	})
	return startDesk(t, func(s *config.Settings) { s.SMTPURL = sink.URL() }), sink
}

// TestConform plays the whole contract against the real service, mail included.
func TestConform(t *testing.T) {
	t.Parallel()
	d, sink := startChecked(t)
	conform.Test(t, d.url, func(o *conform.Options) { o.Send, o.Sink = true, sink })
}
