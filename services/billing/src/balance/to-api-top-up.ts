import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { TopUp } from './top-up.ts';

export function toApiTopUp({ id, amountCents, status, failureCode, isAutomatic, createdAtMs, succeededAtMs }: TopUp) {
  return {
    id,
    currency: 'usd',
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    status,
    failure_code: failureCode,
    is_automatic: isAutomatic,
    created_at: toIso(createdAtMs),
    succeeded_at: succeededAtMs === null ? null : toIso(succeededAtMs),
  };
}
