// Reads the breaking changes that oasdiff reports as JSON on standard input, and
// fails on any that is not accepted below.
//
// Section 9 promises that nothing breaks inside v1, so this list holds only what was
// decided in an issue. A correction makes the description state what the service has
// always done; a widening is a new answer that was approved.
import { readFileSync } from "node:fs";

const accepted = [
  { kind: "widening", id: /^response-property-/, text: /`(.*\/)?pricing_bands\/items\/(from|to)`|`(.*\/)?(from|to)`/,
    why: "amounts have the currency's own digits (decisions, Content), so they are numbers" },
  { kind: "widening", id: /^response-property-max-items-/, text: /`suggestions`/, why: "a fallback suggests up to five questions (decisions, Answers)" },
  { kind: "widening", id: "response-property-became-nullable", text: /`links\/workspace_mcp`/, why: "null when the owner offers no trials" },
  { kind: "widening", id: "response-header-became-optional", text: /`ratelimit(-policy)?`/,
    why: "absent only for addresses that the owner exempts from the limits (FRONTDESK_LIMIT_EXEMPT)" },

  { kind: "correction", id: "response-property-const-removed", text: /`(ok|dry_run)` response property const value `(true|false)`/,
    why: "generated Python clients raise on a boolean const, generated Java does not compile; the value stays the same" },
  { kind: "correction", id: "response-property-list-of-types-widened", text: /`id` list-of-types/,
    why: "written as anyOf, which oapi-codegen reads, and with number: the service has always echoed any id of JSON-RPC" },
  { kind: "correction", id: "response-media-type-removed", text: /`application\/xml`/, path: "/sitemap.xml",
    why: "text/xml (RFC 7303: the same type), because no Python generator reads application/xml" },
  { kind: "correction", id: /^request-body-(any-of-removed|if-added|then-added)$/, path: "/api/ask/feedback",
    why: "written as if/then, because generators make unusable types of anyOf; the rule stays the same" },
  { kind: "correction", id: /^request-(property|parameter)-pattern-added$/, why: "the service has always refused these control characters" },
  { kind: "correction", id: "request-property-min-length-set", text: /`method`/, why: "the service has always refused an empty method" },
  { kind: "correction", id: "request-parameter-removed", text: /`accept`/, why: "OpenAPI ignores a parameter named Accept; the text describes the header" },
];

const matches = (expected, value) => expected === undefined || (expected instanceof RegExp ? expected.test(value) : expected === value);
const changes = JSON.parse(readFileSync(0, "utf8")) ?? [];
const counts = new Map();
let refused = 0;
for (const { id, text, path, operation } of changes) {
  const entry = accepted.find((a) => matches(a.id, id) && matches(a.text, text) && matches(a.path, path));
  if (entry) {
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
    continue;
  }
  refused++;
  console.error(`${id}: ${operation} ${path}: ${text}`);
}
for (const [{ kind, why }, count] of counts) console.log(`accepted ${kind} (${count}): ${why}`);
process.exitCode = refused === 0 ? 0 : 1;
