// Starts the service on a free port, verifies its key directory and a signed
// answer with Cloudflare's http-message-sig, and stops it.
// Usage: node verify.mjs BINARY DATA_FOLDER
import { spawn } from "node:child_process";
import { createHash, generateKeyPairSync, webcrypto as crypto } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { component, verifySignature, webcrypto } from "http-message-sig";

const DIRECTORY = "/.well-known/http-message-signatures-directory";
const MEDIA_TYPE = "application/http-message-signatures-directory+json";

const [binary, data] = process.argv.slice(2);
const port = await freePort();
const base = `http://127.0.0.1:${port}`;

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** call sends a request as it is told to, Host included, and reads the answer. */
function call(method, path, { headers = {}, body = "" } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(base + path, { method, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({
        status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks),
        request: { kind: "request", method, targetUri: base + path, fields: [] },
      }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

const digestOf = (body) => `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;

function thumbprint(jwk) {
  const members = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x });
  return createHash("sha256").update(members).digest("base64url");
}

/** verify checks one signature of an answer with the keys of a directory. */
async function verify(answer, label, keys, requiredComponents, tag) {
  return verifySignature(
    { kind: "response", status: answer.status, request: answer.request,
      fields: Object.entries(answer.headers).map(([name, value]) => ({ name, value: String(value) })) },
    {
      label,
      policy: { algorithms: ["ed25519"], requiredComponents, requiredParameters: ["created", "keyid", "tag"],
        validate: (signature) => signature.parameters.tag === tag },
      resolveVerifier: async ({ parameters }) => {
        const jwk = keys.find((key) => key.kid === parameters.keyid);
        if (jwk === undefined) throw new Error(`no key ${parameters.keyid}`);
        const { kty, crv, x } = jwk;
        return webcrypto.verifier(await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", true, ["verify"]));
      },
    });
}

let passed = 0;
let failed = 0;
async function check(what, run) {
  try {
    const fault = await run();
    if (fault) throw new Error(fault);
    passed++;
    console.log(`ok    ${what}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${what}: ${error.message}`);
  }
}
const refuses = async (promise) => promise.then(() => "it is accepted", () => undefined);

const next = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
const service = spawn(binary, ["serve"], {
  env: { FRONTDESK_ADDR: `127.0.0.1:${port}`, FRONTDESK_BASE_URL: base, FRONTDESK_DATA: data,
    FRONTDESK_SIGNING_KEY_NEXT: next, FRONTDESK_LOG_LEVEL: "warn" },
  stdio: ["ignore", "inherit", "inherit"],
});
const ended = once(service, "exit");
try {
  for (let tries = 0; ; tries++) {
    const up = await call("GET", "/v1/health").catch(() => undefined);
    if (up?.status === 200) break;
    if (tries === 100 || service.exitCode !== null) throw new Error("the service does not answer");
    await sleep(100);
  }

  const directory = await call("GET", DIRECTORY);
  const { keys } = JSON.parse(directory.body);
  const covered = [component("@authority", { req: true }), "content-digest"];
  const tag = "http-message-signatures-directory";
  await check("the directory has the media type, to the byte", () =>
    directory.headers["content-type"] !== MEDIA_TYPE && directory.headers["content-type"]);
  await check("it lists two public keys by their thumbprints", () =>
    (keys.length !== 2 || keys.some((key) => key.kid !== thumbprint(key) || "d" in key)) && directory.body.toString());
  await check("Content-Digest is that of its body", () =>
    directory.headers["content-digest"] !== digestOf(directory.body) && directory.headers["content-digest"]);
  for (const [i, key] of keys.entries()) {
    await check(`key ${i + 1} signs it for this authority`, async () => {
      const { parameters } = await verify(directory, `binding${i}`, keys, covered, tag);
      return parameters.keyid !== key.kid && parameters.keyid;
    });
  }
  await check("the same answer from another authority is refused", () => refuses(verify(
    { ...directory, request: { ...directory.request, targetUri: `https://evil.example${DIRECTORY}` } }, "binding0", keys, covered, tag)));
  await check("it is not signed for another Host", async () =>
    "signature" in (await call("GET", DIRECTORY, { headers: { host: "evil.example" } })).headers && "it is signed");

  const parts = ["@status", "content-type", "content-digest"];
  const answer = await call("POST", "/v1/ask", {
    headers: { "content-type": "application/json",
      "accept-signature": 'sig1=("@status" "content-type" "content-digest");created;nonce="n1"' },
    body: JSON.stringify({ q: "Who is it for?" }),
  });
  await check("Content-Digest of a signed answer is that of its body", () =>
    answer.headers["content-digest"] !== digestOf(answer.body) && answer.headers["content-digest"]);
  await check("a signed answer is verified, with the nonce that was asked for", async () => {
    const { parameters } = await verify(answer, "sig1", keys, parts, "frontdesk-answer");
    return parameters.nonce !== "n1" && parameters.nonce;
  });
  await check("another status is refused", () => refuses(verify({ ...answer, status: 404 }, "sig1", keys, parts, "frontdesk-answer")));
  await check("another digest is refused", () => refuses(verify(
    { ...answer, headers: { ...answer.headers, "content-digest": digestOf("No.") } }, "sig1", keys, parts, "frontdesk-answer")));

  for (const coding of ["identity", "gzip"]) {
    const catalog = await call("GET", "/v1/catalog", {
      headers: { "accept-encoding": coding, "accept-signature": 'sig1=("@status" "content-type" "content-digest");created' },
    });
    await check(`a signed catalog (${coding}) is verified over the bytes that were sent`, async () => {
      await verify(catalog, "sig1", keys, parts, "frontdesk-answer");
      if ((catalog.headers["content-encoding"] ?? "identity") !== coding) return "it has another content coding";
      return catalog.headers["content-digest"] !== digestOf(catalog.body) && catalog.headers["content-digest"];
    });
  }
} finally {
  service.kill("SIGTERM");
  await ended;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
