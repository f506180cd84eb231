import type { PayoutAccount } from '@tollgate/contracts/money/billing-account';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros, floorToCents } from '@tollgate/kernel/whole-cents';
import type { ConnectedAccount } from '../processor/sql-connected-accounts.ts';
import type { BillingAccount } from './billing-account.ts';

export function toApiBillingAccount(account: BillingAccount) {
  const { processorAccountId, isPayoutEnabled, pendingBalanceMicros, state } = account;
  return {
    processor_connected: processorAccountId !== null,
    processor_account_id: processorAccountId,
    payout_enabled: isPayoutEnabled,
    pending_balance_usd: toUsdNumber(centsToMicros(floorToCents(pendingBalanceMicros))),
    ...toApiState(state),
  };
}

const none = {
  processorAccountId: null,
  areDetailsSubmitted: false,
  arePayoutsEnabled: false,
  isDisconnected: false,
  country: null,
};

export function toApiPayoutAccount(accountId: string, known: ConnectedAccount | undefined): PayoutAccount {
  const { processorAccountId, areDetailsSubmitted, arePayoutsEnabled, isDisconnected, country } = known ?? none;
  return {
    account_id: accountId,
    processor_account_id: processorAccountId,
    details_submitted: areDetailsSubmitted,
    payout_enabled: arePayoutsEnabled,
    disconnected: isDisconnected,
    country,
    ...toApiState(known),
  };
}

function toApiState(known: ConnectedAccount | undefined) {
  const { requirements = [], disabledReason = null, bankFailure } = known ?? {};
  const failure = bankFailure && { code: bankFailure.code, failed_at: toIso(bankFailure.atMs) };
  return { requirements: [...requirements], disabled_reason: disabledReason, bank_failure: failure ?? null };
}
