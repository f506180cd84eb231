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

describe('the command line of `pnpm prove-red`', () => {
  const proveRed = (...words: string[]) =>
    spawnSync(
      process.execPath,
      ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning', 'e2e/prove-red.ts', ...words],
      { cwd: repository, encoding: 'utf8' },
    );

  it.each([
    ['no check is named no-such-defence', ['no-such-defence']],
    ['no check is named no-such-defence', [redChecks[0]?.patch ?? '', 'no-such-defence']],
    ['--share wants a part such as 0/3, not 3/3', ['--share', '3/3']],
    ['--share wants a part such as 0/3, not sixth', ['--share', 'sixth']],
    ['--share wants a part such as 0/3, not /3', ['--share', '/3']],
    ['--share wants a part such as 0/3, not undefined', ['--share']],
    ['--share takes no --touch', ['--share', '0/3', '--touch']],
  ])('ends with 2 and its usage, and takes nothing out: %s, of %p', (reason, words) => {
    const { status, stdout } = proveRed(...words);
    expect(stdout.split('\n', 1)).toEqual([reason]);
    expect(stdout).toContain('pnpm prove-red [name …]');
    expect({ status, hasBegun: /^\[1\//m.test(stdout) }).toEqual({ status: 2, hasBegun: false });
  });
});
