// Package workspace is the trial: the draft workspace that start_trial stores
// (contract section 4, decisions, MCP). A draft is a record and nothing more: no
// account, no credential, nothing live. A person at the service makes a workspace
// of it.
package workspace
