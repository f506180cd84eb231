import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-run-tests-'));
  writeFileSync(join(folder, 'jest.config.json'), '{ "transform": {} }');
  write('good', `it('passes', () => {});`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, code: string): void {
  writeFileSync(join(folder, `${name}.test.js`), code);
}

/** The program over the test files of the folder. */
function runTests(): { status: number | null; lines: string[]; counts: string } {
  const counts = join(folder, 'counts');
  const config = `--config=${join(folder, 'jest.config.json')}`;
  const { status, stdout } = spawnSync(process.execPath, [join(repository, 'tools/run-tests.ts'), config], {
    encoding: 'utf8',
    env: { ...process.env, TEST_COUNTS: counts },
  });
  return { status, lines: stdout.trim().split('\n'), counts: readFileSync(counts, 'utf8').trim() };
}

const failsOnce = (marker: string) => `
  const { existsSync, writeFileSync } = require('node:fs');
  it('needs luck', () => {
    const isSecond = existsSync(${JSON.stringify(marker)});
    writeFileSync(${JSON.stringify(marker)}, '');
    expect(isSecond).toBe(true);
  });`;

describe('pnpm test', () => {
  it('runs a file that failed once more, and passes with the flaky test named', () => {
    write('unlucky', failsOnce(join(folder, 'was-here')));
    const { status, lines, counts } = runTests();
    const file = relative(repository, join(folder, 'unlucky.test.js'));
    expect(lines).toContain(`flaky: ${file} › needs luck`);
    expect(lines.at(-1)).toBe('2 passed, 0 failed');
    expect({ status, counts }).toEqual({ status: 0, counts: '2 0' });
  });

  it('ends a jest that does not exit after its report, and believes the report', () => {
    write('open', `${failsOnce(join(folder, 'was-here'))} setInterval(() => undefined, 1_000);`);
    const { status, lines } = runTests();
    expect(lines).toContainEqual(expect.stringContaining('left something open'));
    expect(lines.at(-1)).toBe('2 passed, 0 failed');
    expect(status).toBe(0);
  });

  const inWorkers = '{ "transform": {}, "maxWorkers": 2, "workerGracefulExitTimeout": 5000 }';

  it('counts a worker that does not exit by itself as a failure', () => {
    writeFileSync(join(folder, 'jest.config.json'), inWorkers);
    write('leaky', `it('leaks', () => void setInterval(() => undefined, 1_000));`);
    const { status, lines, counts } = runTests();
    expect(lines.at(-2)).toMatch(/^a worker of jest did not exit by itself/);
    expect(lines.at(-1)).toBe('2 passed, 1 failed');
    expect({ status, counts }).toEqual({ status: 1, counts: '2 1' });
  });

  it('does not take a test that says the same for a worker', () => {
    writeFileSync(join(folder, 'jest.config.json'), inWorkers);
    const said = 'A worker process has failed to exit gracefully and has been force exited.';
    write('says', `it('says it', () => console.error(${JSON.stringify(said)}));`);
    const { status, lines } = runTests();
    expect(lines.at(-1)).toBe('2 passed, 0 failed');
    expect(status).toBe(0);
  });

  it('prints the slowest files, the slowest first', () => {
    write('slow', `it('takes its time', () => new Promise((resolve) => setTimeout(resolve, 1_500)));`);
    const { lines } = runTests();
    const at = lines.indexOf('The ten slowest files:');
    const names = lines.slice(at + 1, at + 3).map((line) => /s {2}.*\/(.*)\.test\.js$/.exec(line)?.[1]);
    expect(names).toEqual(['slow', 'good']);
  });

  it('fails when a file fails twice or cannot run', () => {
    write('bad', `it('fails', () => { throw new Error('always'); });`);
    write('broken', `throw new Error('no test here');`);
    const { status, lines, counts } = runTests();
    expect(lines.at(-1)).toBe('1 passed, 2 failed');
    expect({ status, counts }).toEqual({ status: 1, counts: '1 2' });
  });
});
