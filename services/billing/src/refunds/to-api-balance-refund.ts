import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { BalanceRefund, BalanceRefundPart, BalanceRefundStatus } from './balance-refund.ts';

export function toApiBalanceRefund({ id, accountId, amountCents, parts, createdAtMs }: BalanceRefund) {
  const gone = parts.filter(({ status }) => status === 'succeeded');
  return {
    id,
    account_id: accountId,
    currency: 'usd',
    amount_usd: usd(amountCents),
    refunded_usd: usd(gone.reduce((sum, part) => sum + part.amountCents, 0n)),
    status: statusOf(parts),
    parts: parts.map(({ topUpId, amountCents: cents, status, failureCode }) => {
      return { top_up_id: topUpId, amount_usd: usd(cents), status, failure_code: failureCode };
    }),
    created_at: toIso(createdAtMs),
  };
}

function statusOf(parts: readonly BalanceRefundPart[]): BalanceRefundStatus {
  return (['pending', 'failed'] as const).find((status) => parts.some((part) => part.status === status)) ?? 'succeeded';
}

function usd(cents: bigint) {
  return toUsdNumber(centsToMicros(cents));
}
