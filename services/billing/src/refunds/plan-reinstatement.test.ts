import { describe, expect, it } from '@jest/globals';
import { micros, parseUsd } from '@tollgate/kernel/money';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { planRefund } from './plan-refund.ts';
import { planReinstatement } from './plan-reinstatement.ts';

const grossOf = (ada: string, bob: string): ReadonlyMap<string, GrossByKey> =>
  new Map([
    ['ada', new Map([['lifetime', parseUsd(ada)]])],
    ['bob', new Map([['lifetime', parseUsd(bob)]])],
  ]);
const lineOf = (place: number, builderId: string, left: string) => {
  return { invoiceId: 'invoice', place, builderId, grossKey: 'lifetime', leftMicros: parseUsd(left) };
};
const lines = [lineOf(1, 'ada', '300'), lineOf(2, 'bob', '33.333333'), lineOf(3, 'ada', '7')];

describe('the reinstatement of a refund', () => {
  it.each([100n, 12_345n, 34_033n, 40_000n])('undoes a refund of %s cents, fees and excess included', (amountCents) => {
    const before = grossOf('1200', '1000.5');
    const refund = planRefund({ amountMicros: micros(amountCents * 10_000n), lines, gross: before });
    const undone = planReinstatement({ amountCents, lines: refund.lines, gross: refund.gross });
    expect(undone.gross).toEqual(before);
    const sums = new Map<string, bigint>();
    for (const { kind, ownerId, amountMicros } of [...refund.entries, ...undone.entries])
      sums.set(`${kind} ${ownerId}`, (sums.get(`${kind} ${ownerId}`) ?? 0n) + amountMicros);
    expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([]);
  });

  it.each([
    ['of its builder', new Map()],
    ['under its key', new Map([['ada', new Map([['2026', parseUsd('9')]])]])],
  ])('is refused where the facts have no gross %s', (_what, gross) => {
    const refund = planRefund({ amountMicros: parseUsd('1'), lines, gross: grossOf('900', '0') });
    expect(() => planReinstatement({ amountCents: 100n, lines: refund.lines, gross })).toThrow(
      'no gross of builder ada',
    );
  });

  it('takes the fee of the gross now, if that has grown since', () => {
    const refund = planRefund({
      amountMicros: parseUsd('100'),
      lines: [lineOf(1, 'ada', '300')],
      gross: grossOf('900', '0'),
    });
    expect(refund.lines).toMatchObject([{ earningMicros: parseUsd('100'), feeMicros: 0n }]);
    const undone = planReinstatement({ amountCents: 10_000n, lines: refund.lines, gross: grossOf('2000', '0') });
    expect(undone.lines).toMatchObject([{ earningMicros: parseUsd('-96'), feeMicros: parseUsd('-4') }]);
    expect(undone.gross.get('ada')?.get('lifetime')).toBe(parseUsd('2100'));
  });
});
