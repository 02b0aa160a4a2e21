// The npm package, as a release contains it and as an app installs it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

import { test } from './support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-token-package-'));
after(() => rmSync(folder, { recursive: true }));

const environment = { ...process.env, SOURCE_DATE_EPOCH: '1795211460' };
const pack = (into) => {
  execFileSync(join(root, 'scripts/release/npm.sh'), [join(folder, into)], { env: environment });
  return join(folder, into, `fleet-token-npm-${JSON.parse(readFileSync(join(root, 'web/package.json'), 'utf8')).version}.tgz`);
};
const archive = pack('dist');
const installed = join(folder, 'app/node_modules/fleet-token');
mkdirSync(installed, { recursive: true });
execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
const description = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

test('The package has the version of the project, a licence, a README and types', () => {
  const source = readFileSync(join(root, 'Sources/FleetToken/ProductVersion.swift'), 'utf8');
  assert.equal(description.version, /current = "(.*)"/.exec(source)[1]);
  assert.equal(description.license, 'Apache-2.0');
  assert.equal(description.private, undefined);
  const files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).split('\n').filter((name) => name && !name.endsWith('/'));
  const internal = ['abortable', 'app-values'];
  const modules = [
    'abortable', 'app-values', 'http-fields', 'index', 'rules', 'token-error', 'token-fetcher', 'token-path', 'token-requests',
    'token-response',
  ];
  assert.deepEqual(files.sort(), [
    'package/LICENSE', 'package/README.md', 'package/package.json',
    ...modules.map((name) => `package/${name}.js`),
    ...modules.filter((name) => !internal.includes(name)).map((name) => `package/types/${name}.d.ts`),
  ].sort());
});

test('The same commit gives the same bytes', () => {
  const digest = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
  assert.equal(digest(pack('again')), digest(archive));
});

test('Each export can be imported', () => {
  const script = `
    import * as all from 'fleet-token';
    import * as tokens from 'fleet-token/token-fetcher';
    console.log([all, tokens].map((module) => Object.keys(module).join(' ')).join('\\n'));`;
  writeFileSync(join(folder, 'app/import.mjs'), script);
  const output = execFileSync(process.execPath, ['import.mjs'], { cwd: join(folder, 'app'), encoding: 'utf8' });
  assert.equal(output, [
    'TokenError TokenFetcher formats', 'TokenError TokenFetcher formats', '',
  ].join('\n'));
  const refused = spawnSync(process.execPath, ['-e', 'import("fleet-token/rules.js")'], { cwd: join(folder, 'app'), encoding: 'utf8' });
  assert.match(refused.stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

const correct = `
  import { TokenFetcher, formats } from 'fleet-token';
  import { TokenFetcher as SameFetcher } from 'fleet-token/token-fetcher';
  const same: typeof TokenFetcher = SameFetcher;
  const tokens = new TokenFetcher({
    server: 'https://tokens.example', format: formats.onDemandSample,
    credentials: async ({ requiresNewCredentials }) => ({ Authorization: String(requiresNewCredentials) }),
  });
  const fetched: Promise<{ token: string, expiresInSeconds: number }> = tokens.authTokenFetcher({ serviceType: 'TRIP_SERVICE', context: {} });
`;

const mistakes = [
  ['credentials that are no fields', 'new TokenFetcher({ credentials: () => "Bearer" });', /string/],
  ['a mistyped format', 'new TokenFetcher({ format: formats.onDemandSampel });', /onDemandSampel/],
  ['a mistyped option', 'new TokenFetcher({ sever: "https://tokens.example" });', /sever/],
];

// As an app compiles it, all texts at once.
const texts = [correct, ...mistakes.map(([, line]) => `${correct}${line}\n`)];
texts.forEach((text, index) => writeFileSync(join(folder, `app/text-${index}.ts`), text));
writeFileSync(join(folder, 'app/package.json'), '{ "type": "module" }');
const compile = (module, moduleResolution) => {
  writeFileSync(join(folder, 'app/tsconfig.json'), JSON.stringify({
    compilerOptions: { noEmit: true, strict: true, target: 'es2022', module, moduleResolution, types: [] },
    files: texts.map((_, index) => `text-${index}.ts`),
  }));
  return spawnSync('tsc', ['-p', '.'], { cwd: join(folder, 'app'), encoding: 'utf8' }).stdout.split(/\n(?=\S)/);
};
const found = compile('node16', 'node16');
const errors = (index) => found.filter((error) => error.startsWith(`text-${index}.ts(`));

test('An app compiles with the package\'s types', () => {
  assert.deepEqual(errors(0), []);
  assert.equal(found.length, mistakes.length, found.join('\n'));
});

mistakes.forEach(([what, , error], index) => {
  test(`An app does not compile with ${what}`, () => {
    assert.equal(errors(index + 1).length, 1);
    assert.match(errors(index + 1)[0], error);
  });
});

test('An app that resolves modules as Node 10 did compiles as well', () => {
  assert.deepEqual(compile('es2022', 'node'), found);
});
