import { describe, expect, it } from '@jest/globals';
import { planReturning, planTaking } from './plan-spending.ts';

const parts = [
  { creditId: 'soon', cents: 300n },
  { creditId: 'spent', cents: 0n },
  { creditId: 'later', cents: 500n },
];

describe('spending a balance', () => {
  it.each([
    [0n, []],
    [300n, [['soon', -300n]]],
    [
      301n,
      [
        ['soon', -300n],
        ['later', -1n],
      ],
    ],
    [
      900n,
      [
        ['soon', -300n],
        ['later', -500n],
      ],
    ],
  ])('takes %s cents from the credits in their order, and never more than they have', (cents, expected) => {
    const moves = planTaking(parts, cents);
    expect(moves.map(({ creditId, amountCents }) => [creditId, amountCents])).toEqual(expected);
  });

  it('gives money back to the credit that was taken last', () => {
    expect(planReturning(parts, 600n)).toEqual([
      { creditId: 'later', amountCents: 500n },
      { creditId: 'soon', amountCents: 100n },
    ]);
  });

  it('refuses to give back more than was taken', () => {
    expect(() => planReturning(parts, 801n)).toThrow('1 cents would come back');
  });
});
