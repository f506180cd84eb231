import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '@tollgate/kernel/clock';
import { launcherGone } from '@tollgate/runtime/lifecycle/launcher-gone';
import { runUntilSignal, type LifecycleLog } from '@tollgate/runtime/lifecycle/run-until-signal';
import type { Service } from '@tollgate/kernel/service';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { Command, InvalidArgumentError } from 'commander';
import { describeStack } from './describe-stack.ts';
import { refuseLackingMachine, startStack, type Stack, type StackReport } from './start-stack.ts';

interface Flags {
  readonly gateways: number;
  readonly aggregators: number;
  readonly brokers: number;
  readonly port: number;
  readonly data?: string;
}

const program = new Command('pnpm stack')
  .description(
    'Runs the distributed shape on this machine without Docker: each service is a process, on Kafka, Redis and PostgreSQL, behind one base URL. Ctrl-C stops everything.',
  )
  .option('--gateways <n>', 'ingest-gateways', count, 2)
  .option('--aggregators <n>', 'aggregators', count, 2)
  .option('--brokers <n>', 'brokers of Kafka; with 3, each event is on two of them before it is acknowledged', count, 1)
  .option('--port <n>', 'port of the base URL; 0 takes a free port', portNumber, 8080)
  .option('--data <folder>', 'keep the data in this folder; by default it is removed with the stack')
  .allowExcessArguments(false)
  .showSuggestionAfterError()
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .addHelpText(
    'after',
    `
It needs Java 17, Maven, which fetches Kafka once, and redis-server.
The environment has the settings of the services: OPERATOR_TOKEN=… opens the operator's routes.`,
  );
const given = process.argv.slice(2);
const flags = program.parse(given[0] === '--' ? given.slice(1) : given, { from: 'user' }).opts<Flags>();
const report: StackReport = {
  ended: ({ name, pid }, logFile) => say(`${name} (${pid}) has ended, and is started again; its log: ${logFile}`),
  restarted: ({ name, pid }) => say(`${name} runs again (${pid})`),
  failed: (name, error) =>
    say(`${name} could not be started: ${error instanceof Error ? error.message : String(error)}`),
};
const startedMs = systemClock.monotonicMs();
const stopDeadlineMs = 120_000; // a stop waits for a start that is under way

await runUntilSignal([stackService()], { log: inWords(), drainDeadlineMs: stopDeadlineMs, until: [launcherGone()] });

function stackService(): Service {
  let stack: Stack | undefined;
  let throwAway: string | undefined;

  async function start(): Promise<void> {
    await step('Java, Kafka and Redis are there', refuseLackingMachine);
    if (flags.data === undefined) throwAway = makeFolder();
    const dataDir = throwAway === undefined ? resolve(flags.data ?? '') : join(throwAway, 'data');
    const log = createLogger({ name: 'stack', level: 'warn', destination: process.stderr });
    try {
      stack = await startStack({ ...flags, dataDir, environment: process.env, log, step, report });
    } catch (error) {
      removeFolder();
      throw error;
    }
    const startedInMs = systemClock.monotonicMs() - startedMs;
    process.stdout.write(describeStack(stack, { dataDir, isKept: throwAway === undefined, startedInMs }));
  }

  async function stop(): Promise<void> {
    await stack?.stop();
    removeFolder();
  }

  function removeFolder(): void {
    if (throwAway !== undefined) rmSync(throwAway, { recursive: true, force: true });
  }

  return { name: 'stack', start, stop };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-stack-'));
  chmodSync(folder, 0o711); // root's PostgreSQL runs as another user, who must be able to enter
  return folder;
}

async function step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const beganMs = systemClock.monotonicMs();
  const result = await work();
  const seconds = `${((systemClock.monotonicMs() - beganMs) / 1_000).toFixed(1)} s`;
  process.stderr.write(`  ✓ ${title.padEnd(54)}${seconds.padStart(7)}\n`);
  return result;
}

function say(line: string): void {
  process.stderr.write(`stack: ${line}\n`);
}

function inWords(): LifecycleLog {
  return {
    info(_, message) {
      if (message === 'stopping') process.stderr.write('\n  Stopping all of it …\n');
    },
    error(facts, message) {
      const error = 'err' in facts ? facts.err : undefined;
      process.stderr.write(`stack: ${error instanceof Error ? error.message : message}\n`);
    },
  };
}

function count(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 99.');
  return Number(text);
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('It must be a port.');
  return Number(text);
}
