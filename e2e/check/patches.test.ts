import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { repository } from '@tollgate/testkit/faults/repository';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';

import { redChecks } from '../red-checks.ts';

const patches = readdirSync(join(repository, 'faults/patches'));
const git = (...words: string[]) => spawnSync('git', words, { cwd: repository, encoding: 'utf8' });
const describeWithGit = await describeWhere('git', async () => {
  const { error } = git('--version');
  if (error) throw error;
});

describeWithGit('the patches of `pnpm prove-red`', () => {
  it.each(patches)('still find the defence that they take out: %s', (patch) => {
    expect(git('apply', '--check', `faults/patches/${patch}`).stderr).toBe('');
  });
});

describe('the checks of `pnpm prove-red`', () => {
  it('use every patch', () => {
    expect(new Set(redChecks.map(({ patch }) => `${patch}.patch`))).toEqual(new Set(patches));
  });

  it('name tests that exist, in the file or in a suite that several files share', () => {
    const shared = [
      'packages/testkit/src/contracts/event-log.contract.ts',
      'services/billing/test/support/describe-crashes.ts',
    ].map((path) => readFileSync(join(repository, path), 'utf8'));
    const missing = redChecks.flatMap(({ test, red }) => {
      const source = readFileSync(join(repository, test), 'utf8') + shared.join('\n');
      const starts = red.map(({ title }) => title.split(' ', 3).join(' ')); // the rest may come from a table of cases
      return starts.filter((start) => !source.includes(start)).map((start) => `${test}: ${start}`);
    });
    expect(missing).toEqual([]);
  });
});
