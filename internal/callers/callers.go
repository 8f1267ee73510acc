// Package callers says what kind of program a request comes from: which assistant, another
// program, or a browser. It looks at what programs say of themselves and never at a person.
package callers

import (
	"bytes"
	"strings"
)

// Kind is a kind of callers; the zero value is none.
type Kind int

// The kinds.
const (
	ChatGPT Kind = iota + 1
	Claude
	Gemini
	Perplexity
	Copilot
	Programs
	Browsers
)

// Names are the names of the kinds in their order, for counts and metrics.
var Names = []string{"chatgpt", "claude", "gemini", "perplexity", "copilot", "programs", "browsers"}

// String is the name of a kind; empty for none.
func (k Kind) String() string {
	if k <= 0 || int(k) > len(Names) {
		return ""
	}
	return Names[k-1]
}

// marks are parts, in small letters, of the names of assistants and of their programs: in
// User-Agent headers, in the clientInfo of MCP, and in the origins of their signatures.
var marks = []struct {
	text []byte
	kind Kind
}{
	{[]byte("chatgpt"), ChatGPT}, {[]byte("openai"), ChatGPT}, {[]byte("gptbot"), ChatGPT}, {[]byte("oai-searchbot"), ChatGPT},
	{[]byte("claude"), Claude}, {[]byte("anthropic"), Claude},
	{[]byte("gemini"), Gemini}, {[]byte("googleagent"), Gemini}, {[]byte("notebooklm"), Gemini},
	{[]byte("perplexity"), Perplexity},
	{[]byte("copilot"), Copilot}, {[]byte("visual studio code"), Copilot},
}

// A User-Agent that begins as a browser's does is one if it has the engine, and none of the
// robots' marks.
var (
	engine = []byte("gecko")
	robots = [][]byte{[]byte("bot"), []byte("crawl"), []byte("spider"), []byte("headless"), []byte("http:"), []byte("https:")}
)

// longest is how many bytes of a name are looked at.
const longest = 256

// ByName is the kind of a program with a name, such as the one in clientInfo.
func ByName(name string) Kind { return kindOf(name, false) }

// ByUserAgent is the kind of a program with a User-Agent header.
func ByUserAgent(header string) Kind { return kindOf(header, strings.HasPrefix(header, "Mozilla/")) }

// kindOf runs for every request and allocates nothing.
func kindOf(name string, likeBrowser bool) Kind {
	var lower [longest]byte
	length := copy(lower[:], name)
	text := lower[:length]
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			text[i] = c + 'a' - 'A'
		}
	}
	for i := range marks {
		if bytes.Contains(text, marks[i].text) {
			return marks[i].kind
		}
	}
	if !likeBrowser || !bytes.Contains(text, engine) {
		return Programs
	}
	for _, robot := range robots {
		if bytes.Contains(text, robot) {
			return Programs
		}
	}
	return Browsers
}
