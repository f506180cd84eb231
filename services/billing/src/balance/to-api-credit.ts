import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Credit } from './credit.ts';

export function toApiCredit({ id, accountId, reason, ...credit }: Credit) {
  return { ...toApiOwnCredit({ id, accountId, reason, ...credit }), account_id: accountId, reason };
}

/** A credit as its consumer sees it: the reason is the operator's. */
export function toApiOwnCredit({ id, amountCents, leftCents, expiresAtMs, createdAtMs }: Credit) {
  return {
    id,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    left_usd: toUsdNumber(centsToMicros(leftCents)),
    expires_at: expiresAtMs === null ? null : toIso(expiresAtMs),
    created_at: toIso(createdAtMs),
  };
}
