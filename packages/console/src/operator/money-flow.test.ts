import { expect, it } from '@jest/globals';
import { saidOf, stationsOf, streamsOf } from './money-flow.ts';

const path = {
  period: '2026-12',
  owed_before_usd: 0,
  charged_usd: 1550,
  paid_usd: 1500,
  paid_by_card_usd: 1400,
  paid_by_balance_usd: 100,
  written_off_usd: -7,
  owed_after_usd: 57,
  platform_fees_usd: 0,
  earnings_usd: 1500,
  payable_before_usd: 12.5,
  paid_out_usd: 1400.25,
  taken_back_usd: 2.25,
  payable_after_usd: 110,
};

it('is as wide as the sums of the ledger, and has no stream without money', () => {
  expect(streamsOf(path)).toEqual([
    { from: 'Charged', to: 'Invoices', width: 1550 },
    { from: 'Invoices', to: 'Paid', width: 1500 },
    { from: 'Invoices', to: 'Still owed', width: 57 },
    { from: 'Paid', to: 'Builders', width: 1500 },
    { from: 'Payable before', to: 'Builders', width: 12.5 },
    { from: 'Builders', to: 'Paid out', width: 1400.25 },
    { from: 'Builders', to: 'Taken back', width: 2.25 },
    { from: 'Builders', to: 'Still payable', width: 110 },
  ]);
});

it('says each sum of the ledger, also one that flows back', () => {
  expect(saidOf(path)).toMatchObject({ Charged: '$1,550.00', 'Written off': '−$7.00', 'Paid out': '$1,400.25' });
  const sums = Object.values(path).filter((sum) => typeof sum === 'number');
  expect(stationsOf(path).map(({ usd }) => usd)).toEqual(sums);
});
