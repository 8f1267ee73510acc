package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"frontdesk/contract"
	"frontdesk/internal/config"
)

// settings finds errors that would stop the start, and unknown variables.
func (e *examination) settings(context.Context) Finding {
	if e.faulty != nil {
		return failed(joined(e.faulty), "frontdesk serve --help explains every setting. "+
			"The other checks run once the settings are correct.")
	}
	if warnings := config.Warnings(e.environ); len(warnings) > 0 {
		return warning(strings.Join(warnings, "; "), "Correct or remove them: frontdesk serve --help lists every setting.")
	}
	return ok(bothForms(e.service.BaseURL))
}

// bothForms adds to an address or a name with an international name how people write that.
func bothForms(address string) string {
	name := (&url.URL{Host: address[strings.LastIndex(address, "/")+1:]}).Hostname()
	if written, err := idna.Lookup.ToUnicode(name); err == nil && written != name {
		return address + " (" + written + ")"
	}
	return address
}

// joined writes the errors of errors.Join in one line.
func joined(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// content finds errors in the content folder that would stop the start.
func (e *examination) content(ctx context.Context) Finding {
	found, err := e.checkContent(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return warning(fmt.Sprintf("the golden questions could not be tried within %v", contentLimit),
			"frontdesk check tries them, however long the encoder has to read.")
	case err != nil:
		return failed(joined(err), "frontdesk check reports each fault with file and line.")
	case e.Settings.Content == "":
		return warning("the embedded sample: "+found.Summary,
			"frontdesk init DIR writes it to edit; then set FRONTDESK_CONTENT to that folder.")
	case len(found.Warnings) > 0:
		return warning(fmt.Sprintf("%s; warnings: %d", found.Summary, len(found.Warnings)),
			"Run `frontdesk check` to see the warnings.")
	}
	return ok(found.Summary)
}

// widest is the length of the shortest prefix that can be a private network of proxies:
// 10.0.0.0/8 or fd00::/8.
const widest = 8

// trustedProxies finds settings with which the limits would count the wrong client.
func (e *examination) trustedProxies(context.Context) Finding {
	const example = "name only the addresses of the proxies, such as 127.0.0.1 or 10.0.0.7/32"
	var proxies []string
	for _, prefix := range e.service.TrustedProxies {
		if prefix.Bits() < widest {
			return failed(fmt.Sprintf("%s contains addresses of strangers, who could claim any client address and evade the "+
				"limits", prefix),
				"In FRONTDESK_TRUSTED_PROXIES "+example+".")
		}
		proxies = append(proxies, prefix.String())
	}
	switch {
	case len(proxies) > 0:
		return ok(strings.Join(proxies, ", "))
	case strings.HasPrefix(e.service.BaseURL, "https:") && !e.Settings.IsOn():
		return warning("none, but the base address is https, so a proxy answers it: all clients share the limits of one",
			"Set FRONTDESK_TRUSTED_PROXIES: "+example+".")
	}
	return ok("none: each peer counts as the client")
}

// mcp names the settings for clients that come to a public service and do not follow the
// contract's protocol.
func (e *examination) mcp(context.Context) Finding {
	what := fmt.Sprintf("errors of tools: %s; versions: %s", e.Settings.MCPToolErrors, e.Settings.MCPVersions)
	if e.service.Loopback {
		return ok(what)
	}
	if e.Settings.MCPToolErrors == contract.ToolErrorsContract {
		what += "; " + config.AboutMCPToolErrors
	}
	if e.Settings.MCPVersions == contract.MCPVersionsContract {
		what += "; " + config.AboutMCPVersions
	}
	return ok(what)
}
