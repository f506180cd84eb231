import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/runtime/lifecycle/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { onlyRow, type Database } from '@tollgate/runtime/postgres/database';
import { compareRollups, type RollupComparison } from '../sql/compare-rollups.ts';
import { claimRollupCheck, finishRollupCheck } from '../sql/rollup-check.ts';

export interface NightlyRollupCheckDeps {
  /** Two connections of its own: one compares, perhaps for minutes, the other one stops it. Closed with the check. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface NightlyRollupCheck extends Service {
  /** Compares when it is due; `start` does so every ten minutes. */
  look(): Promise<void>;
}

const lookEveryMs = 600_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** UTC; an hour after the books are proved. */
const checkHour = 4;

/**
 * Compares the rollups once a day with the events that are kept (`tollgate rebuild-rollups` does so at any time, and
 * mends). A difference is an error in the log, which names the first rows, and in the metric. Safe in several processes
 * at once, and to miss a night.
 */
export function createNightlyRollupCheck({
  database,
  clock,
  log,
  metrics,
}: NightlyRollupCheckDeps): NightlyRollupCheck {
  const differing = metrics.gauge(
    'tollgate_aggregator_rollup_differences',
    'Rollup rows that were not what their events add up to, when last looked.',
  );
  let timer: NodeJS.Timeout | undefined;
  let backend: number | undefined;
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();

  async function check(): Promise<void> {
    const nowMs = clock.now();
    if (!(await claimRollupCheck(database, { nowMs, againMs: nowMs + hourMs, firstMs: nextNightMs(nowMs) }))) return;
    const { differences, examples, ...counts } = await compare();
    await finishRollupCheck(database, { nextMs: nextNightMs(nowMs), checkedMs: nowMs, differences });
    differing.set(differences);
    if (differences > 0) log.error({ differences, examples }, 'rollups are not what their events add up to');
    else log.info(counts, 'the rollups are what their events add up to');
  }

  function compare(): Promise<RollupComparison> {
    return database
      .transaction(
        async (tx) => {
          backend = onlyRow(await tx.query<{ pid: number }>('select pg_backend_pid() as pid')).pid;
          return compareRollups(tx);
        },
        { isolation: 'snapshot' },
      )
      .finally(() => {
        backend = undefined;
      });
  }

  function look(): Promise<void> {
    last = last.then(check).catch((error: unknown) => {
      if (!isStopped) log.warn({ err: error }, 'could not compare the rollups; trying again in an hour');
    });
    return last;
  }

  return {
    name: 'nightly-rollup-check',
    look,
    async start() {
      timer = setInterval(() => void look(), lookEveryMs).unref();
      void look();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      if (backend !== undefined) await database.query('select pg_cancel_backend($1)', [backend]);
      await last;
      await database.stop();
    },
  };
}

/** The first time after now that it is night. */
function nextNightMs(nowMs: number): number {
  const tonight = Math.floor(nowMs / dayMs) * dayMs + checkHour * hourMs;
  return tonight > nowMs ? tonight : tonight + dayMs;
}
