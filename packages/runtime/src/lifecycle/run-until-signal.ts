/**
 * The life of a process: start, run, drain, exit.
 *
 *   starting ──▶ running ──SIGTERM, SIGINT, `until`──▶ draining ──▶ exit 0
 *      │            └──uncaught exception or rejection──▶ draining ──▶ exit 1
 *      └──start failed──▶ exit 1
 *
 * Draining has a deadline, after which the process exits with 1. A second signal exits at once: a person has pressed
 * Ctrl-C twice. A signal within half a second of the first counts as the first: package runners forward it. After an
 * uncaught exception the state of the process is unknown, so it ends. Nobody would restart a process that idles.
 */
import { systemClock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { within } from '../timing/within.ts';
import { startAll, type StopAll } from './start-all.ts';

export interface RunOptions {
  readonly log: LifecycleLog;
  readonly drainDeadlineMs?: number;
  /** Other reasons to stop, in words: the parent is gone, the log's reader has failed. A rejection is a crash. */
  readonly until?: readonly Promise<string>[];
}

/** The part of a logger that this file needs; pino's fits. */
export interface LifecycleLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
  flush?(done?: (error?: Error) => void): void;
}

type Ending = { readonly reason: string; readonly exitCode: 0 | 1; readonly error?: unknown };

const defaultDrainDeadlineMs = 10_000;
/** A terminal signals a whole process group at once, and npx and pnpm forward the signal to us. */
const forwardedWithinMs = 500;

/** Runs the services until a signal, a reason of `until` or a crash. Ends the process; the promise never resolves. */
export async function runUntilSignal(services: readonly Service[], options: RunOptions): Promise<void> {
  const { log } = options;
  const ending = Promise.withResolvers<Ending>();
  awaitEnding(options, ending.resolve);
  const stopping = new AbortController();
  const onStopError = (name: string, error: unknown): void =>
    log.error({ service: name, err: error }, 'did not stop cleanly');
  const startedAll = startAll(services, onStopError, stopping.signal);
  startedAll.then(
    () => log.info({ services: services.map((service) => service.name) }, 'started'),
    (error: unknown) => ending.resolve({ reason: 'could not start', exitCode: 1, error }),
  );

  const end = await ending.promise;
  stopping.abort();
  if (end.error === undefined) log.info({ reason: end.reason }, 'stopping');
  else log.error({ err: end.error }, end.reason);

  const drained = await drain(startedAll, options.drainDeadlineMs ?? defaultDrainDeadlineMs);
  if (!drained) log.error({}, 'requests did not finish within the deadline; exiting anyway');
  exit(log, drained ? end.exitCode : 1);
}

/** Calls `end` at each reason to end the process; the first one counts. */
function awaitEnding({ log, until = [] }: RunOptions, end: (ending: Ending) => void): void {
  let firstAtMs: number | undefined;
  const onSignal = (signal: string): void => {
    firstAtMs ??= systemClock.monotonicMs();
    if (systemClock.monotonicMs() - firstAtMs > forwardedWithinMs) exit(log, 1);
    end({ reason: signal, exitCode: 0 });
  };
  const onCrash = (reason: string) => (error: unknown) => {
    log.error({ err: error }, reason);
    end({ reason, exitCode: 1, error });
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process
    .on('uncaughtException', onCrash('uncaught exception'))
    .on('unhandledRejection', onCrash('unhandled rejection'));
  for (const reason of until)
    reason.then((words) => end({ reason: words, exitCode: 0 }), onCrash('a part of the service failed'));
}

/** If the services are still starting, waits for that, then stops them. False: the deadline came first. */
async function drain(started: Promise<StopAll>, deadlineMs: number): Promise<boolean> {
  const stopped = started
    .then(
      (stopAll) => stopAll(),
      () => undefined,
    )
    .then(() => true);
  return within(stopped, deadlineMs, () => false);
}

function exit(log: LifecycleLog, exitCode: number): void {
  log.flush?.();
  process.exit(exitCode);
}
