import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { ClockMove, SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import { within } from '@tollgate/runtime/timing/within';
import type { RunDueWork } from './run-due-work.ts';

export interface MoveClockDeps {
  readonly clock: SandboxClock;
  /** Tells the aggregator to count now, and returns the watermark. */
  readonly hurryCounting: () => Promise<number>;
  readonly runDueWork: RunDueWork;
  /** Keeps that all work which was due by then has been done. */
  readonly noteWorkedThrough: (throughMs: number) => Promise<void>;
  /** How far the watermark trails the clock: the append deadline and the clock skew. */
  readonly trailMs: number;
  /** The clock must stay before this time. */
  readonly endMs: number;
  readonly log: Logger;
  /** The caller has an answer after so long at the latest. */
  readonly answerMs?: number;
}

export interface Moved {
  /** Where the clock was moved to. */
  readonly nowMs: number;
  /** All work that was due by then has been done. Otherwise it goes on. */
  readonly isComplete: boolean;
}

const lookAgainMs = 20;

/**
 * Moves the clock, waits until everything received before is counted, and does the work that became due. What takes longer
 * than a caller waits goes on by itself, and `noteWorkedThrough` tells its end. `goingOn` ends it with the service; the
 * tick does the rest after the next start.
 */
export function createMoveClock({
  clock,
  hurryCounting,
  runDueWork,
  noteWorkedThrough,
  log,
  ...limits
}: MoveClockDeps) {
  const { trailMs, endMs, answerMs = 25_000 } = limits;
  const working = new Set<Promise<void>>();
  let isStopping = false;

  async function moveClock(move: ClockMove, by: Actor): Promise<Moved> {
    refuseBeyond(endMs, move, clock.now());
    const answerByMs = clock.monotonicMs() + answerMs;
    const detail = { frozen: move.isFrozen, ...toDetail(move) };
    await clock.move(move, (tx) => recordAct(tx, by, { action: 'clock.moved', object: { kind: 'clock' }, detail }));
    const nowMs = clock.now();
    const work = workThrough(nowMs);
    working.add(work);
    void work.catch(() => undefined).then(() => working.delete(work));
    const isComplete = await within(
      work.then(() => true),
      answerByMs - clock.monotonicMs(),
      () => false,
    );
    if (!isComplete) work.catch((error: unknown) => log.error({ to: toIso(nowMs), err: error }, notDoneMessage));
    return { nowMs, isComplete };
  }

  async function workThrough(dueMs: number): Promise<void> {
    while (!isStopping && (await hurryCounting()) < dueMs - trailMs) await wait(lookAgainMs);
    let throughMs = 0;
    while (!isStopping && throughMs < dueMs) throughMs = (await runDueWork()).workedThroughMs ?? 0;
    if (throughMs < dueMs) throw new AppError('unavailable', 'Billing is stopping.', { retryAfterSeconds: 1 });
    await noteWorkedThrough(throughMs);
  }

  const goingOn: Service = {
    name: 'moved-clock',
    start: async () => undefined,
    async stop() {
      isStopping = true;
      await Promise.allSettled(working);
    },
  };

  return { moveClock, goingOn };
}

export type MoveClock = ReturnType<typeof createMoveClock>['moveClock'];

const notDoneMessage =
  'some work that became due when the clock moved failed; move the clock by 0 seconds to try again';

function toDetail({ to }: ClockMove): Record<string, string | number> {
  if (to === undefined) return {};
  return 'nowMs' in to ? { to: toIso(to.nowMs) } : { advance_seconds: to.advanceMs / 1_000 };
}

function refuseBeyond(endMs: number, { to }: ClockMove, nowMs: number): void {
  if (to === undefined || ('nowMs' in to ? to.nowMs : nowMs + to.advanceMs) < endMs) return;
  const pointer = 'nowMs' in to ? '/now' : '/advance_seconds';
  const message = `must leave the clock before ${toIso(endMs)}`;
  const errors = [{ pointer, code: 'out_of_range', message }];
  throw new AppError('invalid_request', `The clock must stay before ${toIso(endMs)}.`, { errors });
}
