import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { failedFiles, flakyFilesMax, judgeTests, type JestReport, type JestRun } from './judge-tests.ts';

/**
 * The tests of CI: runs jest, and then each file with a failed test once more, alone. So a busy machine cannot fail the
 * run by bad luck. A worker of jest that does not exit by itself counts as a failure: a test left something open. The last
 * line is "N passed, N failed". The file of counts gets the same two numbers.
 *
 *   pnpm test:ci <file of counts> [option or path for jest …]
 */
const [countsFile, ...jestArguments] = process.argv.slice(2);
if (countsFile === undefined) throw new Error('usage: pnpm test:ci <file of counts> [option or path for jest …]');

/** A change that breaks more files than this is no luck, and running them all again would take hours. */
const filesAgainMax = 10;
const drainMs = 2_000; // what an ended jest has written is in the pipe already
const exitPatienceMs = 10_000; // jest exits within one second of its report
const wholeLimitMs = 77 * 60_000; // it took 54 on a busy machine; CI ends after 90 minutes, with the check and the red proofs in it
const againLimitMs = 8 * 60_000; // of all files that run again, together
const repository = fileURLToPath(new URL('..', import.meta.url));
const jest = ['--experimental-vm-modules', '--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'));

const whole = await runJest(jestArguments, wholeLimitMs);
const { passed, failed, flaky } = judgeTests(whole, await runAlone(failedFiles(whole).map(({ file }) => file)));
rmSync(folder, { recursive: true, force: true });
for (const { file, tests } of flaky)
  for (const test of tests) console.log(`flaky: ${relative(repository, file)} › ${test}`);
if (flaky.length > flakyFilesMax)
  console.log(`${flaky.length} files are flaky, more than ${flakyFilesMax}: their tests count as failed`);
if (whole.hasStuckWorker === true)
  console.log('a worker of jest did not exit by itself, since a test left something open: it counts as failed');
writeFileSync(countsFile, `${passed} ${failed}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAlone(files: readonly string[]): Promise<Map<string, JestRun>> {
  const runs = new Map<string, JestRun>();
  if (files.length > filesAgainMax) {
    console.log(`${files.length} files failed, more than ${filesAgainMax}: none of them runs again`);
    return runs;
  }
  const endMs = Date.now() + againLimitMs;
  for (const file of files) {
    const leftMs = endMs - Date.now();
    if (leftMs < 0) break; // a file that did not run again has failed
    console.log(`+ again, alone: ${relative(repository, file)}`);
    const options = jestArguments.filter((argument) => argument.startsWith('-')); // the paths are for the whole run
    runs.set(file, await runJest([...options, '--runInBand', '--runTestsByPath', file], leftMs));
  }
  return runs;
}

async function runJest(args: readonly string[], limitMs: number): Promise<JestRun> {
  const output = join(folder, 'report.json');
  rmSync(output, { force: true });
  const program = join(repository, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [...jest, program, ...args, '--json', `--outputFile=${output}`], {
    stdio: ['inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) }, // as jest without the pipe
  });
  const stuck = hearStuckWorker(child.stderr);
  const guard = endLateJest(child, { output, limitMs });
  const ended = once(child.stderr, 'end');
  const [exitCode] = (await once(child, 'exit')) as [number | null]; // as documented for a child process
  await Promise.race([ended, pause(drainMs, undefined, { ref: false })]); // a process that a test left behind may hold the pipe for ever
  child.stderr.destroy();
  const { hangs } = guard.stop();
  const report = existsSync(output) ? (JSON.parse(readFileSync(output, 'utf8')) as JestReport) : undefined;
  const { hasStuckWorker } = stuck;
  if (!hangs) return { exitCode, report, hasStuckWorker };
  return { exitCode: report?.success === true ? 0 : 1, report, hasStuckWorker };
}

/** Passes jest's messages on, and hears whether it had to kill a worker. Jest says that at the start of a line, as it ends. */
function hearStuckWorker(messages: Readable): { hasStuckWorker: boolean } {
  const heard = { hasStuckWorker: false };
  createInterface({ input: messages }).on('line', (line) => {
    if (stripVTControlCharacters(line).startsWith('A worker process has failed to exit gracefully'))
      heard.hasStuckWorker = true;
  });
  messages.pipe(process.stderr, { end: false });
  return heard;
}

/**
 * Kills a jest that has reported and does not exit, because a test file left something open, and one that takes longer
 * than the limit. The first has told its outcome; the second has none.
 */
function endLateJest(child: ChildProcess, { output, limitMs }: { readonly output: string; readonly limitMs: number }) {
  let hangs = false;
  const late = setTimeout(() => {
    console.log(`jest took longer than ${Math.round(limitMs / 60_000)} minutes: it is killed`);
    child.kill('SIGKILL');
  }, limitMs);
  const watch = setInterval(() => {
    if (!existsSync(output) || Date.now() - statSync(output).mtimeMs < exitPatienceMs) return;
    hangs = true;
    console.log('jest has reported and does not exit, since a test file left something open: it is killed');
    clearInterval(watch);
    child.kill('SIGKILL');
  }, 1_000);
  return {
    stop() {
      clearTimeout(late);
      clearInterval(watch);
      return { hangs };
    },
  };
}
