import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk/edge';
import { saidOf, streamsOf } from './invoice-flow.ts';

const invoice = {
  charge_usd: 2.904,
  carried_in_usd: 0,
  total_usd: 2.9,
  balance_paid_usd: 1,
  card_paid_usd: 1.9,
  carried_out_usd: 0.004,
} as Schemas['UpcomingInvoice'];

it('is as wide as the sums of the invoice, and has no stream without money', () => {
  expect(streamsOf(invoice)).toEqual([
    { from: 'Calls', to: 'Invoice', width: 2.904 },
    { from: 'Invoice', to: 'Paid by balance', width: 1 },
    { from: 'Invoice', to: 'Paid by card', width: 1.9 },
    { from: 'Invoice', to: 'Carried out', width: 0.004 },
  ]);
  expect(saidOf(invoice)).toMatchObject({ Calls: '$2.904', Invoice: '$2.90', 'Carried out': '$0.004' });
});
