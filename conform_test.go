package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/conform"
	"frontdesk/internal/config"
)

// listenMail is a sink of conform's that ends with the test.
func listenMail(t *testing.T) *conform.Sink {
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
	return sink
}

// startChecked runs a service whose mail goes to a sink of conform's.
func startChecked(t *testing.T) (*desk, *conform.Sink) {
	t.Helper()
	sink := listenMail(t)
	return startDesk(t, func(s *config.Settings) { s.SMTPURL = sink.URL() }), sink
}

// TestConform plays the whole contract against the real service, mail included.
func TestConform(t *testing.T) {
	t.Parallel()
	d, sink := startChecked(t)
	conform.Test(t, d.url, func(o *conform.Options) { o.Send, o.Sink = true, sink })
}

func TestConformReadiness(t *testing.T) {
	t.Parallel()
	conform.Test(t, startDesk(t, nil).url, func(o *conform.Options) { o.Readiness = true })
}

// TestConformCommand runs the command as a self-hoster does, with its exit codes.
func TestConformCommand(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	junit := filepath.Join(t.TempDir(), "conform.xml")
	for _, tt := range []struct {
		name     string
		args     []string
		code     int
		out, err string // a part of each
	}{
		{"a section", []string{d.url, "--only", "4.health"}, 0, "2 checks", ""},
		{"what needs leave", []string{d.url, "--only", "real-send-is-accepted"}, 0, "give --send", ""},
		{"readiness", []string{d.url, "--readiness", "--only", "R.discovery"}, 0, "0 failed", ""},
		{"with JUnit", []string{d.url, "--only", "8.3,9.1", "--junit", junit}, 0, "0 failed", ""},
		{"another program", []string{d.url + "/nowhere", "--only", "4.health"}, 1, "FAIL  4.health  health-is-ok", ""},
		{"nobody there", []string{"http://127.0.0.1:1"}, 3, "", "http://127.0.0.1:1"},
		{"no URL", []string{"desk"}, 2, "", "http://"},
		{"no such check", []string{d.url, "--only", "nothing"}, 2, "", "nothing"},
		{"a sink in use", []string{d.url, "--mail-sink", d.listener.Addr().String()}, 2, "", "--mail-sink"},
		{"JUnit nowhere", []string{d.url, "--only", "4.health", "--junit", filepath.Join(junit, "x")}, 1, "", "conform.xml"},
	} {
		code, out, err := command(t, append([]string{"conform"}, tt.args...)...)
		if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(err, tt.err) {
			t.Errorf("%s: exit %d, want %d\nout: %s\nwant %q\nerr: %s\nwant %q", tt.name, code, tt.code, out, tt.out, err, tt.err)
		}
	}
	if len(d.mail.Messages()) != 0 {
		t.Errorf("%d mails were sent without --send", len(d.mail.Messages()))
	}
	written, err := os.ReadFile(junit)
	if err != nil || xml.Unmarshal(written, new(struct{})) != nil {
		t.Errorf("the JUnit file: %v: %s", err, written)
	}
}

// TestConformJSON reads the report as a program does.
func TestConformJSON(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	code, out, _ := command(t, "conform", d.url+"/nowhere", "--only", "9.1", "--json")
	var report conform.Report
	if err := json.Unmarshal([]byte(out), &report); code != 1 || err != nil {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	got := report.Results[0]
	if report.Failed != 1 || got.Status != conform.Fail || got.Section != "9.1" || got.Expected == "" || got.Got == "" || !strings.Contains(got.Curl, "/nowhere/v1/health") {
		t.Errorf("report = %+v", report)
	}
}
