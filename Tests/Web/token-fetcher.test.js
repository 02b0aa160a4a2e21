// The rules of web/token-fetcher.js, by the table that the tests of TokenProvider read as well.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { parseDate, retryAfterSeconds } from '../../web/http-fields.js';
import { backoff, delay, lifespan } from '../../web/schedule.js';
import { TokenError, responseError } from '../../web/token-error.js';
import { TokenFetcher } from '../../web/token-fetcher.js';
import { isPrivileged } from '../../web/token-path.js';
import { formats, readToken, remainingLifetime } from '../../web/token-response.js';
import { Redirector, TestClock, TokenServer, jwt, kinds, test } from './support.js';

const cases = JSON.parse(readFileSync(new URL('../TokenCases/cases.json', import.meta.url), 'utf8'));
const context = { tripId: 'trip-1' };
const url = 'https://tokens.example';

/** A fetcher with a server and a clock of the test's; `get` gives the response for a trip, and `code` what it failed with. */
function fetcher(options = {}, environment = {}) {
  const server = new TokenServer(new TestClock());
  const tokens = new TokenFetcher({ server: url, fetch: server.fetch, ...options }, { clock: server.clock, random: () => 0, ...environment });
  const get = (tripId = 'trip-1') => tokens.authTokenFetcher({ context: { tripId } });
  return { server, clock: server.clock, tokens, get, code: (tripId) => get(tripId).then(() => undefined, ({ code }) => code) };
}

for (const { what, lifetime, usable, fresh } of cases.lifespans) {
  test(`The life of ${what}`, () => {
    for (const jitter of [0, 1]) {
      const life = lifespan(lifetime, jitter);
      assert.equal(life.usable, usable);
      assert.ok(Math.abs(life.fresh - fresh[jitter]) < 1e-9);
    }
  });
}

test('Backoff doubles up to its limit', () => {
  for (const { failures, longest } of cases.backoffs) {
    assert.equal(backoff(failures, 0), longest / 2);
    assert.equal(backoff(failures, 1), longest);
  }
});

for (const { field, seconds } of cases.retryAfter.cases) {
  test(`Retry-After ${JSON.stringify(field.slice(0, 40))}`, () => {
    assert.equal(retryAfterSeconds(field, parseDate(cases.retryAfter.date)), seconds ?? undefined);
  });
}

for (const { what, seconds, ...times } of cases.remainingLifetimes) {
  test(`The remaining lifetime: ${what}`, () => assert.equal(remainingLifetime(times), seconds));
}

for (const { status, location, code } of cases.statuses) {
  test(`HTTP status ${status} ${location ? 'with a Location ' : ''}is ${code}`, () => {
    const headers = new Headers(location && { Location: location });
    assert.equal(responseError({ type: 'basic', status, headers }).code, code);
  });
}

for (const [field, expected] of [['abc-123', 'abc-123'], ['a b', undefined], ['', undefined], ['a'.repeat(129), undefined]]) {
  test(`The request ID of an error, from X-Request-Id: ${field.slice(0, 10)}`, async () => {
    const { get } = fetcher({ fetch: async () => new Response('', { status: 500, headers: { 'X-Request-Id': field } }) });
    // It is there during the pause, too.
    for (let call = 0; call < 2; call += 1) await assert.rejects(get(), { code: 'unavailable', requestID: expected });
  });
}

function read({ format, tokenKey, members }) {
  const { serverClock, lifetime } = cases.formats;
  const token = jwt({ iat: serverClock - 60, exp: serverClock + lifetime, authorization: { tripid: 'trip-1' } });
  return readToken(JSON.stringify({ [tokenKey]: token, ...members }), {
    format: formats[format], deviceClock: 0, date: new Date(serverClock * 1000).toUTCString(),
  });
}

for (const answer of cases.formats.cases) {
  test(`Reads the answer of ${answer.format}`, () => {
    assert.equal(read(answer).lifetime, answer.lifetime ?? cases.formats.lifetime);
  });
}

