import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { failedFiles, flakyFilesMax, judgeTests, type JestReport, type JestRun } from './judge-tests.ts';

/**
 * The tests of CI: runs jest, and then each file with a failed test once more, alone. So a busy machine cannot fail the
 * run by bad luck. The last line is "N passed, N failed". The file of counts gets the same two numbers.
 *
 *   pnpm test:ci <file of counts> [option or path for jest …]
 */
const [countsFile, ...jestArguments] = process.argv.slice(2);
if (countsFile === undefined) throw new Error('usage: pnpm test:ci <file of counts> [option or path for jest …]');

/** A change that breaks more files than this is no luck, and running them all again would take hours. */
const filesAgainMax = 10;
const repository = fileURLToPath(new URL('..', import.meta.url));
const jest = ['--experimental-vm-modules', '--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'));

const whole = await runJest(jestArguments);
const { passed, failed, flaky } = judgeTests(whole, await runAlone(failedFiles(whole).map(({ file }) => file)));
rmSync(folder, { recursive: true, force: true });
for (const { file, tests } of flaky)
  for (const test of tests) console.log(`flaky: ${relative(repository, file)} › ${test}`);
if (flaky.length > flakyFilesMax)
  console.log(`${flaky.length} files are flaky, more than ${flakyFilesMax}: their tests count as failed`);
writeFileSync(countsFile, `${passed} ${failed}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAlone(files: readonly string[]): Promise<Map<string, JestRun>> {
  const runs = new Map<string, JestRun>();
  if (files.length > filesAgainMax) {
    console.log(`${files.length} files failed, more than ${filesAgainMax}: none of them runs again`);
    return runs;
  }
  for (const file of files) {
    console.log(`+ again, alone: ${relative(repository, file)}`);
    const options = jestArguments.filter((argument) => argument.startsWith('-')); // the paths are for the whole run
    runs.set(file, await runJest([...options, '--runInBand', '--runTestsByPath', file]));
  }
  return runs;
}

async function runJest(args: readonly string[]): Promise<JestRun> {
  const output = join(folder, 'report.json');
  rmSync(output, { force: true });
  const program = join(repository, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [...jest, program, ...args, '--json', `--outputFile=${output}`], {
    stdio: 'inherit',
  });
  const [exitCode] = (await once(child, 'close')) as [number | null]; // as documented for a child process
  return {
    exitCode,
    report: existsSync(output) ? (JSON.parse(readFileSync(output, 'utf8')) as JestReport) : undefined,
  };
}
