import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('start-compiled.ts', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'));
  const compilerOptions = { composite: true, outDir: 'dist', rootDir: '.', module: 'nodenext', types: [] };
  write('tsconfig.build.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  write('package.json', '{ "type": "module" }');
  write('start-talking.ts', 'export const startTalking = () => ({ at() {}, async stop() {} });');
  write(
    'main.ts',
    "import { loadStandalone } from './load-standalone.js';\nawait (await loadStandalone())({ args: ['anew'] });",
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('compiles what has changed, and runs that and nothing older', () => {
  writeProgram('first');
  expect(start()).toEqual({ status: 0, stdout: 'loaded first, ran first with given\n' });
  expect(start()).toEqual({ status: 0, stdout: 'loaded first, ran first with given\n' });
  writeProgram('second');
  // The process loads the first while the compiler works. Then it becomes another, which has only the second.
  expect(start()).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^(loaded first, )?loaded second, ran second with anew\n$/),
  });
});

it('ends by a signal that comes while it loads', () => {
  writeProgram('killed');
  expect(start().status).toBe(0);
  expect(start({ KILLED_WHILE_LOADING: 'yes' })).toEqual({ status: 1, stdout: 'loaded killed, ' });
});

it('runs nothing that does not compile', () => {
  writeProgram('third');
  write('load-standalone.ts', 'export const loadStandalone: string = 1;');
  const { status, stdout } = start();
  expect(status).toBeGreaterThan(0);
  expect(stdout).not.toContain('ran');
});

function writeProgram(name: string): void {
  write(
    'load-standalone.ts',
    `declare const process: { pid: number; env: Record<string, string>; kill(pid: number): void; stdout: { write(text: string): void } };
    export async function loadStandalone() {
      process.stdout.write('loaded ${name}, ');
      if (process.env['KILLED_WHILE_LOADING']) {
        process.kill(process.pid);
        for (const endMs = Date.now() + 2_000; Date.now() < endMs; ); // by then the compiler has ended
      }
      return async ({ args }: { args: string[] }) => process.stdout.write('ran ${name} with ' + args + '\\n');
    }`,
  );
}

function start(environment: Readonly<Record<string, string>> = {}) {
  const script = `import { startCompiled } from ${JSON.stringify(program)}; await startCompiled(${JSON.stringify(folder)}, ['given']);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, stdout };
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
