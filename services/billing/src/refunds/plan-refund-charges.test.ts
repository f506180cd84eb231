import { expect, it } from '@jest/globals';
import { planRefundCharges } from './plan-refund-charges.ts';

const charges = [
  { objectId: 'small', leftCents: 30n },
  { objectId: 'empty', leftCents: 0n },
  { objectId: 'owing', leftCents: -5n },
  { objectId: 'large', leftCents: 100n },
  { objectId: 'middle', leftCents: 60n },
];

const planned = (cents: bigint) =>
  planRefundCharges(cents, charges)?.map(({ chargeObjectId, cents: given }) => `${chargeObjectId} ${given}`);

it.each<[bigint, string[]]>([
  [1n, ['small 1']],
  [30n, ['small 30']],
  [31n, ['middle 31']],
  [100n, ['large 100']],
  [101n, ['large 100', 'middle 1']],
  [160n, ['large 100', 'middle 60']],
  [190n, ['large 100', 'middle 60', 'small 30']],
])('gives %d back by as few charges as can, and a single one keeps the larger ones whole', (cents, plan) => {
  expect(planned(cents)).toEqual(plan);
});

it('plans nothing that all charges together do not have', () => {
  expect(planned(191n)).toBeUndefined();
  expect(planRefundCharges(1n, [])).toBeUndefined();
});
