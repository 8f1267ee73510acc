package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"frontdesk/internal/config"
)

// settings finds errors that would stop the start, and unknown variables.
func (e *examination) settings(context.Context) Finding {
	if e.faulty != nil {
		return failed(joined(e.faulty), "frontdesk serve --help explains every setting.")
	}
	if warnings := slices.Concat(e.Settings.Obsolete.Warnings(), config.Unknown(e.Environ)); len(warnings) > 0 {
		return warning(strings.Join(warnings, "; "), "Correct or remove them: frontdesk serve --help lists every setting.")
	}
	return ok("%s", e.service.BaseURL)
}

// joined writes the errors of errors.Join in one line.
func joined(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// content finds errors in the content folder that would stop the start.
func (e *examination) content(context.Context) Finding {
	summary, warnings, err := e.Content()
	switch {
	case err != nil:
		return failed(joined(err), "frontdesk check reports each fault with file and line.")
	case e.Settings.Content == "":
		return warning("the embedded sample: "+summary, "frontdesk init DIR writes it to edit; then set FRONTDESK_CONTENT to that folder.")
	case warnings > 0:
		return warning(fmt.Sprintf("%s; warnings: %d", summary, warnings), "Run `frontdesk check` to see the warnings.")
	}
	return ok("%s", summary)
}

// widest is the length of the shortest prefix that can be a private network of proxies:
// 10.0.0.0/8 or fd00::/8.
const widest = 8

// trustedProxies finds settings with which the limits would count the wrong client.
func (e *examination) trustedProxies(context.Context) Finding {
	const example = "name only the addresses of the proxies, such as 127.0.0.1 or 10.0.0.7/32"
	for _, prefix := range e.service.TrustedProxies {
		if prefix.Bits() < widest {
			return failed(fmt.Sprintf("%s contains addresses of strangers, who could claim any client address and evade the limits", prefix),
				"In FRONTDESK_TRUSTED_PROXIES "+example+".")
		}
	}
	switch {
	case len(e.service.TrustedProxies) > 0:
		return ok("%s", join(e.service.TrustedProxies))
	case strings.HasPrefix(e.service.BaseURL, "https:"):
		return warning("none, but the base address is https, so a proxy answers it: all callers share the limits of one client",
			"Set FRONTDESK_TRUSTED_PROXIES: "+example+".")
	}
	return ok("none: each peer counts as the client")
}

func join[T fmt.Stringer](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.String()
	}
	return strings.Join(texts, ", ")
}
