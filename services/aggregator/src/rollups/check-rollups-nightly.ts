import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Database } from '@tollgate/database/database';
import { createNightlyCheck, type NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { compareRollups } from './sql-compare-rollups.ts';

export interface NightlyRollupCheckDeps {
  /** See NightlyCheckOptions. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** UTC: one hour after billing checks its ledger. */
const hour = 4;

/**
 * Compares the rollups with the kept events once a day; `tollgate operator rebuild-rollups` does so at any time, and repairs them.
 * If rows differ, the log has an error that names the first of them, and the metric has their number.
 */
export function createNightlyRollupCheck({ database, clock, log, metrics }: NightlyRollupCheckDeps): NightlyCheck {
  const differing = metrics.gauge(
    'tollgate_aggregator_rollup_differences',
    'Rollup rows that differed from the sums of their events at the last check.',
  );

  async function check(): Promise<number> {
    const compared = await database.transaction(compareRollups, { isolation: 'snapshot' });
    const { differences, examples, ...counts } = compared;
    differing.set(differences);
    if (differences > 0) log.error({ differences, examples }, 'rollups differ from the sums of their events');
    else log.info(counts, 'the rollups are the sums of their events');
    return differences;
  }

  const table = 'usage.rollup_check';
  return createNightlyCheck({ name: 'nightly-rollup-check', database, table, hour, clock, log, check });
}
