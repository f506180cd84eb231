import { listNewestFirst } from './list-newest-first.ts';
import { listFields } from './read-fields.ts';
import type { StripeEndpoint } from './stripe-endpoint.ts';

/** The platform's balance, and all that ever changed it. */
export const balanceEndpoints: readonly StripeEndpoint[] = [
  {
    method: 'GET',
    path: /^\/v1\/balance$/,
    fields: [],
    answer: ({ state }) => ({
      object: 'balance',
      available: [{ amount: state.balanceCents, currency: state.platform.settlement.currency }],
      pending: [{ amount: 0, currency: 'usd' }],
    }),
  },
  {
    method: 'GET',
    path: /^\/v1\/balance_settings$/,
    fields: [],
    answer: ({ state: { platform } }) => ({
      object: 'balance_settings',
      payments: {
        debit_negative_balances: true,
        payouts: {
          minimum_balance_by_currency: platform.minimumBalance,
          schedule: { interval: platform.payoutInterval },
          statement_descriptor: null,
          status: 'enabled',
        },
        settlement_timing: { delay_days: 2 },
      },
    }),
  },
  {
    method: 'GET',
    path: /^\/v1\/balance_transactions$/,
    fields: [...listFields, /^(type|currency)$/],
    answer: ({ state }, fields) => listNewestFirst(state.balanceTransactions.values(), fields, ['type', 'currency']),
  },
];
