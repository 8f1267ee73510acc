// Package callers says what kind of program a request comes from: which assistant, another
// program, or a browser. It looks at what programs say of themselves and never at a person.
package callers

import (
	"slices"
	"strings"
)

// Kind is the name of a kind of callers, for counts and metrics; empty for none.
type Kind string

const (
	ChatGPT    Kind = "chatgpt"
	Claude     Kind = "claude"
	Gemini     Kind = "gemini"
	Perplexity Kind = "perplexity"
	Copilot    Kind = "copilot"
	Programs   Kind = "programs"
	Browsers   Kind = "browsers"
)

// Kinds are all kinds.
var Kinds = []Kind{ChatGPT, Claude, Gemini, Perplexity, Copilot, Programs, Browsers}

// marks are parts, in small letters, of the names of assistants and of their programs: in
// User-Agent headers and in the clientInfo of MCP.
var marks = []struct {
	kind  Kind
	parts []string
}{
	{ChatGPT, []string{"chatgpt", "openai", "gptbot", "oai-searchbot"}},
	{Claude, []string{"claude", "anthropic"}},
	{Gemini, []string{"gemini", "googleagent", "notebooklm"}},
	{Perplexity, []string{"perplexity"}},
	{Copilot, []string{"copilot", "visual studio code"}},
}

// A User-Agent that begins as a browser's does is one if it has the engine, and none of the
// robots' marks.
const engine = "gecko"

var robots = []string{"bot", "crawl", "spider", "headless", "http:", "https:"}

// longest is how many bytes of a name are looked at.
const longest = 256

func lower(name string) string { return strings.ToLower(name[:min(len(name), longest)]) }

// ByName is the kind of a program with a name, such as the one in clientInfo.
func ByName(name string) Kind {
	name = lower(name)
	for _, of := range marks {
		if containsAny(name, of.parts) {
			return of.kind
		}
	}
	return Programs
}

// ByUserAgent is the kind of a program with a User-Agent header.
func ByUserAgent(header string) Kind {
	kind, name := ByName(header), lower(header)
	if kind == Programs && strings.HasPrefix(header, "Mozilla/") && strings.Contains(name, engine) &&
		!containsAny(name, robots) {
		return Browsers
	}
	return kind
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
