// Package mcpserver implements the MCP servers of the website and of the workspace
// application (contract section 4; decisions, MCP).
//
// mcp-go keeps the registry of tools and resources and implements the protocol. The
// transport is our own and calls mcp-go's HandleMessage: the library's transport cannot
// answer a limit with an HTTP status, opens event streams, and identifies running calls
// only by the caller's id, so that one client could cancel another's call. This package also
// calls the tools itself, because mcp-go reduces an error of a tool to a text.
//
// [Handler.Serve] (handler.go) reads the envelope strictly (message.go) and refuses
// what the transport must. A [Server] (server.go) answers the message: with bytes that
// were prepared when the content was loaded if the answer never varies, with a tool
// (tool.go), or through mcp-go. errors.go maps errors to JSON-RPC. The servers and
// their tools are described in a document of package discovery (mcp.yaml).
//
// A server belongs to one snapshot of the content and never changes.
package mcpserver
