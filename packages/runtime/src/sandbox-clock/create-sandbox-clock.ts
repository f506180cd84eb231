/**
 * The sandbox's clock, one for all processes: a database row that each follows.
 *
 *   machine ──first move, or SANDBOX_CLOCK_START──▶ ticking ◀──moves──▶ frozen
 *
 * Until somebody moves it, time is the machine's. From then on `now()` starts at the row's time and ticks by monotonic
 * time. So a machine's clock that steps (F49) moves nothing. The clock never goes back: a row that is behind changes
 * nothing. Where processes share the clock, a move comes into force `leadMs` after it is written, everywhere at once.
 * Otherwise the aggregator's watermark could pass an event that a gateway, still in the past, is about to acknowledge.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@tollgate/kernel/app-error';
import { systemClock, toIso, type Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../logging/create-logger.ts';
import { createDatabase, type Database } from '@tollgate/database/database';
import { beginClockRow, heartbeatMs, leadMsMax, readClockRow, writeClockBeat, writeClockMove } from './clock-row.ts';
import { createFollowedTime, driftMs, type FollowedTime } from './followed-time.ts';
import type { ClockMove, RecordMove, SandboxClock } from './sandbox-clock.ts';
import { createTurns } from './take-turns.ts';

export interface SandboxClockOptions {
  /** Any worker role may read the row; only `billing_worker` may move the clock. */
  readonly url: string;
  /**
   * `alone`: all services are in this process. Otherwise several processes share the clock, and this process moves it
   * or only follows it.
   */
  readonly part: 'alone' | 'mover' | 'follower';
  /** Where the clock of an empty database begins. */
  readonly startMs?: number | undefined;
  /** Time until the clock is moved. */
  readonly machine?: Clock;
  readonly log: Logger;
}

const followEveryMs = 1_000; // twice within the lead

export function createSandboxClock(options: SandboxClockOptions): SandboxClock {
  const { url, part, startMs, machine = systemClock, log } = options;
  const database = createDatabase({ url, name: 'sandbox-clock', maxConnections: 1, log });
  const time = createFollowedTime(machine);
  const { look, beat, move, keepUp } = createRowKeeper({ database, time, part, machine, log });
  const turns = createTurns({ everyMs: part === 'alone' ? heartbeatMs : followEveryMs, round: keepUp, log });
  let stopping: Promise<void> | undefined;

  async function stop(): Promise<void> {
    await turns.stopRounds();
    await beat().catch(() => undefined); // the database may be gone already
    await database.stop();
  }

  return {
    name: 'sandbox-clock',
    now: time.now,
    monotonicMs: machine.monotonicMs,
    isFrozen: () => time.state()?.isFrozen ?? false,
    move: (asked, record) => turns.take(() => move(asked, record)),
    async start() {
      await database.start();
      if (startMs !== undefined && !(await beginClockRow(database, startMs)))
        log.warn({ start: toIso(startMs) }, 'SANDBOX_CLOCK_START is ignored: the database is not empty');
      await look();
      time.show();
      turns.startRounds();
    },
    stop: () => (stopping ??= stop()),
  };
}

interface RowKeeperDeps extends Required<Pick<SandboxClockOptions, 'part' | 'machine' | 'log'>> {
  readonly database: Database;
  readonly time: FollowedTime;
}

/** The operations on the row. Never run two of them at once. */
function createRowKeeper({ database, time, part, machine, log }: RowKeeperDeps) {
  const leadMs = part === 'alone' ? 0 : leadMsMax;
  let beatenAt = machine.monotonicMs();

  async function look(): Promise<void> {
    const row = await readClockRow(database);
    if (row === undefined) return;
    if (row.waitMs > 0) await wait(row.waitMs);
    time.follow(row);
  }

  async function beat(): Promise<void> {
    const state = time.state();
    if (part === 'follower' || state === undefined || state.isFrozen) return;
    beatenAt = machine.monotonicMs();
    await writeClockBeat(database, { nowMs: time.now(), moves: state.moves });
  }

  async function move({ to, isFrozen }: ClockMove, record?: RecordMove): Promise<void> {
    await look();
    const asked = targetOf(to, time.now());
    const nowMs = isFrozen ? Math.max(asked, firstUnreachedMs()) : asked;
    const knownMoves = time.state()?.moves ?? 0n;
    await database.transaction(async (tx) => {
      if (!(await writeClockMove(tx, { nowMs, isFrozen, knownMoves, leadMs })))
        throw new AppError('clock_moved', 'Somebody else has just moved the clock. Read it, then move it again.');
      await record?.(tx);
    });
    await look();
  }

  /**
   * Processes that share a ticking clock are a little apart. A clock that froze at a time which some have passed would
   * stand at another time in each process. The watermark would then stay behind the time that the mover waits for.
   */
  function firstUnreachedMs(): number {
    const isShared = part !== 'alone';
    return isShared && !time.state()?.isFrozen ? time.now() + leadMs + driftMs : time.now();
  }

  async function keepUp(): Promise<void> {
    try {
      await look();
      if (machine.monotonicMs() - beatenAt >= heartbeatMs) await beat();
    } catch (error) {
      log.warn({ err: error }, 'cannot read the sandbox clock; it ticks on');
    }
  }

  return { look, beat, move, keepUp };
}

function targetOf(to: ClockMove['to'], nowMs: number): number {
  if (to === undefined) return nowMs;
  const targetMs = 'nowMs' in to ? to.nowMs : nowMs + to.advanceMs;
  if (targetMs >= nowMs) return targetMs;
  throw new AppError('clock_moved_back', `The clock is at ${toIso(nowMs)} and never goes back.`);
}
