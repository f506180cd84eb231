import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk/edge';
import { saidOf, streamsOf } from './payout-flow.ts';

const statement = {
  charge_usd: 100,
  fee_usd: 10,
  earning_usd: 90,
  processor_fees_usd: 0,
  carried_in: { earning_usd: 0.5, fee_usd: 0 },
  carried_out: { earning_usd: -2, fee_usd: 0 },
  payout: { net_usd: 92.5 },
} as Schemas['Statement'];

it('is as wide as the sums of the statement, and has no stream without money', () => {
  expect(streamsOf(statement)).toEqual([
    { from: 'Charged', to: 'Platform fee', width: 10 },
    { from: 'Charged', to: 'Your earning', width: 90 },
    { from: 'Carried in', to: 'Your earning', width: 0.5 },
    { from: 'Your earning', to: 'Paid out', width: 92.5 },
  ]);
  expect(saidOf(statement)).toMatchObject({ Charged: '$100.00', 'Carried out': '\u2212$2.00', 'Paid out': '$92.50' });
});
