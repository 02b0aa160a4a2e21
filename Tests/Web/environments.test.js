// Where the module runs: what an app passes, what a runtime lacks or refuses, and connections that end.
// React Native and Workers are emulated in Node: by their `fetch`, and without the globals that they lack.

import assert from 'node:assert/strict';
import { createServer, get as httpGet } from 'node:http';

import { TokenFetcher } from '../../web/index.js';
import { TestClock, TokenServer, test } from './support.js';

const context = { tripId: 'trip-1' };

function fetcher(options = {}) {
  const server = new TokenServer(new TestClock());
  const tokens = new TokenFetcher({ fetch: server.fetch, clock: server.clock, random: () => 0, ...options });
  return { server, tokens, get: (context) => tokens.authTokenFetcher({ context }) };
}

/** Runs a test with other globals; undefined for one that is missing. */
async function withGlobals(globals, body) {
  const former = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  try {
    return await body();
  } finally {
    for (const [name, descriptor] of former) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  }
}

const absent = [undefined, null, ''];
const ids = {
  tripId: '/token/consumer/', vehicleId: '/token/driver/', trackingId: '/token/delivery_consumer/',
  deliveryVehicleId: '/token/delivery_driver/', taskId: '/token/delivery_task/',
};
for (const [name, path] of Object.entries(ids)) {
  test(`Beside ${name}, IDs that are undefined, null or empty are absent`, async () => {
    for (const none of absent) {
      const { server, get } = fetcher();
      await get({ ...Object.fromEntries(Object.keys(ids).map((other) => [other, none])), [name]: 'a', unknown: 'b' });
      assert.equal(server.requests[0].url, `${path}a`);
    }
  });

  for (const other of Object.keys(ids).filter((other) => other > name)) {
    if ([name, other].sort().join() === 'deliveryVehicleId,taskId') continue;
    test(`${name} and ${other} are an error before any request`, async () => {
      const { server, get } = fetcher();
      await assert.rejects(get({ [name]: 'a', [other]: 'b' }), { code: 'invalidArgument', message: new RegExp(name) });
      assert.equal(server.requests.length, 0);
    });
  }

  test(`A ${name} that is no text, or no Unicode, is an error before any request`, async () => {
    for (const wrong of [7, 0, true, {}, ['a'], Symbol('a'), '\uD800', '.', '..']) {
      const { server, get } = fetcher();
      await assert.rejects(get({ [name]: wrong }), { name: 'TokenError', code: 'invalidArgument' });
      assert.equal(server.requests.length, 0);
    }
  });
}

test('A vehicle and a task of deliveries are for a trusted driver, and three IDs for nobody', async () => {
  const { server, get } = fetcher();
  await get({ deliveryVehicleId: 'd', taskId: 't', tripId: '' });
  assert.equal(server.requests[0].url, '/token/trusted_delivery_driver/d?taskId=t');
  await assert.rejects(get({ deliveryVehicleId: 'd', taskId: 't', tripId: 'a' }), { code: 'invalidArgument' });
});

test('Options without a context are the error of a context without an ID', async () => {
  const { tokens } = fetcher();
  for (const options of [undefined, null, {}, { context: null }, { context: 'trip-1' }, { context: [] }]) {
    await assert.rejects(tokens.authTokenFetcher(options), { name: 'TokenError', code: 'invalidArgument' });
  }
});

for (const [kind, wrong] of [
  ['driver', { tripId: 'a' }], ['driver', { tripId: 'a', vehicleId: 'v' }], ['consumer', { vehicleId: 'v' }],
  ['delivery_driver', { deliveryVehicleId: 'd', taskId: 't' }], ['delivery_task', { deliveryVehicleId: 'd', taskId: 't' }],
  ['trusted_delivery_driver', { taskId: 't' }], ['delivery_consumer', { taskId: 't' }],
  ['', context], [undefined, context], [null, context], ['driver/../server', context], [7, context],
]) {
  test(`The kind ${kind} does not fit ${JSON.stringify(wrong)}: nothing is sent`, async () => {
    const { server, get } = fetcher({ kind: () => kind });
    await assert.rejects(get(wrong), { name: 'TokenError', code: 'invalidArgument' });
    assert.equal(server.requests.length, 0);
  });
}

test('A kind for a whole fleet is for any context', async () => {
  const { server, get } = fetcher({ kind: () => 'fleet_reader' });
  await get({ tripId: 'a', vehicleId: 'v' });
  assert.equal(server.requests[0].url, '/token/fleet_reader');
});

for (const [what, options] of Object.entries({
  'no server': {}, 'credentials alone': { credentials: () => ({}) }, 'an empty server': { server: '' },
  'a relative server': { server: '/base' }, 'a relative server of another host': { server: '//tokens.example' },
  'a server that is null': { server: null },
})) {
  test(`Without a page, ${what} is a TypeError at construction`, () => {
    assert.throws(() => new TokenFetcher(options), { name: 'TypeError', message: /`server` must be/ });
  });
}

