import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Credit } from './credit.ts';

export function toApiCredit(credit: Credit) {
  return { ...toApiOwnCredit(credit), account_id: credit.accountId, reason: credit.reason };
}

/** A credit as its consumer sees it: the reason is the operator's. */
export function toApiOwnCredit({
  id,
  topUpId,
  amountCents,
  leftCents,
  effectiveFromMs,
  endsAtMs,
  createdAtMs,
}: Credit) {
  return {
    id,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    left_usd: toUsdNumber(centsToMicros(leftCents)),
    effective_from: topUpId === null ? toIso(effectiveFromMs) : null,
    expires_at: endsAtMs === null ? null : toIso(endsAtMs),
    top_up_id: topUpId,
    created_at: toIso(createdAtMs),
  };
}
