// Calls every operation with openapi-fetch, typed by openapi-typescript.
import createClient from "openapi-fetch";
import type { components, paths } from "./desk.js";

const base = process.argv[2]!;
const client = createClient<paths>({ baseUrl: base, headers: { "X-Forwarded-For": "10.0.0.3" } });
const foreign = { Origin: "https://elsewhere.example" };
const pilot = { name: "Ada Lovelace", business: "Analytical Engines Ltd", email: "ada@example.com", message: "We would like to try it." };
const ping: components["schemas"]["JSONRPCRequest"] = { jsonrpc: "2.0", id: 1, method: "ping" };

async function result(kind: string, operation: string, run: () => Promise<boolean | undefined>): Promise<void> {
  let fault = "the answer is not as expected";
  const good = await run().catch((error: unknown) => ((fault = String(error)), false));
  console.log([good ? "ok" : "FAIL", kind, operation, ...(good ? [] : [fault])].join("\t"));
}
const check = (operation: string, run: () => Promise<boolean | undefined>) => result("answer", operation, run);
const refuses = (operation: string, run: () => Promise<boolean | undefined>) => result("error", operation, run);

await check("getHealth", async () => (await client.GET("/v1/health")).data?.status === "ok");
await refuses("getHealth", async () => (await client.GET("/v1/health", { headers: foreign })).error?.code === "forbidden");
for (const [operation, path] of [["getCatalog", "/v1/catalog"], ["getAgents", "/agents.json"]] as const) {
  await check(operation, async () => ((await client.GET(path)).data?.services.length ?? 0) > 0);
  await refuses(operation, async () => (await client.GET(path, { headers: foreign })).error?.code === "forbidden");
}
for (const [operation, path] of [["ask", "/v1/ask"], ["askAlias", "/api/ask"]] as const) {
  await check(operation, async () => (await client.POST(path, { body: { q: "What does it cost?" } })).data?.ok);
  await refuses(operation, async () => (await client.POST(path, { body: { q: " " } })).error?.code === "invalid_request");
}
await check("giveFeedback", async () => (await client.POST("/api/ask/feedback", { body: { helpful: true, q: "What does it cost?" } })).data?.ok);
await refuses("giveFeedback", async () =>
  (await client.POST("/api/ask/feedback", { headers: { "X-Forwarded-For": "10.0.1.3" }, body: { helpful: true, entry_id: "no-such-entry" } })).error?.detail.startsWith("entry_id"));
for (const [operation, path] of [["contact", "/v1/contact"], ["contactAlias", "/api/contact"]] as const) {
  await check(operation, async () => {
    const preview = (await client.POST(path, { body: { ...pilot, dry_run: true } })).data;
    const accepted = (await client.POST(path, { body: pilot })).data;
    return preview && "digest" in preview && accepted && "id" in accepted && accepted.status === "accepted";
  });
  await refuses(operation, async () => (await client.POST(path, { body: { ...pilot, preview: "0".repeat(64) } })).error?.code === "invalid_request");
}
for (const [operation, path] of [["websiteMCP", "/mcp"], ["workspaceMCP", "/api/public/mcp"]] as const) {
  await check(operation, async () => (await client.POST(path, { body: ping })).data?.result !== undefined);
  await refuses(operation, async () => (await client.POST(path, { body: ping, headers: foreign })).error?.code === "forbidden");
}
for (const [operation, path] of [
  ["getOpenAPI", "/openapi.json"], ["getAPICatalog", "/.well-known/api-catalog"], ["getServerCard", "/.well-known/mcp/server-card.json"],
  ["getServerCardShort", "/.well-known/mcp.json"], ["getServerCardMCP", "/mcp/server-card"], ["getWorkspaceServerCard", "/api/public/mcp/server-card"], ["getSkills", "/.well-known/agent-skills/index.json"],
  ["getAICatalog", "/.well-known/ai-catalog.json"], ["getARD", "/.well-known/ard.json"], ["getKeys", "/.well-known/http-message-signatures-directory"],
] as const) {
  await check(operation, async () => Object.keys((await client.GET(path)).data ?? {}).length > 0);
}
for (const [operation, path] of [
  ["getLLMs", "/llms.txt"], ["getLLMsWellKnown", "/.well-known/llms.txt"], ["getLLMsFull", "/llms-full.txt"], ["getAuthGuide", "/auth.md"],
  ["getSkill", "/.well-known/agent-skills/front-desk/SKILL.md"],
  ["getSecurity", "/.well-known/security.txt"], ["getRobots", "/robots.txt"], ["getSitemap", "/sitemap.xml"],
] as const) {
  await check(operation, async () => ((await client.GET(path, { parseAs: "text" })).data?.length ?? 0) > 0);
}
for (const [operation, path] of [["getOpenAPI", "/openapi.json"], ["getLLMs", "/llms.txt"], ["getLLMsFull", "/llms-full.txt"],
  ["getAuthGuide", "/auth.md"], ["getRobots", "/robots.txt"], ["getSitemap", "/sitemap.xml"]] as const) {
  await refuses(operation, async () => (await client.GET(path, { headers: foreign })).error?.code === "forbidden");
}