for (const [name, wrong] of [
  ['kind', 'fleet_reader'], ['credentials', { Authorization: 'Bearer SECRET' }], ['fetch', 'fetch'],
  ['timeout', 0], ['timeout', -1], ['timeout', NaN], ['timeout', Infinity], ['timeout', '10'], ['timeout', 1e7],
]) {
  test(`The option ${name} with the value ${JSON.stringify(wrong)} is a TypeError at construction`, () => {
    const options = { server: 'https://tokens.example', [name]: wrong };
    assert.throws(() => new TokenFetcher(options), (error) => error instanceof TypeError && error.message.startsWith(`\`${name}\``));
  });
}

test('In a page, the server is the page\'s origin by default, and a relative one stays where the page was', async () => {
  for (const [href, server, expected] of [
    ['https://ops.example/map/view?a#b', undefined, 'https://ops.example'],
    ['https://ops.example/map/view', '/base/', 'https://ops.example/base'],
    ['https://ops.example/map/view', 'base', 'https://ops.example/map/base'],
    ['https://ops.example/map/view', 'https://tokens.example', 'https://tokens.example'],
  ]) {
    const { server: { requests }, get } = await withGlobals({ location: { href } }, () => fetcher({ server }));
    await withGlobals({ location: { href: 'https://elsewhere.example/' } }, () => get(context));
    assert.equal(requests[0].url, `${expected}/token/consumer/trip-1`);
  }
  for (const href of ['about:blank', 'about:srcdoc', 'file:///app/index.html', 'capacitor://localhost/', 'blob:https://a.example/1']) {
    await withGlobals({ location: { href } }, () => assert.throws(() => new TokenFetcher({}), TypeError));
  }
});

/** A server on a real socket: `lost` says for which requests it closes the connection in place of an answer. */
async function startServer(t, lost) {
  const tokens = new TokenServer(new TestClock());
  let count = 0;
  const sockets = new Set();
  const server = createServer(async (request, response) => {
    sockets.add(request.socket);
    if (lost(count += 1)) return request.socket.destroy();
    const answer = await tokens.fetch(request.url, { headers: {} });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => { server.closeAllConnections(); server.close(); });
  return { url: `http://127.0.0.1:${server.address().port}`, count: () => count, sockets, tokens };
}

test('A kept connection that closes as a request is sent costs the caller nothing', async (t) => {
  const server = await startServer(t, (number) => number === 2);
  const { get } = fetcher({ server: server.url, fetch: undefined });
  await get(context);
  assert.ok((await get({ tripId: 'trip-2' })).token);
  assert.equal(server.count(), 3);
  assert.equal(server.sockets.size, 2);
});

test('A connection that is lost twice is an error with its cause, and pauses no other token', async (t) => {
  const server = await startServer(t, (number) => number <= 2);
  const { get } = fetcher({ server: server.url, fetch: undefined });
  const error = await get(context).catch((error) => error);
  assert.deepEqual([error.code, server.count()], ['unavailable', 2]);
  assert.match(error.cause.cause.code, /ECONNRESET|UND_ERR_SOCKET/);
  assert.ok((await get({ tripId: 'trip-2' })).token);
});

for (const [code, count] of [['ECONNRESET', 2], ['EPIPE', 2], ['UND_ERR_SOCKET', 2], ['ECONNREFUSED', 1], ['ENOTFOUND', 1], ['CERT_HAS_EXPIRED', 1]]) {
  test(`After ${code}, ${count} requests have been sent`, async () => {
    let sent = 0;
    const { get } = fetcher({ fetch: async () => {
      sent += 1;
      throw Object.assign(new TypeError('fetch failed'), { cause: { code } });
    } });
    await assert.rejects(get(context), { code: 'unavailable', extent: 'device' });
    assert.equal(sent, count);
  });
}

/** A `fetch` that refuses options, as that of Workers does. */
function refusing(fetch, names, ErrorType, asynchronous) {
  const check = (url, options) => {
    const name = names.find((name) => name in options);
    if (name) throw new ErrorType(`The '${name}' field on 'RequestInitializerDict' is not implemented.`);
    return fetch(url, options);
  };
  return asynchronous ? async (...request) => check(...request) : check;
}

for (const names of [['credentials'], ['cache'], ['referrerPolicy'], ['cache', 'credentials', 'referrerPolicy']]) {
  for (const ErrorType of [TypeError, Error]) {
    for (const asynchronous of [true, false]) {
      test(`A fetch that ${asynchronous ? 'rejects' : 'throws'} an ${ErrorType.name} for ${names} is called without`, async () => {
        const server = new TokenServer(new TestClock());
        const { get } = fetcher({ fetch: refusing(server.fetch, names, ErrorType, asynchronous) });
        assert.equal((await get(context)).token, server.issued[1]);
        assert.equal((await get({ tripId: 'trip-2' })).token, server.issued[2]);
      });
    }
  }
}

test('A fetch that refuses redirect: manual is an error: the credentials would follow a redirection', async () => {
  const { server, get } = fetcher({ fetch: refusing(async () => assert.fail(), ['redirect'], TypeError, true) });
  const error = await get(context).catch((error) => error);
  assert.deepEqual([error.code, server.requests.length], ['unavailable', 0]);
  assert.match(error.cause.message, /redirect/);
});

test('A fetch is called without `this`, as a browser\'s own requires', async () => {
  const server = new TokenServer(new TestClock());
  const { get } = fetcher({ fetch: function (...request) {
    if (this !== undefined) throw new TypeError('Illegal invocation');
    return server.fetch(...request);
  } });
  assert.ok((await get(context)).token);
});

test('Headers of a library are credentials, and a list of pairs is not', async () => {
  class LibraryHeaders {
    *[Symbol.iterator]() { yield ['authorization', 'Bearer user']; }
  }
  const { server, get } = fetcher({ credentials: () => new LibraryHeaders() });
  await get(context);
  assert.equal(server.requests[0].headers.authorization, 'Bearer user');
  await assert.rejects(fetcher({ credentials: () => [['a', 'b']] }).get(context), { code: 'invalidConfiguration' });
});

/** The signals of runtimes before 2022: without a reason, without `throwIfAborted`. */
class OldController {
  signal = Object.assign(new EventTarget(), { aborted: false });
  abort() {
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event('abort'));
  }
}

