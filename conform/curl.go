package conform

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// command is a shell command (bash) that sends the request as the check did: curl,
// or printf into nc for what curl would not send.
func (r request) command(target *url.URL) string {
	if r.wire != "" {
		return r.netcat(target)
	}
	words := []string{"curl", "-si"}
	if r.method == http.MethodHead {
		words = append(words, "-I")
	} else if r.method != http.MethodGet || r.body != "" {
		words = append(words, "-X", quote(r.method))
	}
	if strings.Contains(r.path, "..") || strings.Contains(r.path, "//") || strings.Contains(r.path, "/.") {
		words = append(words, "--path-as-is")
	}
	words = append(words, "-g", quote(strings.TrimRight(target.String(), "/")+r.path))
	for _, line := range r.header {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(value) == "" {
			line = name + ";" // curl's way to send a header without a value
		}
		words = append(words, "-H", quote(line))
	}
	// What curl adds by itself and the check did not send.
	for _, name := range []string{"Accept", "User-Agent"} {
		if !r.has(name) {
			words = append(words, "-H", quote(name+":"))
		}
	}
	if r.chunked {
		words = append(words, "-H", quote("Transfer-Encoding: chunked"))
	}
	return r.withBody(words)
}

func (r request) withBody(words []string) string {
	if r.body == "" {
		if r.method == http.MethodPost {
			words = append(words, "-H", quote("Content-Length: 0"))
		}
		return strings.Join(words, " ")
	}
	if !r.has("Content-Type") {
		words = append(words, "-H", quote("Content-Type:"))
	}
	if isPlain(r.body) {
		return strings.Join(append(words, "--data-binary", quote(r.body)), " ")
	}
	words = append(words, "-H", quote("Expect:"), "--data-binary", "@-")
	return produce(r.body) + " | " + strings.Join(words, " ")
}

// netcat is the command for bytes that are no request of HTTP.
func (r request) netcat(target *url.URL) string {
	port := target.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[target.Scheme]
	}
	if target.Scheme == "https" {
		return produce(string(r.bytes(target))) + fmt.Sprintf(" | openssl s_client -quiet -connect %s:%s", target.Hostname(), port)
	}
	return produce(string(r.bytes(target))) + fmt.Sprintf(" | nc -w 5 %s %s", target.Hostname(), port)
}

// maxPlain is the longest body that is shown as it is.
const maxPlain = 1000

// isPlain reports whether a text can stand in a shell word: no control characters,
// no broken UTF-8, and not too long to be read.
func isPlain(text string) bool {
	return len(text) <= maxPlain && utf8.ValidString(text) && printable(text) == text && !strings.ContainsAny(text, "\ufffd")
}

// quote makes a text one word for the shell.
func quote(text string) string {
	if printable(text) != text || strings.ContainsAny(text, "\n\t") {
		return "\"$(" + produce(text) + ")\""
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Bounds of what is written as a repetition: the unit and how often it comes.
const (
	maxUnit    = 6
	minRepeats = 40
)

// produce is a command that prints exactly the bytes of a text.
func produce(text string) string {
	var commands []string
	start := 0
	literal := func(end int) {
		if start < end {
			commands = append(commands, "printf '"+escape(text[start:end])+"'")
		}
	}
	for i := 0; i < len(text); {
		unit, times := repetition(text[i:])
		if times < minRepeats {
			i++
			continue
		}
		literal(i)
		commands = append(commands, fmt.Sprintf("printf '%s%%.0s' $(seq %d)", escape(unit), times))
		i += len(unit) * times
		start = i
	}
	literal(len(text))
	if len(commands) == 1 {
		return commands[0]
	}
	return "{ " + strings.Join(commands, "; ") + "; }"
}

// repetition is the unit that a text begins with most often.
func repetition(text string) (unit string, times int) {
	for size := 1; size <= maxUnit && size <= len(text); size++ {
		n := 1
		for strings.HasPrefix(text[n*size:], text[:size]) {
			n++
		}
		if n*size > times*len(unit) && n > 1 {
			unit, times = text[:size], n
		}
	}
	return unit, times
}

// escape writes a text for printf's format.
func escape(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c == '%':
			b.WriteString("%%")
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c >= 0x7f || c == '\'':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
