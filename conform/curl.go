package conform

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// command returns a bash command that sends the request as the check did, with curl, or
// with printf and nc if curl cannot send it.
func (r Request) command(target *url.URL) string {
	if r.Raw != "" {
		return r.netcat(target)
	}
	words := []string{"curl", "-si"}
	if r.Method == http.MethodHead {
		words = append(words, "-I")
	} else if r.Method != http.MethodGet || r.Body != "" {
		words = append(words, "-X", quote(r.Method))
	}
	if strings.Contains(r.Path, "..") || strings.Contains(r.Path, "//") || strings.Contains(r.Path, "/.") {
		words = append(words, "--path-as-is")
	}
	words = append(words, "-g", quote(strings.TrimRight(target.String(), "/")+r.Path))
	for _, line := range r.Header {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(value) == "" {
			line = name + ";" // curl sends a header without a value for this
		}
		words = append(words, "-H", quote(line))
	}
	if !r.Has("Accept") { // otherwise curl adds one that the check did not send
		words = append(words, "-H", quote("Accept:"))
	}
	if !r.Has("User-Agent") {
		words = append(words, "-A", contract.ConformUserAgent)
	}
	if r.Chunked {
		words = append(words, "-H", quote("Transfer-Encoding: chunked"))
	}
	return r.withBody(words)
}

func (r Request) withBody(words []string) string {
	if r.Body == "" {
		if r.Method == http.MethodPost {
			words = append(words, "-H", quote("Content-Length: 0"))
		}
		return strings.Join(words, " ")
	}
	if !r.Has("Content-Type") {
		words = append(words, "-H", quote("Content-Type:"))
	}
	if isPlain(r.Body) {
		return strings.Join(append(words, "--data-binary", quote(r.Body)), " ")
	}
	words = append(words, "-H", quote("Expect:"), "--data-binary", "@-")
	return produce(r.Body) + " | " + strings.Join(words, " ")
}

// netcat returns the command for malformed HTTP.
func (r Request) netcat(target *url.URL) string {
	connect := "nc -w 5 " + target.Hostname() + " " + cmp.Or(target.Port(), "80")
	if target.Scheme == "https" {
		connect = "openssl s_client -quiet -connect " + target.Hostname() + ":" + cmp.Or(target.Port(), "443")
	}
	return produce(string(r.bytes(target))) + " | " + connect
}

// maxPlain is the longest body that is written literally, in bytes.
const maxPlain = 1000

// isPlain reports whether a text can be a literal shell word: no control characters, no
// broken UTF-8, and not too long to read.
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

// Bounds of repetitions: the longest unit and the fewest repeats.
const (
	maxUnit    = 6
	minRepeats = 40
)

// produce returns a command that prints exactly the bytes of a text.
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

// repetition returns the unit whose repetition covers most of the beginning of a text.
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

// escape returns a text as a format of printf.
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
