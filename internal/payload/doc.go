// Package payload reads request bodies strictly and encodes JSON answers. A body is
// one flat JSON object or one form. Whatever could be read in two ways is refused: a
// name given twice, another spelling of a known name, text that is not UTF-8, data after
// the end. Handlers and MCP tools share the package, so both
// read the same bytes in the same way.
//
// encoding/json judges numbers and escapes, but does not read the objects, because it takes
// the last of two equal names, ignores case in names and replaces invalid text. Each of
// these could turn a dry run into a real send.
package payload
