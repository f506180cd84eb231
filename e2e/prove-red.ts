import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@tollgate/kernel/clock';

import { chooseChecks, touchedMax, type Share } from './choose-checks.ts';
import { copyRepository } from './copy-repository.ts';
import type { RedCheck } from './red-check.ts';
import { redChecks } from './red-checks.ts';
import { touchedFiles } from './touched-files.ts';

/**
 * A test that cannot fail proves nothing. This program takes one defence after the other out of a copy of the repository.
 * The tests that guard the defence must go red, for the reason named. `pnpm prove-red --help` has the names.
 */
interface JestReport {
  readonly testResults: readonly { readonly message: string; readonly assertionResults: readonly TestResult[] }[];
}

interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

const repository = fileURLToPath(new URL('..', import.meta.url));
const patches = join(repository, 'faults/patches');
process.exitCode = main(process.argv.slice(2));

/** 0: all went red. 1: some did not. 2: the command line is wrong. */
function main(words: readonly string[]): number {
  if (words.includes('--help')) {
    print(usage());
    return 0;
  }
  const [option, text, ...rest] = words;
  if (option !== '--share') return proveNamed(words);
  const share = shareOf(text);
  if (share === undefined) return refuse(`--share wants a part such as 0/3, not ${text}`);
  const unknown = rest.filter((word) => word !== '--touched');
  return unknown.length > 0 ? refuse(`--share takes no ${unknown.join(' ')}`) : proveShare(share, rest.length > 0);
}

function proveNamed(names: readonly string[]): number {
  const unknown = names.filter((name) => !redChecks.some((check) => isNamed(check, name)));
  if (unknown.length > 0) return refuse(`no check is named ${unknown.join(' or ')}`);
  return prove(redChecks.filter((check) => names.length === 0 || names.some((name) => isNamed(check, name))));
}

function proveShare(share: Share, withTouched: boolean): number {
  const touched = withTouched ? touchedFiles(repository) : new Set<string>();
  if (touched === undefined) print('no commit before this one is here: nothing is known of what it touches');
  const { chosen, cut } = chooseChecks(redChecks, share, touched ?? new Set());
  if (cut.length > 0) print(`too many checks are touched; ${cut.length} do not run: ${cut.join(', ')}`);
  return prove(chosen);
}

