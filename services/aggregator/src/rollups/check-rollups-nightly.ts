import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Database } from '@tollgate/database/database';
import { createNightlyCheck, type NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { compareRollups } from './sql-compare-rollups.ts';

export interface NightlyRollupCheckDeps {
  /** As of every nightly check. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** An hour after the books are proved. */
const hour = 4;

/**
 * Compares the rollups once a day with the events that are kept (`tollgate rebuild-rollups` does so at any time, and
 * mends). A difference is an error in the log, which names the first rows, and in the metric.
 */
export function createNightlyRollupCheck({ database, clock, log, metrics }: NightlyRollupCheckDeps): NightlyCheck {
  const differing = metrics.gauge(
    'tollgate_aggregator_rollup_differences',
    'Rollup rows that were not what their events add up to, when last looked.',
  );

  async function check(): Promise<number> {
    const compared = await database.transaction(compareRollups, { isolation: 'snapshot' });
    const { differences, examples, ...counts } = compared;
    differing.set(differences);
    if (differences > 0) log.error({ differences, examples }, 'rollups are not what their events add up to');
    else log.info(counts, 'the rollups are what their events add up to');
    return differences;
  }

  const table = 'usage.rollup_check';
  return createNightlyCheck({ name: 'nightly-rollup-check', database, table, hour, clock, log, check });
}
