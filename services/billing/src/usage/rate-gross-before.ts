import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { grossKeyOf, type FeeScope } from '../fees/fee-scope.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { rateUsageOverTime } from './rate-usage-over-time.ts';

export interface GrossQuery {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly beforeMs: number;
}

const beforeAllCallsMs = 0;

/** Rates all calls of a builder's tools before this hour, paid or not. The fees of usage rows start from this gross. */
export async function rateGrossBefore(
  tx: Transaction,
  { builderId, scope, beforeMs }: GrossQuery,
): Promise<GrossByKey> {
  const gross = new Map<string, Micros>();
  const earlier = {
    accountId: builderId,
    role: 'builder',
    sinceMs: beforeAllCallsMs,
    fromMs: beforeAllCallsMs,
    toMs: beforeMs,
    granularity: 'month',
  } as const;
  for await (const lines of rateUsageOverTime(tx, earlier)) {
    for (const { period, chargeMicros } of lines) {
      const key = grossKeyOf(scope, period);
      gross.set(key, micros((gross.get(key) ?? zeroMicros) + chargeMicros));
    }
  }
  return gross;
}
