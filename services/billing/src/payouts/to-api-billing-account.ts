import type { BillingAccount } from './billing-account.ts';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros, floorToCents } from '@tollgate/kernel/whole-cents';

export function toApiBillingAccount({ processorAccountId, isPayoutEnabled, pendingBalanceMicros }: BillingAccount) {
  return {
    processor_connected: processorAccountId !== null,
    processor_account_id: processorAccountId,
    payout_enabled: isPayoutEnabled,
    pending_balance_usd: toUsdNumber(centsToMicros(floorToCents(pendingBalanceMicros))),
  };
}
