// Package payload reads request bodies strictly, and encodes JSON answers. It accepts one flat JSON object
// or one form, keeps what it means and refuses what could be read in two ways:
// a name given twice, a name that differs only by case, text that is not UTF-8,
// data after the end. Handlers and MCP tools share it, so that both faces read
// the same bytes the same way.
//
// encoding/json is not used for the outer object because it takes the last of
// two equal names, matches names without regard to case and replaces broken text:
// each of these could turn a dry run into a real send.
package payload
