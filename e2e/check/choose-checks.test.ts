import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';

import { chooseChecks, touchedMax } from '../choose-checks.ts';
import type { RedCheck } from '../red-check.ts';
import { touchedFiles } from '../touched-files.ts';

const short: RedCheck[] = Array.from({ length: 60 }, (_, index) => ({
  patch: `p${index}`,
  test: `t${index % 30}.test.ts`,
  red: [],
}));
const long = { patch: 'long', test: 'it.long.int.test.ts', red: [] };
const checks = [long, ...short];
const sixth = { part: 0, of: 6 };
const shared = short.filter((_check, index) => index % 6 === 0).map(({ patch }) => patch);
const choose = (...touched: string[]) => {
  const { chosen, cut } = chooseChecks(checks, sixth, new Set(touched));
  return { chosen: chosen.map(({ patch }) => patch), cut };
};

describe('the checks that CI runs', () => {
  it('are the share alone, where nothing that they name is touched', () => {
    expect(choose('README.md', 'p1.patch')).toEqual({ chosen: shared, cut: [] });
  });

  it('are also those whose patch or test is touched, each once', () => {
    const { chosen } = choose('faults/patches/p7.patch', 't7.test.ts', 'faults/patches/p6.patch');
    expect(chosen).toEqual([...shared, 'p7', 'p37']);
  });

  it('are bounded beyond the share, with the patches first and the rest named', () => {
    const tests = Array.from({ length: 30 }, (_, index) => `t${index}.test.ts`);
    const { chosen, cut } = choose(...tests, 'faults/patches/p59.patch');
    expect(chosen).toHaveLength(shared.length + touchedMax);
    expect(chosen[shared.length]).toBe('p59');
    expect(new Set([...chosen, ...cut]).size).toBe(short.length);
  });

  it('are none of the long lane, though its patch and test are touched', () => {
    expect(choose('faults/patches/long.patch', long.test)).toEqual({ chosen: shared, cut: [] });
  });
});

const describeWithGit = await describeWhere('git', async () => {
  const { error } = spawnSync('git', ['--version']);
  if (error) throw error;
});

describeWithGit('the files that the newest commits touch', () => {
  let folder = '';
  let origin = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-touched-'));
    origin = join(folder, 'origin');
    mkdirSync(origin);
    git(origin, 'init', '--quiet', '--initial-branch=main');
    for (const name of ['first', 'second', 'third']) commit(origin, name);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function git(cwd: string, ...words: string[]): void {
    const identity = ['-c', 'user.name=a test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...identity, ...words], { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
  function commit(cwd: string, name: string): void {
    writeFileSync(join(cwd, name), '');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '--message', name);
  }
  function clone(...options: string[]): string {
    const path = join(folder, 'clone');
    git(folder, 'clone', '--quiet', ...options, `file://${origin}`, path);
    return path;
  }

  it('are those since the branch left origin/main', () => {
    const path = clone();
    git(path, 'switch', '--quiet', '--create', 'branch');
    commit(path, 'mine');
    commit(path, 'mine ü');
    expect(touchedFiles(path)).toEqual(new Set(['mine', 'mine ü']));
  });

  it('are those of the last commit, on main itself and without a remote branch', () => {
    expect(touchedFiles(clone())).toEqual(new Set(['third']));
    expect(touchedFiles(origin)).toEqual(new Set(['third']));
  });

  it('are unknown in a clone of one commit, and where there is no repository', () => {
    expect(touchedFiles(clone('--depth=1'))).toBeUndefined();
    expect(touchedFiles(folder)).toBeUndefined();
  });

  it('are those of the last commit in a clone of two commits without a remote branch', () => {
    const path = clone('--depth=2');
    git(path, 'remote', 'remove', 'origin');
    expect(touchedFiles(path)).toEqual(new Set(['third']));
  });
});
