// Command frontdesk is a business's public front for AI agents and developers:
// catalog, approved answers and pilot requests over HTTP and MCP, and the
// command line to run and to call them.
package main

import "frontdesk/desk"

func main() { desk.Main() }
