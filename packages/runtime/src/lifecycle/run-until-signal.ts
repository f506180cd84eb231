/**
 * The life of a process: start, run, drain, exit.
 *
 *   starting ──▶ running ──SIGTERM, SIGINT, `until`──▶ draining ──▶ exit 0
 *      │            └──uncaught exception or rejection──▶ draining ──▶ exit 1
 *      └──start failed──▶ exit 1
 *
 * Draining has a deadline; what has not stopped by then is cut off with exit 1. A second signal exits at once: whoever
 * presses Ctrl-C twice means it; what a package runner hands on of the first is none. After an uncaught exception the
 * state of the process is unknown, so it never goes on: alive and idle is worse than dead, for nobody restarts it.
 */
import { systemClock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { startAll, type StopAll } from './start-all.ts';

export interface RunOptions {
  readonly log: LifecycleLog;
  readonly drainDeadlineMs?: number;
  /** Another reason to stop, told in words: the parent is gone, the log's reader has failed. Rejected: as a crash. */
  readonly until?: Promise<string>;
}

/** What this file needs of a logger; pino's fits. */
export interface LifecycleLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
  flush?(done?: (error?: Error) => void): void;
}

type Ending = { readonly reason: string; readonly exitCode: 0 | 1; readonly error?: unknown };

const defaultDrainDeadlineMs = 10_000;
/** A terminal signals all of a group at once, and npx and pnpm hand on to us what they were sent. */
const handedOnWithinMs = 500;

/** Runs the services until the process is told to end, or must. Ends the process; the promise never resolves. */
export async function runUntilSignal(services: readonly Service[], options: RunOptions): Promise<void> {
  const { log } = options;
  const ending = firstEnding(options);
  const startedAll = startAll(services, (name, error) =>
    log.error({ service: name, err: error }, 'did not stop cleanly'),
  );
  startedAll.then(
    () => log.info({ services: services.map((service) => service.name) }, 'started'),
    () => undefined, // told below, where it ends the process
  );

  const end = await Promise.race([ending, failedStart(startedAll)]);
  if (end.error === undefined) log.info({ reason: end.reason }, 'stopping');
  else log.error({ err: end.error }, end.reason);

  const drained = await drain(startedAll, options.drainDeadlineMs ?? defaultDrainDeadlineMs);
  if (!drained) log.error({}, 'not drained within the deadline, exiting all the same');
  exit(log, drained ? end.exitCode : 1);
}

function firstEnding({ log, until }: RunOptions): Promise<Ending> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = (signal: string): void => {
      firstAtMs ??= systemClock.monotonicMs();
      if (systemClock.monotonicMs() - firstAtMs > handedOnWithinMs) exit(log, 1);
      resolve({ reason: signal, exitCode: 0 });
    };
    const onCrash = (reason: string) => (error: unknown) => {
      log.error({ err: error }, reason);
      resolve({ reason, exitCode: 1, error });
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    process
      .on('uncaughtException', onCrash('uncaught exception'))
      .on('unhandledRejection', onCrash('unhandled rejection'));
    until?.then((reason) => resolve({ reason, exitCode: 0 }), onCrash('a part of the service failed'));
  });
}

function failedStart(started: Promise<StopAll>): Promise<Ending> {
  return new Promise((resolve) => {
    started.catch((error: unknown) => resolve({ reason: 'could not start', exitCode: 1, error }));
  });
}

/** Told to end while starting, it waits for the start and stops what it made. False: the deadline came first. */
async function drain(started: Promise<StopAll>, deadlineMs: number): Promise<boolean> {
  const stopped = started
    .then(
      (stopAll) => stopAll(),
      () => undefined,
    )
    .then(() => true);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs);
  });
  const drained = await Promise.race([stopped, late]);
  clearTimeout(timer);
  return drained;
}

function exit(log: LifecycleLog, exitCode: number): void {
  log.flush?.();
  process.exit(exitCode);
}