for (const [text, lifetime] of [['1200', 1200], ['1200.5', 1200.5], ['', undefined], ['1.2.3', undefined], ['an hour', undefined]]) {
  test(`An expiry with the text "${text}" is ${lifetime === undefined ? 'an error' : 'a number'}`, () => {
    const answer = { format: 'fleetToken', tokenKey: 'token', members: { expiresInSeconds: text } };
    if (lifetime === undefined) assert.throws(() => read(answer), { code: 'unexpectedResponse' });
    else assert.equal(read(answer).lifetime, lifetime);
  });
}

for (const answer of cases.wrongUnits.cases) {
  test(`A wrong unit is an error: ${JSON.stringify(answer.members)}`, () => {
    assert.throws(() => read(answer), { code: 'unexpectedResponse', message: /unit/ });
  });
}

for (const { what, accepted, renewed, failures = 0, calls = 1, retryNow, sent, error } of cases.credentials.cases) {
  test(`Credentials: ${what}`, async () => {
    let asked = 0;
    const { server, tokens, get } = fetcher({ credentials: async ({ requiresNewCredentials }) => {
      asked += 1;
      if (asked <= failures || (requiresNewCredentials && !renewed)) throw new Error('SECRET');
      return { Authorization: `Bearer ${requiresNewCredentials ? renewed : 'old'}` };
    } });
    server.accepted = `Bearer ${accepted}`;
    for (let call = 1; call <= calls; call += 1) {
      const expected = call <= failures ? 'unavailable' : error;
      if (expected) await assert.rejects(get(), { code: expected });
      else assert.equal((await get()).token, server.issued.at(-1));
      if (retryNow) tokens.retryNow();
    }
    assert.deepEqual(server.requests.map(({ headers }) => headers.get('Authorization')), sent.map((bearer) => `Bearer ${bearer}`));
  });
}

for (const { retryAfter, failures, jitter, pause } of cases.pauses.cases) {
  test(`Retry-After ${retryAfter} after ${failures} failures pauses for ${pause} s if the random number is ${jitter}`, async () => {
    assert.equal(delay(retryAfter, jitter) + backoff(failures, jitter), pause);
    if (failures > 1) return;
    // The same by the fetcher: for the server's own delay, and for a scope's.
    const { server, get } = fetcher({}, { random: () => jitter });
    Object.assign(server, { status: 429, retryAfter });
    const error = await get().catch((error) => error);
    assert.ok(Math.abs(error.retryAfter - pause) < 1e-9, `${error.retryAfter}`);
  });
}

for (const { what, steps } of cases.outages.stories) {
  test(`Many tokens, one server: ${what}`, async (t) => {
    const { server, clock, tokens, code } = fetcher();
    t.after(() => setOnline(true));
    for (const [number, step] of steps.entries()) {
      clock.advance(step.after ?? 0);
      server.status = step.status ?? server.status;
      server.isUnreachable = step.offline ?? server.isUnreachable;
      setOnline(!server.isUnreachable);
      server.retryAfter = step.retryAfter ?? (step.status ? undefined : server.retryAfter);
      server.nextStatuses = [...(step.statuses ?? [])];
      server.retryAfters = [...(step.retryAfters ?? [])];
      if (step.removeAll) tokens.removeAll();
      if (step.credentialsDidChange) tokens.credentialsDidChange();
      if (step.retryNow) tokens.retryNow();
      const [first, last] = step.scopes;
      const calls = Array.from({ length: last - first + 1 }, (_, index) => code(`trip-${first + index}`));
      const errors = step.errors ?? calls.map(() => step.error);
      assert.deepEqual(await Promise.all(calls), errors, `step ${number + 1}`);
      assert.equal(server.requests.length, step.fetches, `step ${number + 1}`);
    }
  });
}

/** Sets what the browser says of its network. */
function setOnline(onLine) {
  Object.defineProperty(globalThis, 'navigator', { value: { onLine }, configurable: true });
}

test('A server that is unreachable pauses its token for a second at most, and no other', async () => {
  const { server, clock, code } = fetcher({}, { random: () => 1 });
  server.isUnreachable = true;
  for (let call = 1; call <= 10; call += 1) {
    assert.equal(await code(), 'unavailable');
    assert.equal(server.requests.length, call);
    clock.advance(1.01);
  }
  assert.equal(await code('trip-2'), 'unavailable');
  assert.equal(server.requests.length, 11);
});

