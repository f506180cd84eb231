import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Database } from '@tollgate/database/database';
import { createNightlyCheck, type NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { checkLedger } from './check-ledger.ts';

export interface NightlyLedgerCheckDeps {
  /** As of every nightly check. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** A month closes a day after its end at the earliest, and most are asleep. */
const hour = 3;

/**
 * Proves the books once a day (`tollgate ledger check` does so at any time). A difference is an error in the log and in the
 * metric, and stays until somebody has looked.
 */
export function createNightlyLedgerCheck({ database, clock, log, metrics }: NightlyLedgerCheckDeps): NightlyCheck {
  const differing = metrics?.gauge(
    'tollgate_billing_ledger_differences',
    'Checks of the ledger that did not hold, when last looked.',
  );

  async function check(): Promise<number> {
    const { differences, ...counts } = await checkLedger(database);
    differing?.set(differences.length);
    if (differences.length > 0) log.error({ differences }, 'the ledger check found differences');
    else log.info(counts, 'the ledger agrees');
    return differences.length;
  }

  const table = 'billing.ledger_check';
  return createNightlyCheck({ name: 'nightly-ledger-check', database, table, hour, clock, log, check });
}
