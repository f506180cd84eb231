import type { Actor } from '@tollgate/runtime/audit/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import type { ClockMove, SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { RunDueWork } from './run-due-work.ts';

export interface MoveClockDeps {
  readonly clock: SandboxClock;
  /** Tells the aggregator to count now, and returns the watermark. */
  readonly hurryCounting: () => Promise<number>;
  readonly runDueWork: RunDueWork;
  /** How far the watermark trails the clock: the append deadline and the clock skew. */
  readonly trailMs: number;
  /** The clock must stay before this time. */
  readonly endMs: number;
  readonly patienceMs?: number;
}

const lookAgainMs = 20;

/**
 * Moves the clock, waits until everything received before is counted, and runs the work that became due. Throws
 * `unavailable` if counting cannot follow in time. The clock has moved all the same, and moving it by 0 seconds waits
 * on.
 */
export function createMoveClock({ clock, hurryCounting, runDueWork, ...limits }: MoveClockDeps) {
  const { trailMs, endMs, patienceMs = 30_000 } = limits;

  return async function moveClock(move: ClockMove, by: Actor): Promise<void> {
    refuseBeyond(endMs, move, clock.now());
    const detail = { frozen: move.isFrozen, ...toDetail(move) };
    await clock.move(move, (tx) => recordAct(tx, by, { action: 'clock.moved', object: { kind: 'clock' }, detail }));
    const movedMs = clock.now();
    await waitUntilCounted(movedMs - trailMs);
    await runDueWork(movedMs);
  };

  async function waitUntilCounted(throughMs: number): Promise<void> {
    const untilMs = clock.monotonicMs() + patienceMs;
    while ((await hurryCounting()) < throughMs) {
      if (clock.monotonicMs() >= untilMs) throw countingBehind(clock.now());
      await wait(lookAgainMs);
    }
  }
}

export type MoveClock = ReturnType<typeof createMoveClock>;

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

function countingBehind(nowMs: number): AppError {
  const message = `The clock is at ${toIso(nowMs)}, but counting has not caught up with it; move it by 0 seconds to wait on.`;
  return new AppError('unavailable', message, { retryAfterSeconds: 1 });
}