for (const status of cases.redirects.statuses) {
  test(`A ${status} to another host is refused, and the credentials stay`, async (t) => {
    const other = await Redirector.start();
    const server = await Redirector.start(status, other.url);
    t.after(() => Promise.all([server, other].map((each) => each.stop())));
    const tokens = new TokenFetcher({ server: server.url, credentials: () => ({ Authorization: 'Bearer CREDENTIAL' }) });
    await assert.rejects(tokens.authTokenFetcher({ context }), { code: cases.redirects.error, remedy: 'developer' });
    // It is the URL's mistake, not an outage: other tokens are not paused.
    await assert.rejects(tokens.authTokenFetcher({ context: { tripId: 'trip-2' } }), { code: cases.redirects.error });
    assert.deepEqual([server.requests.length, other.requests.length], [2, 0]);
  });
}

const SECRET = 'SECRET';
const wrongFields = {
  'a text': () => `Bearer ${SECRET}`, 'nothing': () => {}, 'null': () => null, 'a list': () => [SECRET],
  'a number as a value': () => ({ Authorization: 7 }), 'undefined as a value': () => ({ Authorization: undefined }),
  'an invalid name': () => ({ 'Author ization': SECRET }), 'a value with a line break': () => ({ Authorization: `${SECRET}\r\nHost: x` }),
  'a value that is not Latin-1': () => ({ Authorization: `${SECRET} 密` }),
};
for (const [what, credentials] of Object.entries(wrongFields)) {
  test(`Credentials that return ${what} are the app's mistake: nothing is sent, and nothing pauses`, async () => {
    const options = { credentials };
    const { server, get } = fetcher({ credentials: (context) => options.credentials(context) });
    for (let call = 0; call < 2; call += 1) {
      const error = await get().catch((error) => error);
      assert.deepEqual([error.code, error.remedy, error.retryAfter], ['invalidConfiguration', 'developer', undefined]);
      assert.match(error.message, /must return/);
      assert.doesNotMatch(error.stack + JSON.stringify(error), /SECRET/);
    }
    assert.equal(server.requests.length, 0);
    options.credentials = () => ({});
    assert.equal((await get()).token, server.issued[1]);
  });
}

for (const wrong of ['ftp://x.example', 'https://user@x.example', 'https://user:password@x.example', 'https://:password@x.example', 'https://x.example?a', 'https://x.example?',
  'https://x.example#a', 'https://x.example#', 'https://', 7]) {
  test(`The server's URL ${wrong} is refused at once`, () => {
    assert.throws(() => new TokenFetcher({ server: wrong }), { name: 'TypeError', message: /^`server` must be/ });
  });
}

test('After credentialsDidChange, tokens and permanent errors of the former user are gone', async () => {
  const { server, tokens, get } = fetcher();
  await get();
  server.status = 403;
  await assert.rejects(get('trip-2'), { code: 'permissionDenied' });
  server.status = 200;
  tokens.credentialsDidChange();
  assert.equal((await get()).token, server.issued[3]);
  assert.equal((await get('trip-2')).token, server.issued[4]);
});

for (const [what, late] of [['a token', 200], ['a 403', 403], ['a failure', 503]]) {
  test(`Calls that wait during credentialsDidChange get the new user's token, and ${what} of the former has no effect`, async () => {
    let user = 'former';
    const { server, tokens, get } = fetcher({ credentials: () => ({ Authorization: user }) });
    server.holds = true;
    const calls = [get(), get()];
    await settled();
    user = 'new';
    server.statuses.former = late;
    tokens.credentialsDidChange();
    await server.releaseInWaves();
    for (const { token } of await Promise.all(calls)) assert.equal(token, server.issued[2]);
    assert.deepEqual(server.requests.map(({ headers }) => headers.get('Authorization')), ['former', 'new']);
  });
}

