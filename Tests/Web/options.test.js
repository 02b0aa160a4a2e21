// What an app passes: contexts, kinds, the server's URL, a `fetch`, and credentials.

import assert from 'node:assert/strict';

import { TokenFetcher } from '../../web/index.js';
import { TestClock, TokenServer, jwt, test } from './support.js';

const context = { tripId: 'trip-1' };

function fetcher(options = {}) {
  const server = new TokenServer(new TestClock());
  const tokens = new TokenFetcher({ server: 'https://x.example', fetch: server.fetch, ...options }, { clock: server.clock, random: () => 0 });
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
      assert.equal(server.requests[0].url, `https://x.example${path}a`);
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

test('deliveryVehicleId with taskId is trusted_delivery_driver; a third ID is an error', async () => {
  const { server, get } = fetcher();
  await get({ deliveryVehicleId: 'd', taskId: 't', tripId: '' });
  assert.equal(server.requests[0].url, 'https://x.example/token/trusted_delivery_driver/d?taskId=t');
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

test('A `kind` that throws is the developer\'s error, with its cause: nothing is sent', async () => {
  const failure = new Error('SECRET');
  const { server, get } = fetcher({ kind: () => { throw failure; } });
  const error = await get(context).catch((error) => error);
  assert.deepEqual([error.name, error.code, error.remedy, error.cause], ['TokenError', 'invalidConfiguration', 'developer', failure]);
  assert.doesNotMatch(error.message, /SECRET/);
  assert.equal(server.requests.length, 0);
});

test('A kind for a whole fleet is for any context', async () => {
  const { server, get } = fetcher({ kind: () => 'fleet_reader' });
  await get({ tripId: 'a', vehicleId: 'v' });
  assert.equal(server.requests[0].url, 'https://x.example/token/fleet_reader');
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

test('A fetch is called without `this`, as a browser\'s own requires', async () => {
  const server = new TokenServer(new TestClock());
  const { get } = fetcher({ fetch: function (...request) {
    if (this !== undefined) throw new TypeError('Illegal invocation');
    return server.fetch(...request);
  } });
  assert.ok((await get(context)).token);
});

test('A header field of the credentials replaces the standard one, in any case', async () => {
  const { server, get } = fetcher({ credentials: () => ({ accept: 'text/x' }) });
  await get(context);
  assert.equal(server.requests[0].headers.get('Accept'), 'text/x');
});

test('Headers of a library are credentials, and a list of pairs is not', async () => {
  class LibraryHeaders {
    *[Symbol.iterator]() { yield ['authorization', 'Bearer user']; }
  }
  const { server, get } = fetcher({ credentials: () => new LibraryHeaders() });
  await get(context);
  assert.equal(server.requests[0].headers.get('Authorization'), 'Bearer user');
  await assert.rejects(fetcher({ credentials: () => [['a', 'b']] }).get(context), { code: 'invalidConfiguration' });
});

test('A sign-out right after a sign-in ends the calls that wait', async () => {
  const { server, tokens, get } = fetcher();
  server.holds = true;
  const call = get(context);
  await new Promise((resolve) => setImmediate(resolve));
  tokens.credentialsDidChange();
  tokens.removeAll();
  await Promise.all([assert.rejects(call, { code: 'signedOut' }), server.releaseInWaves()]);
});

test('Claims beyond ASCII are read', async () => {
  const clock = new TestClock();
  const exp = clock.wall() + 3540;
  const token = jwt({ iat: exp - 3600, exp, authorization: { tripid: 'Straße 東京 🚕' } });
  const { get } = fetcher({ fetch: async () => Response.json({ token, expiresInSeconds: 3540 }), clock });
  assert.equal((await get(context)).expiresInSeconds, 3540);
});
