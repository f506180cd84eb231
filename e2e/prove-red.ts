import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { copyRepository } from './copy-repository.ts';
import type { RedCheck } from './red-check.ts';
import { redChecks } from './red-checks.ts';

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

const patches = fileURLToPath(new URL('../faults/patches', import.meta.url));
const words = process.argv.slice(2);
const share = words[0] === '--share' ? shareOf(words[1]) : undefined;
if (words.includes('--help')) print(usage());
else process.exitCode = prove(share === undefined ? words : words.slice(2));

/** 0: all went red. 1: some did not. 2: a word names no check. */
function prove(names: readonly string[]): number {
  const unknown = names.filter((name) => !redChecks.some((check) => isNamed(check, name)));
  if (unknown.length > 0) {
    print(`no check is named ${unknown.join(' or ')}\n\n${usage()}`);
    return 2;
  }
  const named = redChecks.filter((check) => names.length === 0 || names.some((name) => isNamed(check, name)));
  const chosen = share === undefined ? named : named.filter((_check, index) => index % share.of === share.part);
  const verdicts = chosen.flatMap((check, index) => {
    print(`[${index + 1}/${chosen.length}] ${check.patch}: ${check.test}`);
    const judged = judgeTwice(check);
    for (const { title, verdict } of judged) print(`  ${title}: ${verdict}`);
    return judged;
  });
  const red = verdicts.filter(({ isRed }) => isRed).length;
  print(`${chosen.length} checks, ${verdicts.length} tests: ${red} red, ${verdicts.length - red} not red`);
  return red === verdicts.length ? 0 : 1;
}

/** Which checks of a run in parts: 2/3 is every third check from the third on. CI takes the part by the commit. */
function shareOf(text = ''): { readonly part: number; readonly of: number } {
  const [part = Number.NaN, of = Number.NaN] = text.split('/').map(Number);
  if (part >= 0 && part < of) return { part, of };
  throw new Error(`--share wants a part such as 0/3, not ${text}`);
}

/** A busy machine may let a test fail for another reason than its own. A test that cannot fail stays green twice. */
function judgeTwice(check: RedCheck): Judged[] {
  const judged = judge(check);
  if (judged.every(({ isRed }) => isRed)) return judged;
  print('  not red, again');
  return judge(check);
}

function isNamed({ patch, test }: RedCheck, name: string): boolean {
  return name !== '' && (name === patch || test.includes(name));
}

function usage(): string {
  const names = [...new Set(redChecks.map(({ patch }) => patch))].map((patch) => {
    const tests = redChecks.filter((check) => check.patch === patch).map(({ test }) => `\n      ${test}`);
    return `  ${patch}${tests.join('')}`;
  });
  return `pnpm prove-red [--share 0/3] [name …]

Takes one defence after the other out of a copy of the repository and runs the tests that guard it.
Exits 0 when each of them fails for the expected reason, 1 otherwise, 2 for an unknown name.
A name is a patch or a part of a test's path. Without a name, all checks run; with --share, every third of them:

${names.join('\n')}`;
}

interface Judged {
  readonly title: string;
  readonly isRed: boolean;
  readonly verdict: string;
}

function judge(check: RedCheck): Judged[] {
  const copy = copyRepository('red');
  mkdirSync(join(copy, 'tmp'));
  chmodSync(copy, 0o711); // root's PostgreSQL runs as another user, who must be able to enter
  chmodSync(join(copy, 'tmp'), 0o711);
  try {
    run(copy, 'git', ['apply', '-p1', join(patches, `${check.patch}.patch`)]);
    const results = runTests(copy, check);
    return check.red.map((wanted) => judgeTest(results, wanted));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return check.red.map(({ title }) => ({ title, isRed: false, verdict: `NOT RED: ${reason}` }));
  } finally {
    rmSync(copy, { recursive: true, force: true });
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
  const wanted = [test, '--testNamePattern', titles, '--forceExit', '--json', `--outputFile=${report}`];
  run(copy, process.execPath, [...flags, 'node_modules/jest/bin/jest.js', ...wanted], { mayFail: true });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport; // as jest writes it
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0)
    throw new Error(`${test} did not run: ${testResults.map(({ message }) => message).join('\n')}`);
  return results;
}

function run(cwd: string, command: string, args: readonly string[], { mayFail = false } = {}): void {
  const env = { ...process.env, TMPDIR: join(cwd, 'tmp'), FORCE_COLOR: '0' }; // files that a failing test keeps are removed with the copy
  const limits = { maxBuffer: 64 * 1024 * 1024, timeout: 15 * 60_000, killSignal: 'SIGKILL' } as const; // a run takes one minute
  const { status, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', ...limits });
  for (const seed of stderr.match(/^.*FAULT_SEED=.*$/gm) ?? []) print(seed);
  if (status !== 0 && !mayFail) throw new Error(`${command} ${args.join(' ')}:\n${stderr}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