for (const [age, fetches] of [[0.9, 1], [1, 2]]) {
  test(`retryNow ${age} s after a fetch began leads to ${fetches} in all, and its call gets the last token`, async () => {
    const { server, clock, tokens, get } = fetcher();
    server.holds = true;
    const call = get();
    await settled();
    for (let time = 0; time < 3; time += 1) {
      if (time === 0) clock.advance(age);
      tokens.retryNow();
      await settled();
    }
    await server.releaseInWaves();
    assert.equal((await call).token, server.issued[fetches]);
    assert.equal(server.requests.length, fetches);
  });
}

test('Credentials that change in each fetch start it again three times, and then the pauses grow', async () => {
  let tokens;
  const test = fetcher({ credentials: ({ requiresNewCredentials }) => {
    // As with a listener that reports renewed credentials, too.
    if (requiresNewCredentials) tokens.credentialsDidChange();
    return { Authorization: requiresNewCredentials ? 'renewed' : 'old' };
  } });
  ({ tokens } = test);
  test.server.accepted = 'other';
  for (let call = 1; call <= 60; call += 1) {
    assert.equal(await test.code(), 'unavailable');
    if (call === 1) assert.equal(test.server.requests.length, 4);
    test.clock.advance(1);
  }
  assert.ok(test.server.requests.length >= 20 && test.server.requests.length <= 40, `${test.server.requests.length}`);
});

test('retryNow does not start a repeated fetch again', async () => {
  const { server, clock, tokens, get } = fetcher();
  server.holds = true;
  const call = get();
  await settled();
  for (let time = 0; time < 3; time += 1) {
    clock.advance(2);
    tokens.retryNow();
    await settled();
  }
  await server.releaseInWaves();
  assert.equal((await call).token, server.issued[2]);
  assert.equal(server.requests.length, 2);
});

test('retryNow does not start a fetch again that began with the change of the credentials', async () => {
  const { server, clock, tokens, get } = fetcher();
  server.holds = true;
  const call = get();
  await settled();
  clock.advance(2);
  tokens.credentialsDidChange();
  await settled();
  tokens.retryNow();
  await server.releaseInWaves();
  assert.equal((await call).token, server.issued[2]);
  assert.equal(server.requests.length, 2);
});

test('retryNow does not end a fetch during the server\'s pause', async () => {
  const { server, clock, tokens, get, code } = fetcher();
  server.holds = true;
  Object.assign(server, { nextStatuses: [503], retryAfter: 60 });
  const [failing, call] = [code('trip-2'), get('trip-1')];
  await server.releaseOne();
  assert.equal(await failing, 'unavailable');
  clock.advance(2);
  tokens.retryNow();
  await server.releaseInWaves();
  assert.equal((await call).token, server.issued[2]);
  assert.equal(server.requests.length, 2);
});

for (const change of ['credentialsDidChange', 'removeAll']) {
  test(`After ${change}, the server is not told of a token that was rejected before`, async () => {
    const { server, tokens, get } = fetcher();
    tokens.invalidate((await get()).token);
    tokens[change]();
    await get();
    assert.deepEqual(server.requests.map(({ headers }) => headers.get('Fleet-Token-Reuse')), [null, null]);
  });

  test(`${change} ends another pause within 30 s if a token came between them`, async () => {
    const { server, tokens, get, code } = fetcher();
    for (let time = 0; time < 2; time += 1) {
      server.status = 403;
      assert.equal(await code(), 'permissionDenied');
      server.status = 200;
      tokens[change]();
      await get();
      tokens[change]();
    }
    assert.equal(server.requests.length, 4);
  });
}

test('A redirection, as a browser shows it, is the developer\'s error', () => {
  assert.equal(responseError({ type: 'opaqueredirect', status: 0, headers: new Headers() }).code, cases.redirects.error);
});

