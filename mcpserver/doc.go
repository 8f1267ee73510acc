// Package mcpserver is the MCP face of the core: the website's server and the
// workspace's (contract section 4, decisions, MCP).
//
// mcp-go keeps the registry of tools and resources and speaks the protocol; the
// transport is our own, over its HandleMessage. Its own transport could answer a
// limit with no status of ours, would open event streams, and keys running calls
// by the caller's id alone, so that one client could cancel another's call.
//
// A request comes in through [Handler.Serve] (handler.go), which reads the
// envelope strictly (message.go) and refuses what the transport must. A [Server]
// (server.go) answers it: from bytes prepared when the content was loaded where the
// answer never varies, else through mcp-go and a tool (tool.go). errors.go alone
// maps errors to JSON-RPC.
//
// A server belongs to one snapshot of the content and never changes.
package mcpserver
