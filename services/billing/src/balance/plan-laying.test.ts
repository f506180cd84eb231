import { describe, expect, it } from '@jest/globals';
import { laySlowly, type SlowGrant, type SlowHour } from '@tollgate/testkit/pricing/lay-slowly';
import fc from 'fast-check';
import { planLaying, splitLaid, sumByCredit, type GrantPool, type LaidRun, type SpanCharge } from './plan-laying.ts';

/** Times are hours here. */
const hour = (startMs: number, cents: number): SpanCharge => ({
  startMs,
  endMs: startMs + 1,
  micros: BigInt(Math.round(cents * 10_000)),
});

const grant = (creditId: string, cents: number, [fromMs, endsMs]: [number, number | null]): GrantPool => ({
  creditId,
  fromMs,
  endsMs,
  cents: BigInt(cents),
});

const lay = (pools: GrantPool[], charges: SpanCharge[]): string =>
  textOf(planLaying({ carriedMicros: 0n, carried: undefined, pools, charges }));

function textOf(runs: readonly LaidRun[]): string {
  return runs
    .map(({ creditId, startMs, endMs, cents }) => `${creditId ?? '-'} ${cents} [${startMs},${endMs})`)
    .join(', ');
}

const [short, long, ever] = [grant('short', 5, [0, 3]), grant('long', 5, [0, 8]), grant('ever', 5, [2, null])];

describe('F264 a month’s charges, laid on grants hour by hour,', () => {
  it.each<[string, GrantPool[], SpanCharge[], string]>([
    ['are nobody’s without a grant', [], [hour(0, 2)], '- 2 [0,1)'],
    ['are a grant’s while it is valid', [short], [hour(1, 2), hour(2, 2), hour(3, 2)], 'short 4 [1,3), - 2 [3,4)'],
    ['are nobody’s before it begins', [ever], [hour(1, 2), hour(2, 2)], '- 2 [1,2), ever 2 [2,3)'],
    [
      'take the soonest to expire first',
      [short, long, ever],
      [hour(2, 12)],
      'short 5 [2,3), long 5 [2,3), ever 2 [2,3)',
    ],
    ['begin within an hour', [grant('g', 9, [0.5, 2.5])], [hour(0, 1), hour(2, 1), hour(3, 1)], 'g 2 [0,3), - 1 [3,4)'],
    ['give back what was laid last', [short, long], [hour(0, 6), hour(4, 3), hour(5, -5)], 'short 4 [0,1)'],
    ['use again what was given back', [short], [hour(0, 5), hour(1, -3), hour(2, 3)], 'short 5 [0,3)'],
    ['give a cent to the hour where it begins', [short], [hour(2, 0.4), hour(3, 0.6)], 'short 1 [2,3)'],
    ['leave no cent begun below zero', [short], [hour(0, -2), hour(1, 1.5), hour(2, 1.5)], 'short 1 [2,3)'],
  ])('%s', (_what, pools, charges, expected) => {
    expect(lay(pools, charges)).toBe(expected);
  });

  it('keep what was laid on a cent that an earlier invoice carried', () => {
    const carried = { creditId: 'short', startMs: 2, endMs: 3, cents: 1n };
    const facts = { carriedMicros: 4_000n, carried, pools: [grant('short', 1, [0, 3])] };
    const runs = planLaying({ ...facts, charges: [hour(9, 0.6), hour(10, 0.5)] });
    expect(textOf(runs)).toBe('short 1 [2,3), - 1 [10,11)');
    expect(textOf(planLaying({ ...facts, pools: [], charges: [] }))).toBe('- 1 [2,3)');
  });

  it('are parted where the invoice ends', () => {
    const runs = planLaying({ carriedMicros: 0n, carried: undefined, pools: [short, long], charges: [hour(0, 6.5)] });
    const { billed, carried } = splitLaid(runs, 6n);
    expect([textOf(billed), textOf(carried)]).toEqual(['short 5 [0,1), long 1 [0,1)', 'long 1 [0,1)']);
    expect([...sumByCredit(runs)]).toEqual([
      ['short', 5n],
      ['long', 2n],
    ]);
  });

  it('are laid as the slow model lays them, cent by cent', () => {
    const grants = fc.array(fc.tuple(fc.nat(20), fc.option(fc.integer({ min: 1, max: 12 })), fc.nat(12)), {
      maxLength: 5,
    });
    const hours = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: -30_000, max: 60_000 })), { maxLength: 20 });
    fc.assert(
      fc.property(grants, hours, (randomGrants, randomHours) => {
        const [slow, charges] = [toGrants(randomGrants), toHours(randomHours)];
        const pools = slow
          .toSorted((one, other) => (one.until ?? Infinity) - (other.until ?? Infinity) || 0)
          .map(({ name, from, until, cents }) => grant(name, cents, [from, until]));
        const spans = charges.map(({ hour: at, micros }) => ({ startMs: at, endMs: at + 1, micros: BigInt(micros) }));
        const runs = planLaying({ carriedMicros: 0n, carried: undefined, pools, charges: spans });
        const payers = runs.flatMap(({ creditId, cents }) => Array<string>(Number(cents)).fill(creditId ?? 'nobody'));
        expect(payers).toEqual(laySlowly(slow, charges));
      }),
    );
  });
});

/** Halves of hours, so that grants begin and end within one. */
function toGrants(random: readonly [number, number | null, number][]): SlowGrant[] {
  return random.map(([from, hours, cents], index) => {
    return { name: `g${index}`, from: from / 2, until: hours === null ? null : (from + hours) / 2, cents };
  });
}

function toHours(random: readonly [number, number][]): SlowHour[] {
  let at = 0;
  return random.map(([later, micros]) => ({ hour: (at += later), micros }));
}
