import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

it('the test of the README passes as it stands there, in a run of its own', () => {
  const name = `pasted-${randomUUID()}.int.test.ts`; // here, to find the packages
  const path = fileURLToPath(new URL(name, import.meta.url));
  const [, text = ''] = /```ts\n(.*?)```/s.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? [];
  writeFileSync(path, text);
  try {
    const flags = ['--experimental-vm-modules', '--conditions=@tollgate/source', 'node_modules/jest/bin/jest.js'];
    const { PATH, HOME, TMPDIR } = process.env;
    const env = { PATH, HOME, TMPDIR }; // the run makes its own PostgreSQL
    const output = execFileSync(process.execPath, [...flags, '--json', name], { cwd: repository, env, stdio: 'pipe' });
    expect(JSON.parse(String(output))).toMatchObject({ success: true, numPassedTests: 1, numTotalTests: 1 });
  } finally {
    rmSync(path);
  }
});
