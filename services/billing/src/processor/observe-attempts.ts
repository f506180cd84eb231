import type { Queryable } from '@tollgate/database/database';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { countOtherAmounts } from './sql-attempts.ts';

export interface ObserveAttemptsDeps {
  readonly database: Queryable;
  readonly metrics: Metrics;
}

/** Measures the attempts of which the processor has another amount (F118). It is never work by itself. */
export function createObserveAttempts({ database, metrics }: ObserveAttemptsDeps) {
  const otherAmounts = metrics.gauge(
    'tollgate_billing_attempts_of_other_amount',
    'Orders of which the processor has another amount than was ordered. Nothing of them is booked.',
  );
  return async function observeAttempts(): Promise<number> {
    otherAmounts.set(await countOtherAmounts(database));
    return 0;
  };
}
