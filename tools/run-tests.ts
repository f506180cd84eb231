import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { keepTimes, type FileTime } from './keep-times.ts';
import { failedFiles, flakyFilesMax, judgeTests, type JestReport, type JestRun } from './judge-tests.ts';

const usage = `pnpm test                 the tests that every landing needs
pnpm test --long          all tests, then all red checks (pnpm prove-red): once before an issue is resolved
pnpm test <path …>        the test files at these paths, of either lane
pnpm test <option …>      options for jest; \`pnpm jest --help\` lists them

Each file with a failed test runs once more, alone, so a busy machine cannot fail the run by bad luck. A worker of jest
that does not exit by itself counts as a failure: a test left something open. The run prints its ten slowest files. The
last line is "N passed, N failed"; the file that TEST_COUNTS names gets the same two numbers.
With KEEP_FAULTS=true the results of faults go to docs/faults.md.`;
const words = process.argv.slice(2);
if (words.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
const isLong = words.includes('--long');
const jestArguments = words.filter((word) => word !== '--long');
const namesFiles = jestArguments.some((word) => !word.startsWith('-'));

/** A change that breaks more files than this is no luck, and running them all again would take hours. */
const filesAgainMax = 10;
const drainMs = 2_000; // the output of an ended jest is in the pipe already
const exitPatienceMs = 10_000; // jest exits within one second of its report
const wholeLimitMs = (isLong ? 180 : 60) * 60_000; // the goal of the short lane is 15; on a busy machine it takes three times as long
const againLimitMs = 8 * 60_000; // the limit of all files that run again, together
const repository = fileURLToPath(new URL('..', import.meta.url));
const jest = ['--experimental-vm-modules', '--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'));

process.env['TEST_LANE'] = isLong ? 'long' : namesFiles ? 'named' : 'short';
const whole = await runJest(jestArguments, wholeLimitMs);
printSlowest(keepTimes(repository, whole.report));
const { passed, failed, flaky } = judgeTests(whole, await runAlone(failedFiles(whole).map(({ file }) => file)));
rmSync(folder, { recursive: true, force: true });
for (const { file, tests } of flaky)
  for (const test of tests) console.log(`flaky: ${relative(repository, file)} › ${test}`);
if (flaky.length > flakyFilesMax)
  console.log(`${flaky.length} files are flaky, more than ${flakyFilesMax}: their tests count as failed`);
if (whole.hasStuckWorker === true)
  console.log('a worker of jest did not exit by itself, since a test left something open: it counts as failed');
const redChecks = isLong ? proveRed() : { passed: 0, failed: 0 };
const counts = { passed: passed + redChecks.passed, failed: failed + redChecks.failed };
const { TEST_COUNTS: countsFile } = process.env;
if (countsFile !== undefined) writeFileSync(countsFile, `${counts.passed} ${counts.failed}\n`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** All red checks together count as one test. */
function proveRed(): { readonly passed: number; readonly failed: number } {
  const program = join(repository, 'e2e/prove-red.ts');
  const flags = ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
  const { status } = spawnSync(process.execPath, [...flags, program], { stdio: 'inherit' });
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function printSlowest(times: readonly FileTime[]): void {
  if (times.length < 2) return;
  console.log('The ten slowest files:');
  for (const { file, seconds } of times.slice(0, 10)) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
}

async function runAlone(files: readonly string[]): Promise<Map<string, JestRun>> {
  const runs = new Map<string, JestRun>();
  process.env['TEST_ALONE'] = 'true'; // the lane's own run has ended, and docs/faults.md keeps its counts
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
 * than the limit. The first has reported its outcome; the second has none.
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
