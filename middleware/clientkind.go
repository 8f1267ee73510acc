package middleware

import (
	"slices"
	"strings"
)

// ClientKind is the kind of program that a request comes from, for counts and metrics: an
// assistant, another program or a browser; empty for none. It follows from what a program
// says of itself, never from a person.
type ClientKind string

const (
	ChatGPT    ClientKind = "chatgpt"
	Claude     ClientKind = "claude"
	Gemini     ClientKind = "gemini"
	Perplexity ClientKind = "perplexity"
	Copilot    ClientKind = "copilot"
	Programs   ClientKind = "programs"
	Browsers   ClientKind = "browsers"
)

// ClientKinds are all kinds.
var ClientKinds = []ClientKind{ChatGPT, Claude, Gemini, Perplexity, Copilot, Programs, Browsers}

// marks are parts, in small letters, of the names of assistants and of their programs: in
// User-Agent headers and in the clientInfo of MCP.
var marks = []struct {
	kind  ClientKind
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

// clientKindByName is the kind of a program with a name, such as the one in clientInfo.
func clientKindByName(name string) ClientKind {
	name = lower(name)
	for _, of := range marks {
		if containsAny(name, of.parts) {
			return of.kind
		}
	}
	return Programs
}

// clientKindByUserAgent is the kind of a program with a User-Agent header.
func clientKindByUserAgent(header string) ClientKind {
	kind, name := clientKindByName(header), lower(header)
	if kind == Programs && strings.HasPrefix(header, "Mozilla/") && strings.Contains(name, engine) &&
		!containsAny(name, robots) {
		return Browsers
	}
	return kind
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
