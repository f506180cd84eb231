import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { buildPackage, npm, packPackage } from '../../../tools/release/pack-package.ts';

/** TypeScript 6, which is older than that of the workspace. */
const typescript = new URL('../node_modules/typescript/bin/tsc', import.meta.url).pathname;
let folder: string;
let tarball: string;
let installed: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  buildPackage('packages/sdk');
  tarball = packPackage('packages/sdk', folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true }');
  npm(folder, ['install', '--offline', '--no-audit', '--no-fund', tarball]);
  installed = join(folder, 'node_modules/@tollgate/sdk');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a file of the empty project. */
function run(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' });
}

const names = ['Meter', 'SpoolFull', 'Tollgate', 'TollgateError'];

it('has nothing that publint or arethetypeswrong objects to', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  const types = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!types.types) throw new Error('the package has no types');
  const isOfOldNode = ({ resolutionKind }: { resolutionKind?: string }): boolean => resolutionKind === 'node10';
  const kinds = types.problems.filter((problem) => !isOfOldNode(problem as object)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['CJSResolvesToESM'])); // Node 20.19 and newer requires ES modules
});

it('is imported and required, and has no dependency', () => {
  const imported = 'import * as sdk from "@tollgate/sdk"; console.log(Object.keys(sdk).join());';
  for (const name of names) expect(run('import.mjs', imported)).toContain(name);
  const required = 'const sdk = require("@tollgate/sdk"); console.log(Object.keys(sdk).join());';
  for (const name of names) expect(run('require.cjs', required)).toContain(name);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(JSON.stringify(manifest)).not.toContain('@tollgate/source');
});

it('the edge build needs nothing of Node', () => {
  const text = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('node:')) throw new Error('the edge build imports ' + name);
      return next(name, context);
    } });
    const { EdgeMeter, Tollgate } = await import('@tollgate/sdk/edge');
    const refused = await new Tollgate().webhooks.verify('{}', {}, 'whsec_MfKQ').catch(({ code }) => code);
    console.log(typeof EdgeMeter, refused);`;
  expect(run('edge.mjs', text)).toBe('function header_missing\n');
});

it.each(['node16', 'bundler'])('its types are found in %s resolution', (resolution) => {
  const project = join(folder, resolution);
  mkdirSync(project);
  cpSync(join(folder, 'node_modules'), join(project, 'node_modules'), { recursive: true });
  writeFileSync(
    join(project, 'main.mts'),
    `import { Meter, Tollgate, TollgateError, type ToolCall } from '@tollgate/sdk';
     import { EdgeMeter } from '@tollgate/sdk/edge';
     const call: ToolCall = { tool: 'search', metadata: { tokens: 3 } };
     const key: string = (await (await Meter.open({ dir: 'd' })).record(call)).idempotencyKey;
     for await (const { total_usd } of new Tollgate().invoices.list({ status: 'open' })) total_usd.toFixed(2);
     new Tollgate().tools.get('a').catch((error: unknown) => error instanceof TollgateError && error.requestId);
     // @ts-expect-error: a misspelt field
     await new EdgeMeter().record({ tool: 'search', durations: 1 });
     export { key };`,
  );
  const module = resolution === 'bundler' ? 'esnext' : 'node16';
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom'];
  const args = [...options, '--module', module, '--moduleResolution', resolution, 'main.mts'];
  const { stdout } = spawnSync(process.execPath, [typescript, ...args], { cwd: project, encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('the client without the spool has at most 12 KiB gzipped', () => {
  const seen = new Map<string, string>();
  const follow = (path: string): void => {
    if (seen.has(path)) return;
    const text = readFileSync(path, 'utf8');
    seen.set(path, text);
    for (const [, name = ''] of text.matchAll(/from '(\.[^']+)'/g)) follow(join(path, '..', name));
  };
  follow(join(installed, 'dist/client/tollgate.js'));
  expect(gzipSync([...seen.values()].join('\n')).length).toBeLessThan(12 * 1024);
});
