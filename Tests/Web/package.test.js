// The npm package, as an app installs it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

import { test } from './support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-token-package-'));
after(() => rmSync(folder, { recursive: true }));

// As `npm pack` and `npm install` do, without npm: it would bring 300 packages of Debian's.
const source = join(root, 'web');
const installed = join(folder, 'app/node_modules/fleet-token');
cpSync(source, installed, { recursive: true, filter: (path) => path === source || /\.js$|package\.json$/.test(path) });
execFileSync('tsc', ['-p', join(source, 'tsconfig.types.json'), '--outDir', join(installed, 'types')]);
const description = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

test('The package has the version of the project, and can be published', () => {
  const product = readFileSync(join(root, 'Sources/FleetToken/ProductVersion.swift'), 'utf8');
  assert.equal(description.version, /current = "(.*)"/.exec(product)[1]);
  assert.equal(description.private, undefined);
});

test('What the package exports can be imported, and nothing else', () => {
  writeFileSync(join(folder, 'app/import.mjs'), 'console.log(Object.keys(await import("fleet-token")).join(" "));');
  const output = execFileSync(process.execPath, ['import.mjs'], { cwd: join(folder, 'app'), encoding: 'utf8' });
  assert.equal(output, 'TokenError TokenFetcher formats\n');
  const refused = spawnSync(process.execPath, ['-e', 'import("fleet-token/schedule.js")'], { cwd: join(folder, 'app'), encoding: 'utf8' });
  assert.match(refused.stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

const correct = `
  import { TokenError, TokenFetcher, formats } from 'fleet-token';
  const tokens = new TokenFetcher({
    server: 'https://tokens.example', format: formats.onDemandSample,
    credentials: async ({ requiresNewCredentials }) => ({ Authorization: String(requiresNewCredentials) }),
  });
  const fetched: Promise<{ token: string, expiresInSeconds: number }> = tokens.authTokenFetcher({ serviceType: 'TRIP_SERVICE', context: {} });
  const remedy: 'wait' | 'signIn' | 'developer' = new TokenError('offline', 'No network.').remedy;
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

for (const page of ['web/README.md', 'docs/guides/web.md']) {
  test(`The examples of ${page} compile`, () => {
    const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```js\n(.*?)^```$/gms);
    const text = ['declare const user: any, google: any;', ...[...blocks].map(([, block]) => block)].join('\n');
    assert.ok(text.includes('new TokenFetcher('));
    writeFileSync(join(folder, 'app/page.ts'), text);
    const options = ['--noEmit', '--target', 'es2022', '--module', 'node16', '--moduleResolution', 'node16', 'page.ts'];
    const { stdout } = spawnSync('tsc', options, { cwd: join(folder, 'app'), encoding: 'utf8' });
    assert.equal(stdout, '');
  });
}