/** All checks use one copy, so jest compiles a file once for all of them. Each takes its patch back when it has ended. */
function prove(chosen: readonly RedCheck[]): number {
  const copy = copyRepository('red');
  chmodSync(copy, 0o711); // root's PostgreSQL runs as another user, who must be able to enter
  const verdicts: Judged[] = [];
  try {
    for (const [index, check] of chosen.entries()) {
      print(`[${index + 1}/${chosen.length}] ${check.patch}: ${check.test}`);
      const startMs = systemClock.monotonicMs();
      const judged = judgeTwice(copy, check);
      for (const { title, verdict } of judged) print(`  ${title}: ${verdict}`);
      print(`  ${Math.round((systemClock.monotonicMs() - startMs) / 1_000)} s`);
      verdicts.push(...judged);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  const others = verdicts.filter(({ isRed }) => !isRed);
  for (const { title, verdict } of others) print(`${title}: ${verdict}`); // at the end, where a reader looks first
  const red = verdicts.length - others.length;
  print(`${chosen.length} checks, ${verdicts.length} tests: ${red} red, ${others.length} not red`);
  return others.length === 0 ? 0 : 1;
}

function refuse(reason: string): number {
  print(`${reason}\n\n${usage()}`);
  return 2;
}

/** Which checks of a run in parts, such as 2/3. CI takes the part by the commit. */
function shareOf(text = ''): Share | undefined {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const share = { part: Number(part), of: Number(of) };
  return share.part < share.of ? share : undefined;
}

/** A busy machine may let a test fail for another reason than its own. A test that cannot fail stays green twice. */
function judgeTwice(copy: string, check: RedCheck): Judged[] {
  const judged = judge(copy, check);
  if (judged.every(({ isRed }) => isRed)) return judged;
  print('  not red, again');
  return judge(copy, check);
}

function isNamed({ patch, test }: RedCheck, name: string): boolean {
  return name !== '' && (name === patch || test.includes(name));
}

function usage(): string {
  const names = [...new Set(redChecks.map(({ patch }) => patch))].map((patch) => {
    const tests = redChecks.filter((check) => check.patch === patch).map(({ test }) => `\n      ${test}`);
    return `  ${patch}${tests.join('')}`;
  });
  return `pnpm prove-red [name …]
pnpm prove-red --share 0/3 [--touched]

Takes one defence after the other out of a copy of the repository and runs the tests that guard it.
Exits 0 when each of them fails for the expected reason, 1 otherwise, 2 for a wrong command line.
A name is a patch or a part of a test's path. Without a name, all checks run; with --share, every third of
them, but none of the long lane.
With --touched, checks whose patch or test the newest commits touch run as well, ${touchedMax} at most:

${names.join('\n')}`;
}

interface Judged {
  readonly title: string;
  readonly isRed: boolean;
  readonly verdict: string;
}

function judge(copy: string, check: RedCheck): Judged[] {
  const patch = join(patches, `${check.patch}.patch`);
  mkdirSync(join(copy, 'tmp'));
  chmodSync(join(copy, 'tmp'), 0o711);
  let takesBack = false;
  try {
    run(copy, 'git', ['apply', '-p1', patch]);
    takesBack = true;
    const results = runTests(copy, check);
    return check.red.map((wanted) => judgeTest(results, wanted));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return check.red.map(({ title }) => ({ title, isRed: false, verdict: `NOT RED: ${reason}` }));
  } finally {
    if (takesBack) run(copy, 'git', ['apply', '-p1', '--reverse', patch]);
    rmSync(join(copy, 'tmp'), { recursive: true, force: true });
  }
}

function judgeTest(results: readonly TestResult[], { title, because }: RedCheck['red'][number]): Judged {
  const result = results.find((each) => each.title.startsWith(title));
  if (!result) return { title, isRed: false, verdict: 'NOT RED: there is no such test' };
  const messages = result.failureMessages.join('\n');
  const reason = messages.match(because)?.[0];
  if (result.status === 'failed' && reason) return { title: result.title, isRed: true, verdict: `red: ${reason}` };
  return { title: result.title, isRed: false, verdict: `NOT RED: ${result.status} ${messages.slice(0, 2_000)}` };
}

/** Runs the tests that must go red, and no others: without a defence, other tests may take minutes. */
function runTests(copy: string, { test, red }: RedCheck): readonly TestResult[] {
  const report = join(copy, 'jest.json');
  const flags = ['--experimental-vm-modules', '--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
  const titles = red.map(({ title }) => title.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|');
  const cache = `--cacheDirectory=${join(copy, 'jest-cache')}`;
  const wanted = [test, '--testNamePattern', titles, '--forceExit', cache, '--json', `--outputFile=${report}`];
  rmSync(report, { force: true });
  run(copy, process.execPath, [...flags, 'node_modules/jest/bin/jest.js', ...wanted], { mayFail: true });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport; // as jest writes it
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0)
    throw new Error(`${test} did not run: ${testResults.map(({ message }) => message).join('\n')}`);
  return results;
}

function run(cwd: string, command: string, args: readonly string[], { mayFail = false } = {}): void {
  // Files that a failing test keeps are removed with the copy. The copy has no commit, for which a run could be recorded.
  const env = { ...process.env, TMPDIR: join(cwd, 'tmp'), FORCE_COLOR: '0', KEEP_FAULTS: undefined };
  const limits = { maxBuffer: 64 * 1024 * 1024, timeout: 15 * 60_000, killSignal: 'SIGKILL' } as const; // a run takes one minute
  const { status, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', ...limits });
  for (const seed of stderr.match(/^.*FAULT_SEED=.*$/gm) ?? []) print(seed);
  if (status !== 0 && !mayFail) throw new Error(`${command} ${args.join(' ')}:\n${stderr}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
