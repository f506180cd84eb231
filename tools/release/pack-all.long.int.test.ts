import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWhere } from '../../packages/testkit/src/servers/describe-where.ts';
import { buildPackage, strangersEnvironment } from './pack-package.ts';
import { repository } from './workspace-packages.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pack-all-test-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const describeWithPython = await describeWhere('python3 with venv', async () => {
  execFileSync('python3', ['-c', 'import ensurepip, venv']);
});

describeWithPython('pnpm pack-all', () => {
  it('prints two lines which install all that it has packed, in an empty folder', async () => {
    for (const path of ['packages/cli', 'packages/middleware']) buildPackage(path);
    const packed = join(folder, 'packed');
    const program = ['--conditions=@tollgate/source', 'tools/release/pack-all.ts', '--to', packed];
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: repository });
    const [npmLine = '', pipLine = ''] = stdout.trim().split('\n').slice(-2);
    expect([npmLine, pipLine]).toEqual([
      expect.stringMatching(/^npm install (\/\S+\.tgz ?){4}$/),
      expect.stringMatching(/^python3 -m pip install \/\S+\.whl$/),
    ]);

    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const { PATH, ...others } = strangersEnvironment();
    execFileSync('python3', ['-m', 'venv', join(empty, 'venv')]);
    const env = { ...others, PATH: [join(empty, 'venv/bin'), PATH].join(delimiter) };
    const lines = [
      `${npmLine} --no-audit --no-fund --prefer-offline`,
      `${pipLine} --quiet --disable-pip-version-check`,
      'npx tollgate --version',
      `node -e "import('@tollgate/sdk').then(({ Meter }) => console.log(typeof Meter.open))"`,
      `node -e "import('@tollgate/middleware/fetch').then((all) => console.log(Object.keys(all).length > 0))"`,
      'python3 -c "import tollgate; print(tollgate.Meter.__name__)"',
    ];
    const done = await promisify(execFile)('sh', ['-ec', lines.join('\n')], { cwd: empty, env });
    expect(done.stdout).toMatch(/\n\d+\.\d+\.\d+\nfunction\ntrue\nMeter\n$/);
  }, 300_000);
});
