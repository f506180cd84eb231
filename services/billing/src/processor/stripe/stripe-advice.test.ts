import { describe, expect, it } from '@jest/globals';
import { adviceOf } from './stripe-advice.ts';

const said = { status: 400, code: undefined, param: undefined, message: '' };

/** Words of Stripe, with the page or the thread where they stand. */
const refusals = [
  [
    'transfers_not_approved', // github.com/Layr-Labs/d-inference/issues/782; docs.stripe.com/connect/account-capabilities
    'Your platform needs approval for accounts to have requested the `transfers` capability without the `card_payments` capability.',
  ],
  [
    'accounts_v1_disabled', // docs.stripe.com/connect/accounts-v2/account-creation
    'To create accounts, use /v2/core/accounts. See https://docs.stripe.com/connect/accounts-v2/account-creation.',
  ],
  [
    'connect_not_set_up', // docs.stripe.com/connect
    "You can only create new accounts if you've signed up for Connect, which you can do at https://dashboard.stripe.com/connect.",
  ],
  [
    'connect_not_set_up', // docs.stripe.com/connect/platform-profile
    'Please review the responsibilities of managing losses for connected accounts at https://dashboard.stripe.com/settings/connect/platform-profile.',
  ],
  ['call_refused', 'Something else.'],
] as const;

describe('adviceOf', () => {
  it.each(refusals)('F168 says %s', (task, message) => {
    expect(adviceOf({ said: { ...said, message } })).toBe(task);
  });

  it.each([401, 403])('F168 says secret_refused for status %s', (status) => {
    expect(adviceOf({ said: { ...said, status } })).toBe('secret_refused');
  });
});
