import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk/edge';
import { accountInWords, payoutInWords } from './payout-words.ts';

it('says when the money of a payout arrives', () => {
  expect(payoutInWords({ status: 'pending', net_usd: 1, next_attempt_at: null })).toMatch(/until its payout day/);
  expect(payoutInWords({ status: 'failed', net_usd: 1, next_attempt_at: '2026-11-21T12:00:00.000Z' })).toMatch(
    /tried again\.$/,
  );
  expect(payoutInWords({ status: 'failed', net_usd: 1, next_attempt_at: null })).toMatch(/once a payout account/);
});

it('says why nothing arrives at a payout account', () => {
  const account = {
    processor_connected: true,
    payout_enabled: true,
    disabled_reason: null,
  } as Schemas['BillingAccount'];
  expect(accountInWords(account)).toBe('It receives your payouts.');
  expect(accountInWords({ ...account, payout_enabled: false })).toMatch(/wants to know more/);
  expect(accountInWords({ ...account, disabled_reason: 'rejected.other' })).toMatch(/rejected\.other/);
  expect(accountInWords({ ...account, processor_connected: false })).toMatch(/waits until one is/);
});