for (const [what, AbortController] of [['signals without a reason', OldController], ['no AbortController', undefined]]) {
  const run = (name, body) => test(`With ${what}, ${name}`, () => withGlobals({ AbortController }, body));

  run('a token is fetched', async () => assert.ok((await fetcher().get(context)).token));

  run('a server that does not answer is a time limit', async () => {
    await assert.rejects(fetcher({ fetch: () => new Promise(() => {}), timeout: 0.01 }).get(context), { code: 'unavailable', message: /in time/ });
  });

  run('a sign-out ends a fetch, and a sign-in starts it again', async () => {
    const { server, tokens, get } = fetcher();
    server.holds = true;
    const call = get(context);
    await new Promise((resolve) => setImmediate(resolve));
    tokens.credentialsDidChange();
    const release = server.releaseInWaves();
    assert.equal((await call).token, server.issued[2]);
    await release;
    const removed = get({ tripId: 'trip-2' });
    tokens.removeAll();
    await assert.rejects(removed, { code: 'removed' });
  });
}

test('A sign-out right after a sign-in ends the calls that wait', async () => {
  const { server, tokens, get } = fetcher();
  server.holds = true;
  const call = get(context);
  await new Promise((resolve) => setImmediate(resolve));
  tokens.credentialsDidChange();
  tokens.removeAll();
  await Promise.all([assert.rejects(call, { code: 'removed' }), server.releaseInWaves()]);
});

/** As React Native's: a response without a stream, and a number in the URL against caches. */
function reactNativeFetch(url, { headers, cache }) {
  const target = cache === 'no-store' ? `${url}${url.includes('?') ? '&' : '?'}_=${Date.now()}` : url;
  return new Promise((resolve, reject) => {
    httpGet(target, { headers }, (answer) => {
      let body = '';
      answer.on('data', (data) => { body += data; }).on('end', () => resolve({
        status: answer.statusCode, ok: answer.statusCode === 200, type: 'default', headers: new Headers(answer.headers), text: async () => body,
      }));
    }).on('error', () => reject(new TypeError('Network request failed')));
  });
}

/** As React Native's before 0.80. */
class ReactNativeURL {
  constructor(url, base) {
    if (base) throw new TypeError(`Invalid base URL: ${base}`);
    this.href = url.endsWith('/') ? url : `${url}/`;
  }
  get protocol() { throw new Error('URL.protocol is not implemented'); }
  get username() { throw new Error('URL.username is not implemented'); }
}

test('React Native, emulated: a token is fetched, and a large response refused', async (t) => {
  const server = await startServer(t, () => false);
  const globals = {
    AbortController: OldController, TextDecoder: undefined, atob: undefined, performance: undefined,
    structuredClone: undefined, crypto: undefined, fetch: reactNativeFetch,
  };
  const token = await withGlobals(globals, async () => {
    const tokens = await withGlobals({ URL: ReactNativeURL }, () => new TokenFetcher({ server: server.url }));
    return tokens.authTokenFetcher({ context });
  });
  assert.equal(token.token, server.tokens.issued[1]);
  assert.match(server.tokens.requests[0].url, /^\/token\/consumer\/trip-1\?_=[0-9]+$/);
  await withGlobals({ URL: ReactNativeURL }, () => assert.throws(() => new TokenFetcher({ credentials: () => ({}) }), TypeError));
  const { get } = fetcher({ fetch: async () => ({ ok: true, status: 200, headers: new Headers(), text: async () => 'a'.repeat(70_000) }) });
  await assert.rejects(get(context), { code: 'unexpectedResponse' });
});

test('Claims beyond ASCII are read without a decoder', async () => {
  const server = new TokenServer(new TestClock(), { authorization: { tripid: 'Straße 東京 🚕' } });
  const { get } = fetcher({ fetch: server.fetch, clock: server.clock });
  assert.equal((await get(context)).expiresInSeconds, 3540);
});