const failure = new Error('SECRET');
for (const [what, thrown, expected] of [
  ['An error of another type', failure, { code: 'unavailable', remedy: 'wait', cause: failure }],
  ['No signed-in user', new TokenError('unauthenticated', 'Sign in.'), { code: 'unauthenticated', remedy: 'signIn' }],
  ['A network that requires a sign-in', new TokenError('insecureConnection', 'Sign in.'), { code: 'insecureConnection', remedy: 'wait' }],
  ['An error with a delay', new TokenError('unavailable', 'Wait.', { retryAfter: 60 }), { code: 'unavailable', remedy: 'wait' }],
]) {
  test(`${what} that \`credentials\` throws is the call's error: nothing is sent, and nothing pauses`, async () => {
    let fails = true;
    const { server, get } = fetcher({ credentials: () => {
      if (fails) throw thrown;
      return {};
    } });
    for (let call = 0; call < 3; call += 1) {
      await assert.rejects(get(), { ...expected, retryAfter: undefined, pausing: 'nothing' });
    }
    assert.equal(server.requests.length, 0);
    fails = false;
    assert.equal((await get()).token, server.issued[1]);
  });
}

for (const { what, steps } of cases.stories) {
  test(what, async () => {
    const { server, clock, tokens, get } = fetcher();
    for (const step of steps) {
      clock.advance(step.after ?? 0);
      clock.setWallClock(step.setClock ?? 0);
      server.status = step.status ?? server.status;
      server.lifetime = step.lifetime ?? server.lifetime;
      server.retryAfter = step.retryAfter;
      if (step.invalidate) tokens.invalidate(server.issued[step.invalidate]);
      if (step.removeAll) tokens.removeAll();
      if (step.retryNow) tokens.retryNow();
      const calls = Array.from({ length: step.callers ?? 1 }, () => get());
      for (const call of calls) {
        if (step.call) assert.equal((await call).token, server.issued[step.call]);
        else await assert.rejects(call, { code: step.error });
      }
      await settled();
      assert.equal(server.requests.length, step.fetches);
      if (step.mustBeNew) assert.equal(server.requests.at(-1).headers.get('Fleet-Token-Reuse'), 'no');
    }
  });
}

