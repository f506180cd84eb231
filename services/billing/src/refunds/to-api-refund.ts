import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { toDbPart } from './db-refund-part.ts';
import type { Refund } from './refund.ts';
import type { StrayMoney } from './stray-money.ts';

export function toApiRefund(refund: Refund) {
  const { id, invoiceId, amountCents, balanceCents, cause, status, failureCode, createdAtMs, succeededAtMs } = refund;
  return {
    id,
    order_id: refund.orderId ?? id,
    invoice_id: invoiceId,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    balance_usd: toUsdNumber(centsToMicros(balanceCents)),
    cause,
    status,
    failure_code: failureCode,
    part: refund.part && toDbPart(refund.part), // the API has the names of the database
    is_of_stray_money: refund.strayAttemptId !== null,
    created_at: toIso(createdAtMs),
    succeeded_at: succeededAtMs === null ? null : toIso(succeededAtMs),
  };
}

export function toApiStrayMoney(stray: readonly StrayMoney[]) {
  const usd = (cents: bigint) => toUsdNumber(centsToMicros(cents));
  return {
    stray_money: stray.map(({ attemptId, kind, invoiceId, consumerId, amountCents, leftCents, sinceMs }) => ({
      attempt_id: attemptId,
      kind,
      invoice_id: invoiceId,
      account_id: consumerId,
      amount_usd: usd(amountCents),
      left_usd: usd(leftCents),
      since: toIso(sinceMs),
    })),
    total: stray.length,
    left_usd: usd(stray.reduce((sum, { leftCents }) => sum + leftCents, 0n)),
  };
}
