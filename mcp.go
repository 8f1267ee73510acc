package main

import (
	"frontdesk/handlers"
	"frontdesk/internal/workspace"
	"frontdesk/mcpserver"
	"frontdesk/routes"
)

// mcpCore is what the tools of the MCP servers call: the core and the limits of the
// HTTP API, and the trials.
func (s *service) mcpCore(api *handlers.API, limit routes.Limiters) *mcpserver.Core {
	trials := &workspace.Desk{AppURL: s.config.AppURL, Limit: limit.Trial, Store: s.store, Log: s.log}
	if s.config.TrialMail {
		trials.Notice = &workspace.Notice{From: s.config.MailFrom, To: s.config.MailTo, Sender: s.sender()}
	}
	return &mcpserver.Core{
		Answers: api.Answers, AskLimit: limit.Ask,
		Pilots: api.Pilots, ContactLimit: limit.Contact,
		Trials: trials, TrialLimit: limit.Trial,
	}
}

// mcp are the endpoints of the MCP servers of the live content.
func (l *live) mcp() routes.MCP {
	return routes.MCP{
		Website:   &mcpserver.Handler{Current: func() *mcpserver.Server { return l.current.Load().published().website }},
		Workspace: &mcpserver.Handler{Current: func() *mcpserver.Server { return l.current.Load().published().workspace }},
	}
}
