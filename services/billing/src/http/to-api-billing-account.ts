import { micros, type Micros } from '@tollgate/kernel/money';
import type { BillingAccount } from '../domain/billing-account.ts';
import { toUsdNumber } from '@tollgate/kernel/usd-number';

export function toApiBillingAccount({ processorAccountId, isPayoutEnabled, pendingBalanceMicros }: BillingAccount) {
  return {
    processor_connected: processorAccountId !== null,
    processor_account_id: processorAccountId,
    payout_enabled: isPayoutEnabled,
    pending_balance_usd: toUsdNumber(downToCents(pendingBalanceMicros)),
  };
}

const microsPerCent = 10_000n;

/** Down, also below zero: what is shown is never more than what there is. */
function downToCents(amount: Micros): Micros {
  const rest = ((amount % microsPerCent) + microsPerCent) % microsPerCent;
  return micros(amount - rest);
}
