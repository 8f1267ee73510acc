package contract_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"frontdesk/contract"
	"frontdesk/test/harness"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// The allowed answers to a changed request, as far as they are clear without parsing the
// request like the service does.

// netHTTPFault checks refusals of net/http, before the service's code runs.
func netHTTPFault(f *rawRequest, a harness.Answer) string {
	switch {
	case a.StatusCode == http.StatusRequestHeaderFieldsTooLarge && len(f.wire()) > contract.MaxHeaderBytes:
	case a.StatusCode == http.StatusBadRequest && f.malformed(f.wire()):
	default:
		return fmt.Sprintf("status %d without %s is an answer of net/http to what is well formed", a.StatusCode, contract.HeaderRequestID)
	}
	return ""
}

// misplaced describes a status that does not fit the request.
func (b *barrage) misplaced(f *rawRequest, a harness.Answer) string {
	has := func(name string) bool {
		return slices.ContainsFunc(f.header, func(line string) bool { return strings.HasPrefix(strings.ToLower(line), name) })
	}
	post := f.method == http.MethodPost
	mcp := strings.Contains(f.target, "mcp")
	inPlace := map[int]bool{
		200: true,
		202: post && mcp,
		204: f.method == http.MethodOptions && has("access-control-request-method"),
		304: has("if-none-match"),
		400: true,
		403: has("origin"),
		404: true,
		405: a.Header.Get("Allow") != "",
		406: mcp && has("accept"),
		413: post && (len(f.body) > contract.CapAsk || f.length > contract.CapAsk),
		429: post && a.Header.Get(contract.HeaderRetryAfter) != "",
		500: post, // only for a database on a busy machine: checkAfterwards reads the log
		502: post && b.mailDown && wantsSending(f),
	}[a.StatusCode]
	if !inPlace {
		return fmt.Sprintf("status %d does not fit the request", a.StatusCode)
	}
	return ""
}

// wantsSending reports whether a body, read with the standard library, is a pilot request
// without dry_run.
func wantsSending(f *rawRequest) bool {
	var message struct {
		Params struct{ Arguments map[string]any }
	}
	fields := map[string]any{}
	body := f.read()
	switch {
	case strings.HasPrefix(strings.TrimLeft(body, " \t\r\n"), "{"):
		_ = json.Unmarshal([]byte(body), &fields)
		_ = json.Unmarshal([]byte(body), &message)
		if message.Params.Arguments != nil {
			fields = message.Params.Arguments
		}
	default:
		form, _ := url.ParseQuery(body)
		for name := range form {
			fields[name] = form.Get(name)
		}
	}
	for _, name := range contract.ContactRequired {
		if text, ok := fields[name].(string); !ok || len(bytes.TrimSpace([]byte(text))) == 0 {
			return false
		}
	}
	dry, given := fields[contract.FieldDryRun]
	return !given || dry == false || dry == "false"
}

var (
	plainHost = regexp.MustCompile(`^ ?[a-z0-9.:-]*$`)
	// A line that begins with a space continues the line before it, which may be Host.
	plainLine = regexp.MustCompile("^[0-9A-Za-z!#$%&'*+.^_`|~-]+:")
)

// malformed reports whether net/http may refuse the request itself.
func (f *rawRequest) malformed(wire []byte) bool {
	if _, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(wire))); err != nil {
		return true
	}
	hosts := 0
	for _, line := range f.header {
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(name, "Host") {
			hosts++
			if !plainHost.MatchString(value) {
				return true
			}
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) || !plainLine.MatchString(line) {
			return true
		}
	}
	return hosts != 1
}
