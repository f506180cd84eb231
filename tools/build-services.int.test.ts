import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { isFresh } from './freshness.js';

const program = fileURLToPath(new URL('build-services.ts', import.meta.url));
const starter = fileURLToPath(new URL('start-built.js', import.meta.url));
let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-build-')));
  const compilerOptions = {
    composite: true,
    outDir: 'dist',
    rootDir: 'src',
    module: 'nodenext',
    types: [],
    sourceMap: true,
  };
  write('services/standalone/tsconfig.build.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  write('services/standalone/package.json', '{ "type": "module" }');
  write('services/standalone/data.txt', 'data beside dist');
  write('services/standalone/src/main.ts', "import { run } from './run.js';\nrun();");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('builds what has changed, and leaves standard output to the program that runs next', () => {
  writeProgram("console.log('first');");
  expect(build()).toMatchObject({ status: 0, stdout: '' });
  expect(start().stdout).toBe('first\n');
  expect(isFresh(root, 'standalone')).toBe(true);

  writeProgram("console.log('second');");
  expect(isFresh(root, 'standalone')).toBe(false);
  expect(build().status).toBe(0);
  expect(start().stdout).toBe('second\n');
});

it('is stale by a file that is gone', () => {
  write('services/standalone/src/other.ts', 'export const other = 1;');
  expect(build().status).toBe(0);
  expect(isFresh(root, 'standalone')).toBe(true);
  rmSync(join(root, 'services/standalone/src/other.ts'));
  expect(isFresh(root, 'standalone')).toBe(false);
});

it('keeps the last bundle, which is stale then, when a source does not compile', () => {
  writeProgram("console.log('third');");
  expect(build().status).toBe(0);
  writeProgram('const text: string = 1;');
  const { status, stderr } = build();
  expect(status).toBeGreaterThan(0);
  expect(stderr).toContain("Type 'number' is not assignable to type 'string'");
  expect([isFresh(root, 'standalone'), start().stdout]).toEqual([false, 'third\n']);
});

it('starts what is built, builds what is not, and starts nothing that does not compile', () => {
  writeProgram("console.log('fourth');");
  const built = startBuilt();
  expect([built.status, built.stdout]).toEqual([0, 'fourth\n']);
  rmSync(join(root, 'services/standalone/dist/run.js')); // a compiler would miss it
  expect(startBuilt()).toMatchObject({ status: 0, stdout: 'fourth\n' });
  writeProgram('const text: string = 1;');
  const failed = startBuilt();
  expect([failed.status === 0, failed.stdout]).toEqual([false, '']);
  expect(failed.stderr).toContain("Type 'number' is not assignable to type 'string'");
});

it('lets a module find files beside itself, and names lines of the source in a stack', () => {
  writeProgram(
    "console.log(process.getBuiltinModule('node:fs').readFileSync(new URL('../data.txt', import.meta.url), 'utf8'));",
    '',
    "throw new Error('on line 5');",
  );
  expect(build().status).toBe(0);
  const { stdout, stderr } = start();
  expect(stdout).toBe('data beside dist\n');
  expect(stderr).toMatch(/services\/standalone\/src\/run\.ts:5/);
});

function writeProgram(...lines: readonly string[]): void {
  const body = ['declare const process: any, console: any, URL: any;', 'export function run() {', ...lines, '}'].join(
    '\n',
  );
  write('services/standalone/src/run.ts', body);
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function build() {
  const script = `import { buildServices } from ${JSON.stringify(program)};
    process.exitCode = await buildServices(${JSON.stringify(root)}, ['standalone']);`;
  return spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], { encoding: 'utf8' });
}

/** As `pnpm start` does. */
function startBuilt() {
  const script = `import { startBuilt } from ${JSON.stringify(starter)}; await startBuilt(${JSON.stringify(root)});`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
}

function start() {
  const main = join(root, 'services/standalone/dist/bundle/main.js');
  expect(readFileSync(main, 'utf8')).toContain('sourceMappingURL');
  return spawnSync(process.execPath, ['--enable-source-maps', main], { encoding: 'utf8' });
}
