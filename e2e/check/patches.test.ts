import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from '@jest/globals';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const git = (...words: string[]) => spawnSync('git', words, { cwd: repository, encoding: 'utf8' });
const describeWithGit = await describeWhere('git', async () => {
  const { error } = git('--version');
  if (error) throw error;
});

describeWithGit('the patches of `pnpm prove-red`', () => {
  it.each(readdirSync(new URL('../../faults/patches', import.meta.url)))(
    'still find the defence that they take out: %s',
    (patch) => {
      expect(git('apply', '--check', `faults/patches/${patch}`).stderr).toBe('');
    },
  );
});
