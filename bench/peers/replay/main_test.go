package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/bench/load"
	"frontdesk/bench/peers/recorded"
)

func TestReplay(t *testing.T) {
	t.Parallel()
	tests := []struct{ scenario, method, path, header, value, body string }{
		{recorded.Health, "GET", "/v1/health", "", "", ""},
		{recorded.Catalog, "GET", "/v1/catalog", "", "", ""},
		{recorded.NotModified, "GET", "/v1/catalog", "If-None-Match", "*", ""},
		{recorded.Gzip, "GET", "/v1/catalog", "Accept-Encoding", "gzip", ""},
		{recorded.Ask, "POST", "/v1/ask", "X-Forwarded-For", "130.1.1.1", `{"q":"?"}`},
		{recorded.Refused, "POST", "/v1/ask", "X-Forwarded-For", load.TheOneClient, `{"q":"?"}`},
		{recorded.DryRun, "POST", "/v1/contact", "", "", `{"dry_run":true}`},
		{recorded.ListServices, "POST", "/mcp", "", "", `{"name":"list_services"}`},
		{recorded.Initialize, "POST", "/mcp", "", "", `{"method":"initialize"}`},
		{recorded.AskFAQ, "POST", "/mcp", "", "", `{"name":"ask_faq"}`},
	}
	answers := recorded.Answers{}
	for i, tt := range tests {
		answers[tt.scenario] = recorded.Answer{Status: 200 + i, Body: []byte(tt.scenario),
			Header: map[string][]string{"Date": {"then"}, "Etag": {tt.scenario}}}
	}
	handler := newReplay(answers)
	for i, tt := range tests {
		t.Run(tt.scenario, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, strings.NewReader(tt.body))
			if tt.header != "" {
				r.Header.Set(tt.header, tt.value)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != 200+i || w.Body.String() != tt.scenario || w.Header().Get("Etag") != tt.scenario || w.Header().Get("Date") != "" {
				t.Errorf("%d, %v, %q; want %d of %s without the old date", w.Code, w.Header(), w.Body, 200+i, tt.scenario)
			}
		})
	}
}
