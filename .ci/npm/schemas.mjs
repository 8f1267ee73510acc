// Validates documents of the running service against JSON schemas:
//   node schemas.mjs BASE_URL SERVER_JSON...
// The workspace's card, which the AI catalog holds whole, is a card like any other.
import { readFile } from "node:fs/promises";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const base = process.argv[2];
const ajv = addFormats(new Ajv({ allErrors: true, strictRequired: false }));

async function schema(name) {
  return ajv.compile(JSON.parse(await readFile(new URL(`${name}.schema.json`, import.meta.url), "utf8")));
}

async function get(path) {
  const answer = await fetch(base + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const card = await schema("server-card");
const catalog = await schema("ai-catalog");
const documents = [];
for (const path of ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json", "/mcp/server-card"]) {
  documents.push([path, card, await get(path)]);
}
for (const path of ["/.well-known/ai-catalog.json", "/.well-known/ard.json"]) {
  const content = await get(path);
  documents.push([path, catalog, content]);
  for (const entry of content.entries.filter((e) => e.data)) documents.push([`${path} ${entry.identifier}`, card, entry.data]);
}

const listing = await schema("server");
for (const file of process.argv.slice(3)) documents.push([file, listing, JSON.parse(await readFile(file, "utf8"))]);

let faults = 0;
for (const [name, validate, content] of documents) {
  if (validate(content)) continue;
  faults++;
  console.error(`${name}: ${ajv.errorsText(validate.errors)}`);
}
// A card without its description must fail, or nothing above means anything.
const { description, ...spoiled } = documents[0][2];
if (card(spoiled)) {
  faults++;
  console.error("the schema accepts a card without description");
}
console.log(`${documents.length} documents, ${faults} faults`);
process.exit(faults ? 1 : 0);
