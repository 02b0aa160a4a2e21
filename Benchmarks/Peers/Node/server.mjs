// A token service as a Node team would write it: node:http and node:crypto, a key parsed once, API keys kept as SHA-256.
// crypto.sign is OpenSSL's, called on the one thread that also serves; npm's jsonwebtoken would call the same.
// It has no grants, audit trail, limits or metrics.

import { createHash, createPrivateKey, sign, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const { PORT, ACCOUNT, API_KEY_SHA256 } = process.env;
const account = JSON.parse(readFileSync(ACCOUNT, "utf8"));
const key = createPrivateKey(account.private_key);
const apiKey = Buffer.from(API_KEY_SHA256, "hex");
const prefix = "/token/driver/";
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const header = base64url({ alg: "RS256", typ: "JWT", kid: account.private_key_id });

function mint(vehicle) {
  const now = Math.floor(Date.now() / 1000);
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

function send(response, status, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  response.end(body);
}

createServer((request, response) => {
  const digest = createHash("sha256").update(request.headers["x-api-key"] ?? "").digest();
  const vehicle = request.url.startsWith(prefix) ? request.url.slice(prefix.length) : "";
  if (!timingSafeEqual(digest, apiKey)) {
    send(response, 401, { error: { code: 401 } });
  } else if (request.method !== "GET" || !/^[A-Za-z0-9._~-]{1,64}$/.test(vehicle)) {
    send(response, 404, { error: { code: 404 } });
  } else {
    send(response, 200, mint(vehicle));
  }
}).listen(Number(PORT), "127.0.0.1");