/** Waits until a refresh in the background has ended. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

test('A report during a refresh starts it again, with a request for a new token', async () => {
  const { server, clock, tokens, get } = fetcher();
  const { token } = await get();
  clock.advance(2641);
  server.holds = true;
  await get();
  await settled();
  tokens.invalidate(token);
  const call = get();
  await server.releaseInWaves();
  assert.equal((await call).token, server.issued[3]);
  assert.deepEqual(server.requests.map(({ headers }) => headers.get('Fleet-Token-Reuse')), [null, null, 'no']);
});

test('A report without a token has no effect', async () => {
  const { server, tokens, get } = fetcher();
  server.status = 403;
  await assert.rejects(get());
  tokens.invalidate(undefined);
  await assert.rejects(get(), { code: 'permissionDenied' });
  assert.equal(server.requests.length, 1);
});

test('A call that waits fails if the credentials change during the server\'s pause', async () => {
  const { server, tokens, get, code } = fetcher();
  server.holds = true;
  Object.assign(server, { nextStatuses: [503], retryAfter: 60 });
  const calls = [code('trip-2'), code('trip-1')];
  await server.releaseOne();
  await settled();
  tokens.credentialsDidChange();
  assert.deepEqual(await Promise.all(calls), ['unavailable', 'unavailable']);
  await server.releaseInWaves();
  await assert.rejects(get(), { code: 'unavailable', retryAfter: 60 });
  assert.equal(server.requests.length, 2);
});

for (const { kind, request, path, privileged } of kinds.filter((row) => row.path)) {
  test(`A token of a kind is fetched: ${path}`, async () => {
    const { server, tokens } = fetcher({ kind: () => kind });
    await tokens.authTokenFetcher({ context: request });
    assert.deepEqual(server.requests.map((request) => request.url), [url + path]);
    assert.equal(isPrivileged(kind), privileged);
  });
}

test('Each context has its own token, and its ID is encoded', async () => {
  const { server, tokens: { authTokenFetcher } } = fetcher({ server: 'https://x.example/base/' });
  const contexts = [
    [{ tripId: 'a' }, '/token/consumer/a'], [{ tripId: 'A' }, '/token/consumer/A'], [{ vehicleId: 'a' }, '/token/driver/a'],
    [{ trackingId: 'a' }, '/token/delivery_consumer/a'], [{ deliveryVehicleId: 'a' }, '/token/delivery_driver/a'],
    [{ taskId: 'a' }, '/token/delivery_task/a'], [{ tripId: '../x y(' }, '/token/consumer/..%2Fx%20y%28'],
    [{ deliveryVehicleId: 'a', taskId: 't' }, '/token/trusted_delivery_driver/a?taskId=t'],
  ];
  for (const [context] of contexts) await authTokenFetcher({ context, serviceType: 'TRIP_SERVICE' });
  for (const [context] of contexts) await authTokenFetcher({ context });
  assert.deepEqual(server.requests.map((request) => request.url), contexts.map(([, path]) => `https://x.example/base${path}`));
});

test('A server that does not answer costs the caller one time limit', async () => {
  const fetch = (url, { signal }) => new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
  await assert.rejects(fetcher({ fetch, timeout: 0.01 }, { clock: undefined }).get(), { code: 'unavailable', message: /in time/ });
});

test('Credentials that never come are an error after the time limit', async () => {
  const { server, get } = fetcher({ credentials: () => new Promise(() => {}), timeout: 0.01 });
  await assert.rejects(get(), { code: 'unavailable', message: /in time/, pausing: 'scopeBriefly' });
  assert.equal(server.requests.length, 0);
});

test('Credentials that come after the time limit are not sent', async () => {
  let give;
  const { server, get } = fetcher({ credentials: () => new Promise((resolve) => { give = resolve; }), timeout: 0.01 });
  await assert.rejects(get(), { code: 'unavailable' });
  give({ Authorization: 'Bearer SECRET' });
  await settled();
  assert.equal(server.requests.length, 0);
});

test('A sign-out right after a call ends it, although the credentials never come', async () => {
  const { tokens, get } = fetcher({ credentials: () => new Promise(() => {}) });
  const call = get();
  tokens.removeAll();
  await assert.rejects(call, { code: 'signedOut' });
});

test('A body that is not a response is an error that holds nothing of it', async () => {
  for (const body of [
    '', 'SECRET', '[]', '{"token":1}', '{"token":"SE.CR.ET!"}', '{"token":"e30.U0VDUkVU.AA"}', '{"token":"a.b.c.d"}', '{"token":"a.b.c"}',
  ]) {
    const error = await fetcher({ fetch: async () => new Response(body) }).get().catch((error) => error);
    assert.equal(error.code, 'unexpectedResponse');
    assert.doesNotMatch(JSON.stringify(error) + error.stack, /SECRET/);
  }
});

test('An error of the network is in the cause alone', async () => {
  const error = await fetcher({ fetch: async () => { throw new TypeError('SECRET'); } }).get().catch((error) => error);
  assert.equal(error.code, 'unavailable');
  assert.doesNotMatch(JSON.stringify(error) + error.stack, /SECRET/);
});

test('A token that arrives at the moment of removeAll is not kept', async () => {
  for (let ticks = 0; ticks < 40; ticks += 1) {
    const { server, tokens, get } = fetcher();
    const call = get().catch(({ code }) => code);
    for (let tick = 0; tick < ticks; tick += 1) await null;
    const before = server.requests.length;
    tokens.removeAll();
    if (typeof await call === 'string') assert.equal(await call, 'signedOut');
    await get();
    assert.ok(server.requests.length > before);
  }
});

test('The number of tokens is bounded, and the least recently used goes first', async () => {
  const { server, get } = fetcher();
  const trips = Array.from({ length: 1000 }, (_, index) => `trip-${index}`);
  for (const trip of trips) await get(trip);
  for (const trip of ['trip-0', 'another', 'trip-0', 'trip-1']) await get(trip);
  assert.deepEqual(server.requests.slice(1000).map((request) => request.url.split('/').at(-1)), ['another', 'trip-1']);
});

test('A context whose fetch runs is kept beyond the capacity', async () => {
  const { server, get } = fetcher();
  server.holds = true;
  const calls = Array.from({ length: 1001 }, (_, index) => get(`trip-${index}`));
  calls.push(get('trip-0'));
  await server.releaseInWaves();
  await Promise.all(calls);
  assert.equal(server.requests.length, 1001);
});

const renewals = {
  'no user': [new TokenError('unauthenticated', 'Sign in.'), { httpStatus: 401, pausing: 'scope' }],
  'no network': [new TokenError('offline', 'No network.'), { httpStatus: undefined, pausing: 'scopeBriefly' }],
  'a bug': [new Error('SECRET'), { code: 'unavailable', httpStatus: undefined, pausing: 'scope' }],
  'an outage': [new TokenError('unavailable', 'Wait.', { httpStatus: 503 }), { httpStatus: 503, pausing: 'scope' }],
  'a permanent error': [new TokenError('permissionDenied', 'No.'), { httpStatus: undefined, pausing: 'scope' }],
};
for (const [what, [thrown, expected]] of Object.entries(renewals)) {
  test(`Rejected credentials that cannot be renewed because of ${what} pause the token`, async () => {
    const { server, get } = fetcher({ credentials: ({ requiresNewCredentials }) => {
      if (requiresNewCredentials) throw thrown;
      return { Authorization: 'old' };
    } });
    server.accepted = 'new';
    for (let call = 0; call < 2; call += 1) await assert.rejects(get(), { code: thrown.code, ...expected });
    assert.equal(server.requests.length, 1);
  });
}

test('Renewed credentials that never come pause the token', async () => {
  const { server, get } = fetcher({ timeout: 0.01, credentials: ({ requiresNewCredentials }) => (
    requiresNewCredentials ? new Promise(() => {}) : { Authorization: 'old' }
  ) });
  server.accepted = 'new';
  for (let call = 0; call < 2; call += 1) await assert.rejects(get(), { code: 'unavailable', message: /in time/, pausing: 'scopeBriefly' });
  assert.equal(server.requests.length, 1);
});

test('An error that the app throws again and again stays as it is, and pauses for its delay', async () => {
  const thrown = new TokenError('unavailable', 'Wait.', { retryAfter: 10 });
  const { server, clock, get } = fetcher({ credentials: ({ requiresNewCredentials }) => {
    if (requiresNewCredentials) throw thrown;
    return { Authorization: 'old' };
  } }, { random: () => 1 });
  server.accepted = 'new';
  for (const pause of [12.5, 13, 14]) {
    await assert.rejects(get(), { retryAfter: pause });
    clock.advance(pause);
  }
  assert.deepEqual([thrown.retryAfter, thrown.httpStatus, thrown.pausing], [10, undefined, 'scope']);
});

test('A body that is larger than 64 KB is refused before it is read', async () => {
  let pulls = 0;
  const endless = new ReadableStream({ pull(controller) { pulls += 1; controller.enqueue(new Uint8Array(16_384)); } });
  const { code } = fetcher({ fetch: async () => new Response(endless) });
  assert.equal(await code(), 'unexpectedResponse');
  assert.ok(pulls < 10);
});

test('A body that breaks off is an error of the connection', async () => {
  const broken = new ReadableStream({ start(controller) { controller.error(new TypeError('SECRET')); } });
  const { get } = fetcher({ fetch: async () => new Response(broken) });
  await assert.rejects(get(), { code: 'unavailable', remedy: 'wait' });
});

test('The browser stores no response, and sends neither cookies nor the page\'s address', async () => {
  let sent;
  const { server, get } = fetcher({ fetch: (url, options) => server.fetch(url, sent = options) });
  await get();
  assert.deepEqual([sent.cache, sent.credentials, sent.referrerPolicy], ['no-store', 'omit', 'no-referrer']);
});

test('Credentials are requested for each fetch, and stay out of the URL', async () => {
  let count = 0;
  const { server, get } = fetcher({ credentials: async () => ({ Authorization: `Bearer user-${count += 1}` }) });
  await get();
  await get('trip-2');
  assert.deepEqual(server.requests.map(({ headers }) => headers.get('Authorization')), ['Bearer user-1', 'Bearer user-2']);
});
