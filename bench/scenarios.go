package main

import (
	"encoding/json"

	"frontdesk/bench/load"
	"frontdesk/bench/peers/recorded"
)

// scenario is one kind of request, with the target of its cost.
type scenario struct {
	name    string
	request load.Request
	want    int     // the status of a right answer
	warm    int     // requests before each batch, so that the limit is reached
	peers   bool    // the MCP peers answer it too
	target  float64 // the most that it may cost: CPU of a request / limit
}

// scenarios returns the rows of the table. An entry must answer the question.
func scenarios(question string) []*scenario {
	text, _ := json.Marshal(question) // a string always has a JSON form
	plain := []string{"Content-Type", "application/json", "Accept", "application/json"}
	open := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}
	call := append([]string{"MCP-Protocol-Version", "2025-06-18"}, open...)
	get := func(path string, header ...string) load.Request {
		return load.Request{Method: "GET", Path: path, Header: header}
	}
	post := func(path string, header []string, body string) load.Request {
		return load.Request{Method: "POST", Path: path, Header: header, Body: body}
	}
	ask := post("/v1/ask", plain, `{"q":`+string(text)+`}`)
	refused := ask
	refused.From = load.OneClient
	return []*scenario{
		{name: recorded.Health, target: 1.25, want: 200, request: health},
		{name: recorded.Catalog, target: 1.25, want: 200, request: catalog},
		{name: recorded.NotModified, target: 1.3, want: 304, request: get("/v1/catalog", "If-None-Match", "*")},
		{name: recorded.Gzip, target: 1.35, want: 200, request: get("/v1/catalog", "Accept-Encoding", "gzip")},
		{name: recorded.Ask, target: 1.5, want: 200, request: ask},
		{name: recorded.Refused, target: 1.25, want: 429, warm: 20, request: refused},
		{name: recorded.DryRun, target: 1.7, want: 200, request: post("/v1/contact", plain, dryRun)},
		{name: recorded.ListServices, target: 1.4, want: 200, peers: true, request: post(recorded.PathMCP, call,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_services","arguments":{}}}`)},
		{name: recorded.Initialize, target: 1.5, want: 200, peers: true, request: post(recorded.PathMCP, open,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},`+
				`"clientInfo":{"name":"bench","version":"1"}}}`)},
		{name: recorded.AskFAQ, target: 2.6, want: 200, peers: true, request: post(recorded.PathMCP, call,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_faq","arguments":{"q":`+string(text)+`}}}`)},
	}
}

const dryRun = `{"name":"Ada Example","business":"Example Bakery","email":"ada@bakery.example",` +
	`"message":"We would like to try online booking in two shops. Please call after four.",` +
	`"phone":"+10005550100","dry_run":true}`
