import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import { every } from '../timing/every.ts';
import type { Database } from '@tollgate/database/database';

export interface NightlyCheckOptions {
  readonly name: string;
  /**
   * Used by the check alone, and stopped with it. It needs `whenStopped: 'cancel'`: a check may take minutes, which a
   * stopping service does not have.
   */
  readonly database: Database;
  /** All processes share its one row (only_row, due_at, checked_at, differences). */
  readonly table: string;
  /** The hour of the day, UTC. */
  readonly hour: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Checks, logs its findings, and answers how many differences there are. */
  readonly check: () => Promise<number>;
}

export interface NightlyCheck extends Service {
  /** Checks if the check is due. After `start` it runs every ten minutes. */
  look(): Promise<void>;
}

const lookEveryMs = 600_000;

/**
 * Runs a check once per night, in one of all processes. If that process dies or fails, another process checks an hour
 * later. A night may pass without a check.
 */
export function createNightlyCheck({
  name,
  database,
  table,
  hour,
  clock,
  log,
  check,
}: NightlyCheckOptions): NightlyCheck {
  const texts = {
    begin: `insert into ${table} (due_at) values ($1) on conflict do nothing`,
    claim: `update ${table} set due_at = $2 where due_at <= $1 returning only_row`,
    finish: `update ${table} set due_at = $1, checked_at = $2, differences = $3`,
  };
  let isStopped = false;
  const looking = every({ name, everyMs: lookEveryMs, first: 'at once', log, run: look });

  async function checkIfDue(): Promise<void> {
    const nowMs = clock.now();
    const next = toIso(nextNightMs(nowMs, hour));
    await database.query(texts.begin, [next]);
    const claimed = await database.query(texts.claim, [toIso(nowMs), toIso(nowMs + hourMs)]);
    if (claimed.length > 0) await database.query(texts.finish, [next, toIso(nowMs), await check()]);
  }

  async function look(): Promise<void> {
    await checkIfDue().catch((error: unknown) => {
      if (!isStopped) log.warn({ check: name, err: error }, 'a nightly check failed; it is tried again in an hour');
    });
  }

  return {
    name,
    look: looking.runNow,
    start: looking.start,
    async stop() {
      isStopped = true;
      const ended = looking.stop();
      await database.stop(); // cancels the check, which may take minutes
      await ended;
    },
  };
}

/** The next time at which this hour begins. */
function nextNightMs(nowMs: number, hour: number): number {
  const tonight = Math.floor(nowMs / dayMs) * dayMs + hour * hourMs;
  return tonight > nowMs ? tonight : tonight + dayMs;
}
