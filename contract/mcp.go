package contract

// MCPVersions are the protocol versions of both MCP servers (section 4), the
// preferred one first.
var MCPVersions = []string{"2025-06-18", "2025-03-26"}

// ServerVersion is the version that both MCP servers tell of themselves.
const ServerVersion = "1.0.0"

// PathLLMS is where the guide for language models is published (section 1).
const PathLLMS = "/llms.txt"
