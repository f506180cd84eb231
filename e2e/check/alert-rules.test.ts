import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { repository } from '@tollgate/testkit/faults/repository';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';

const cwd = join(repository, 'deploy/observability');
const promtool = (...words: string[]) =>
  spawnSync(process.env['PROMTOOL'] ?? 'promtool', words, { cwd, encoding: 'utf8' });
const describeWithPromtool = await describeWhere('promtool', async () => {
  if (promtool('--version').error) throw new Error('promtool of Prometheus is not installed; PROMTOOL names its path');
});

describeWithPromtool('the alert rules', () => {
  it('fire in their scenarios, each once, and are silent in a calm deployment', () => {
    const { status, stdout, stderr } = promtool('test', 'rules', 'rules.test.yml');
    expect({ status, said: `${stdout}${stderr}` }).toMatchObject({
      status: 0,
      said: expect.stringContaining('SUCCESS'),
    });
  });
});
