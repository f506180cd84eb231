import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Database } from '@tollgate/database/database';
import { createNightlyCheck, type NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { checkLedger } from './check-ledger.ts';

export interface NightlyLedgerCheckDeps {
  /** Connections of its own, which the check starts and stops (`nightly-check.ts`). */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** 03:00 UTC. A month closes at least a day after its end, and load is low. */
const hour = 3;

/**
 * Checks the ledger once a day, as `tollgate operator ledger check` does at any time. A difference is logged as an error and
 * shown by the metric until a later check finds none.
 */
export function createNightlyLedgerCheck({ database, clock, log, metrics }: NightlyLedgerCheckDeps): NightlyCheck {
  const differing = metrics?.gauge('tollgate_billing_ledger_differences', 'Failed checks of the last ledger check.');

  async function check(): Promise<number> {
    const { differences, ...counts } = await checkLedger(database);
    differing?.set(differences.length);
    if (differences.length > 0) log.error({ differences }, 'the ledger check found differences');
    else log.info(counts, 'the ledger check found no differences');
    return differences.length;
  }

  const table = 'billing.ledger_check';
  return createNightlyCheck({ name: 'nightly-ledger-check', database, table, hour, clock, log, check });
}
