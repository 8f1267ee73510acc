// Plays both servers with the client of @modelcontextprotocol/sdk, which checks every
// result against the output schema of its tool, and counts what their lists of tools cost a
// model.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const base = process.argv[2];
const person = { business: "Analytical Engines Ltd", email: "ada@example.com", name: "Ada" };

async function connect(path) {
  const client = new Client({ name: "ci", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(base + path)));
  return client;
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

const website = await connect("/mcp");
assert.equal(website.transport.protocolVersion, "2025-06-18");
assert.match(website.getInstructions(), /trial starts at the workspace server/);
await website.ping();

const { tools } = await website.listTools();
assert.deepEqual(tools.map((t) => t.name), ["ask_faq", "get_service", "list_services", "request_pilot"]);
assert.deepEqual(tools.filter((t) => !t.annotations.readOnlyHint).map((t) => t.name), ["request_pilot"]);

const catalog = await call(website, "list_services", {});
assert.deepEqual(catalog, await (await fetch(base + "/v1/catalog")).json());
for (const { id } of catalog.services) {
  assert.equal((await call(website, "get_service", { id })).id, id);
}
await assert.rejects(website.callTool({ name: "get_service", arguments: { id: "nope" } }), { code: -32602 });
await assert.rejects(website.callTool({ name: "list_services", arguments: { lang: "de" } }), { code: -32602 });
await assert.rejects(website.callTool({ name: "nope", arguments: {} }), { code: -32602 });

const pilot = { ...person, message: "Hello" };
const preview = await call(website, "request_pilot", { ...pilot, dry_run: true });
assert.equal(preview.would_send.reply_to, person.email);
assert.equal((await call(website, "request_pilot", { ...pilot, preview: preview.digest })).status, "accepted");

const { resources } = await website.listResources();
assert.ok(resources.length >= 2);
for (const { uri } of resources) {
  const { contents } = await website.readResource({ uri });
  const page = await fetch(uri, { headers: { Accept: "text/markdown, */*;q=0.1" } });
  assert.equal(contents[0].text, await page.text(), uri);
}
await assert.rejects(website.readResource({ uri: "file:///etc/passwd" }), { code: -32002 });

for (let i = 0; i < 5; i++) {
  assert.equal((await call(website, "ask_faq", { q: "Who is it for?" })).reason, "matched");
}
await assert.rejects(website.callTool({ name: "ask_faq", arguments: { q: "Who is it for?" } }), { code: 429 });
assert.equal((await fetch(base + "/v1/ask", { method: "POST", body: '{"q":"x"}' })).status, 429);
await website.close();

const workspace = await connect("/api/public/mcp");
assert.match(workspace.getInstructions(), /website's server/);
assert.deepEqual((await workspace.listTools()).tools.map((t) => t.name), ["get_service", "list_services", "start_trial"]);
assert.deepEqual(await call(workspace, "list_services", {}), catalog);
assert.equal((await call(workspace, "start_trial", { ...person, dry_run: true })).would_create.state, "draft");
assert.equal((await call(workspace, "start_trial", person)).state, "draft");
await assert.rejects(workspace.callTool({ name: "start_trial", arguments: { business: "AE" } }), { code: -32602 });
await workspace.close();

console.log("sdk client: both servers answer as published");

// The tokens of a list of tools, as o200k_base counts the bytes that were sent.
async function tokens(path) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const reply = await (await fetch(base + path, { method: "POST", body })).json();
  return countTokens(JSON.stringify(reply.result.tools));
}

const [onWebsite, onWorkspace] = [await tokens("/mcp"), await tokens("/api/public/mcp")];
assert.ok(onWebsite < 1500, `the tools of the website take ${onWebsite} tokens: shorten a text`);
const figures = `The lists of tools take ${onWebsite.toLocaleString("en")} (website) and ${onWorkspace.toLocaleString("en")} (workspace) tokens`;
assert.ok(readFileSync(new URL("../../docs/mcp.md", import.meta.url), "utf8").includes(figures), `docs/mcp.md does not say: ${figures}`);
console.log(`tokens: ${onWebsite} and ${onWorkspace}`);
