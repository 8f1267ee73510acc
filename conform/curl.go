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
		connect := "nc -w 5 " + target.Hostname() + " " + cmp.Or(target.Port(), "80")
		if target.Scheme == "https" {
			connect = "openssl s_client -quiet -connect " + target.Hostname() + ":" + cmp.Or(target.Port(), "443")
		}
		return produce(string(r.bytes(target))) + " | " + connect
	}
	words := []string{"curl", "-si"}
	header := func(line string) { words = append(words, "-H", quote(line)) }
	if r.Method == http.MethodHead {
		words = append(words, "-I")
	} else if r.Method != http.MethodGet || r.Body != "" {
		words = append(words, "-X", quote(r.Method))
	}
	words = append(words, "--path-as-is", "-g", quote(strings.TrimRight(target.String(), "/")+r.Path))
	for _, line := range r.Header {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(value) == "" {
			line = name + ";" // curl sends a header without a value for this
		}
		header(line)
	}
	if !r.Has("Accept") { // otherwise curl adds one that the check did not send
		header("Accept:")
	}
	if !r.Has("User-Agent") {
		words = append(words, "-A", contract.ConformUserAgent)
	}
	if r.Chunked {
		header("Transfer-Encoding: chunked")
	}
	if r.Body == "" && r.Method == http.MethodPost {
		header("Content-Length: 0")
	}
	if r.Body != "" && !r.Has("Content-Type") {
		header("Content-Type:")
	}
	switch isPlain := len(r.Body) <= maxPlain && printable(r.Body) == r.Body; {
	case r.Body == "":
	case isPlain:
		words = append(words, "--data-binary", quote(r.Body))
	default:
		header("Expect:")
		words = append([]string{produce(r.Body), "|"}, append(words, "--data-binary", "@-")...)
	}
	return strings.Join(words, " ")
}

// maxPlain is the longest body that is written literally, in bytes.
const maxPlain = 1000

// quote makes a text one word for the shell.
func quote(text string) string {
	if printable(text) != text || strings.ContainsAny(text, "\n\t") {
		return "\"$(" + produce(text) + ")\""
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// minRepeats is how often a character must come in a row to be counted in a command.
const minRepeats = 40

// produce returns a command that prints exactly the bytes of a text.
func produce(text string) string {
	var commands []string
	literal := ""
	flush := func() {
		if literal != "" {
			commands, literal = append(commands, "printf '"+literal+"'"), ""
		}
	}
	for text != "" {
		_, size := utf8.DecodeRuneInString(text)
		unit, n := text[:size], 1
		for strings.HasPrefix(text[n*size:], unit) {
			n++
		}
		if text = text[n*size:]; n < minRepeats {
			literal += strings.Repeat(escape(unit), n)
			continue
		}
		flush()
		commands = append(commands, fmt.Sprintf("printf '%s%%.0s' $(seq %d)", escape(unit), n))
	}
	if flush(); len(commands) == 1 {
		return commands[0]
	}
	return "{ " + strings.Join(commands, "; ") + "; }"
}

// escape returns a text as a format of printf.
func escape(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '%' || c == '\\':
			b.Write([]byte{c, c})
		case c < ' ' || c >= 0x7f || c == '\'':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
