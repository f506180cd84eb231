import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { copyRepository } from '../e2e/copy-repository.ts';
import { mutantsOf, type Mutant } from './mutants-of.ts';

/**
 * Changes pure files in one place after the other, in a copy of the repository, and runs the pure tests of the package.
 * A change that no test notices survives: either a test is missing, or nothing needs the place.
 *
 *   pnpm mutate packages/pricing/src/to-line.ts …
 */
const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: pnpm mutate <source file> …');

const jest = ['--experimental-vm-modules', '--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
/** A mutant may run for ever. The slowest suite of pure tests takes a third of this on a busy machine. */
const patienceMs = 60_000;
const copy = copyRepository('mutants');

try {
  let [killed, survived] = [0, 0];
  for (const file of files) {
    const tests = await relatedTests(file);
    if (tests.length === 0) console.log(`${file}: no pure test of its package reads it`);
    else
      for (const mutant of mutantsOf(readFileSync(join(copy, file), 'utf8'))) {
        if (await isKilled(file, mutant, tests)) killed += 1;
        else {
          survived += 1;
          console.log(`${file}:${mutant.line}  ${oneLine(mutant.was)} → ${oneLine(mutant.becomes)}`);
        }
      }
    console.log(`${file}: done, ${killed} killed and ${survived} survived so far`);
  }
  console.log(`${killed + survived} mutants: ${killed} killed, ${survived} survived`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** The pure tests in the package of the file that read it, its own first. */
async function relatedTests(file: string): Promise<string[]> {
  const { output } = await runJest(['--listTests', '--findRelatedTests', file]);
  const home = join(copy, ...file.split('/').slice(0, 2));
  const own = join(copy, file.replace(/\.ts$/, '.test.ts'));
  const tests = output.split('\n').filter((line) => line.startsWith(`${home}/`));
  return [...tests.filter((test) => test === own), ...tests.filter((test) => test !== own)];
}

async function isKilled(file: string, mutant: Mutant, tests: readonly string[]): Promise<boolean> {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, mutant.text);
  try {
    return !(await runJest(['--bail', '--runInBand', '--silent', '--runTestsByPath', ...tests])).passed;
  } finally {
    writeFileSync(path, original);
  }
}

async function runJest(args: readonly string[]): Promise<{ passed: boolean; output: string }> {
  const command = [...jest, 'node_modules/jest/bin/jest.js', '--config', 'jest.unit.config.js', ...args];
  const env = { ...process.env, TEST_SIZE: 'small' };
  const child = spawn(process.execPath, command, {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null]; // as documented for a child process
  return { passed: exitCode === 0, output };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 100);
}
