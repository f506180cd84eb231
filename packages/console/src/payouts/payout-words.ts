import type { Schemas } from '@tollgate/sdk/edge';

type Payout = Pick<Schemas['PayoutDetail'], 'status' | 'net_usd' | 'next_attempt_at'>;

const words: Readonly<Record<Payout['status'], string>> = {
  pending: 'It is being calculated until its payout day, and assumes that all charges are collected.',
  scheduled: 'It is queued for transfer.',
  paid: 'It was transferred to your payout account. Your bank has it some days later.',
  failed: 'The transfer failed, and is tried again.',
};

/** Says when the money of a payout arrives, and why not yet. */
export function payoutInWords({ status, next_attempt_at: next }: Payout): string {
  if (status === 'failed' && next === null)
    return 'The transfer failed. It is tried again once a payout account can receive it.';
  return words[status];
}

/** Says why nothing arrives at a payout account, if so. */
export function accountInWords(account: Schemas['BillingAccount']): string {
  if (!account.processor_connected) return 'No payout account is connected: what you earn waits until one is.';
  if (account.disabled_reason !== null) return `The processor has disabled it: ${account.disabled_reason}.`;
  if (!account.payout_enabled) return 'It cannot receive payouts yet: the processor wants to know more.';
  return 'It receives your payouts.';
}
