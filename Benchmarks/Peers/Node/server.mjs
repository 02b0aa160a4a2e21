// A token service as a Node team would write it: node:http and node:crypto, a key parsed once, API keys kept as SHA-256.
// crypto.sign is OpenSSL's, called on the one thread that also serves; npm's jsonwebtoken would call the same.
// AUDIT=FILE adds what tokend does beside the token: a grant, a limit, a chained audit line, metrics, and reuse.

import { createHash, createPrivateKey, randomUUID, sign, timingSafeEqual } from "node:crypto";
import { openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTLSServer } from "node:https";

const { PORT, ACCOUNT, API_KEY_SHA256, AUDIT, TLS_CERTIFICATE, TLS_KEY } = process.env;
const account = JSON.parse(readFileSync(ACCOUNT, "utf8"));
const key = createPrivateKey(account.private_key);
const apiKey = Buffer.from(API_KEY_SHA256, "hex");
const prefix = "/token/driver/";
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const header = base64url({ alg: "RS256", typ: "JWT", kid: account.private_key_id });
const sha256 = (data) => createHash("sha256").update(data).digest();
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function mint(vehicle, now) {
  const [iat, exp] = [now - 60, now + 3540];
  const claims = base64url({
    iss: account.client_email,
    sub: account.client_email,
    aud: "https://fleetengine.googleapis.com/",
    iat,
    exp,
    authorization: { vehicleid: vehicle },
  });
  const input = `${header}.${claims}`;
  const token = `${input}.${sign("sha256", Buffer.from(input), key).toString("base64url")}`;
  return { token, iat, exp, reuseEnds: now + 240 };
}

function body({ token, iat, exp }, now) {
  return {
    token,
    jwt: token,
    expiresInSeconds: exp - now,
    creationTimestamp: iat * 1000,
    expirationTimestamp: exp * 1000,
    creation_timestamp_ms: iat * 1000,
    expiration_timestamp_ms: exp * 1000,
  };
}

class Work {
  grants = { backend: new Set(["driver"]) };
  tokens = new Map();
  remaining = 1_000_000;
  refilled = performance.now();
  file = openSync(AUDIT, "a", 0o600);
  sequence = 0;
  previous = "0".repeat(64);
  requests = new Map();
  buckets = new Array(bounds.length + 1).fill(0);

  admits(caller, kind) {
    const now = performance.now();
    this.remaining = Math.min(1_000_000, this.remaining + (now - this.refilled) * 200);
    this.refilled = now;
    if (this.remaining < 1) return false;
    this.remaining -= 1;
    return this.grants[caller]?.has(kind) ?? false;
  }

  token(vehicle, now) {
    const kept = this.tokens.get(vehicle);
    if (kept && now < kept.reuseEnds) return kept;
    if (this.tokens.size >= 16_384) this.tokens.delete(this.tokens.keys().next().value);
    const token = mint(vehicle, now);
    this.tokens.set(vehicle, token);
    return token;
  }

  // Without the line in the file there is no token.
  record(request, requestId, caller, vehicle, { token, exp }, now) {
    const line = JSON.stringify({
      v: 1,
      sequence: this.sequence + 1,
      time: now,
      requestId,
      method: "api_key",
      caller,
      address: request.socket.remoteAddress,
      kind: "driver",
      ids: [vehicle],
      decision: "allow",
      rule: "any",
      keyId: account.private_key_id,
      expiresAt: exp,
      tokenSha256: sha256(token).toString("hex"),
      previous: this.previous,
    });
    writeSync(this.file, line + "\n");
    this.sequence += 1;
    this.previous = sha256(line).toString("hex");
  }

  count(status, start) {
    this.requests.set(status, (this.requests.get(status) ?? 0) + 1);
    const seconds = (performance.now() - start) / 1000;
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    this.buckets[bucket < 0 ? bounds.length : bucket] += 1;
  }
}

const work = AUDIT && new Work();

function send(response, status, value, requestID) {
  const text = JSON.stringify(value);
  const fields = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    Pragma: "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Content-Length": Buffer.byteLength(text),
  };
  if (requestID) fields["X-Request-Id"] = requestID;
  response.writeHead(status, fields);
  response.end(text);
}

function handle(request, response) {
  const start = performance.now();
  const vehicle = request.url.startsWith(prefix) ? request.url.slice(prefix.length) : "";
  if (!timingSafeEqual(sha256(request.headers["x-api-key"] ?? ""), apiKey)) {
    return send(response, 401, { error: { code: 401 } });
  }
  if (request.method !== "GET" || !/^[A-Za-z0-9._~-]{1,64}$/.test(vehicle)) {
    return send(response, 404, { error: { code: 404 } });
  }
  const now = Math.floor(Date.now() / 1000);
  if (!work) return send(response, 200, body(mint(vehicle, now), now));
  if (!work.admits("backend", "driver")) return send(response, 403, { error: { code: 403 } });
  const token = work.token(vehicle, now);
  const requestID = randomUUID();
  work.record(request, requestID, "backend", vehicle, token, now);
  send(response, 200, body(token, now), requestID);
  work.count(200, start);
}

const server = TLS_CERTIFICATE
  ? createTLSServer({ cert: readFileSync(TLS_CERTIFICATE), key: readFileSync(TLS_KEY) }, handle)
  : createServer(handle);
server.listen({ port: Number(PORT), host: "127.0.0.1", backlog: 1024 });
