import { describe, expect, it } from '@jest/globals';
import { micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { grossKeyOf, type FeeScope, feeOn } from '../fees/fee.ts';
import { splitCharges, type GrossByKey } from '../fees/fee-splits.ts';
import type { Charged } from './earned.ts';
import { noRemainder, payoutIdOf } from './payout.ts';
import { planPayout, type BuilderBalances } from './plan-payout.ts';
import { planPendingPayouts, type PendingFacts } from './plan-pending-payouts.ts';

const builderId = 'b0000000-0000-4000-8000-000000000000';
const minimumMicros = micros(1_000_000n);
const december = { builderId, period: '2026-12', nowMs: 0, later: noRemainder };
const nothing: BuilderBalances = {
  payableMicros: zeroMicros,
  inTransitMicros: zeroMicros,
  failedNetCents: 0n,
  feeCents: 0n,
};
const months = ['2026-08', '2026-09', '2026-10', '2026-11', '2026-12'];

const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 30_000n }), // a few cents
  fc.bigInt({ min: 0n, max: 3n * 10n ** 9n }),
  fc.bigInt({ min: 999_990_000n, max: 1_000_010_000n }), // around the edge
);
const scope = fc.constantFrom<FeeScope>('lifetime', 'month');
const charge = fc.record({ month: fc.nat(months.length - 1), charge: amount });

/** A release (or, below 0, a refund), or a payout day in between; some payouts fail for good, some stay on their way. */
const event = fc.oneof(
  { weight: 3, arbitrary: charge.map((released) => ({ what: 'release' as const, ...released })) },
  { weight: 1, arbitrary: charge.map((taken) => ({ what: 'refund' as const, ...taken })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('paid', 'scheduled', 'failed').map((becomes) => ({ what: 'day' as const, becomes })),
  },
);
type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

interface Books {
  readonly balances: BuilderBalances;
  readonly gross: GrossByKey;
  readonly payouts: readonly { readonly status: string; readonly netCents: bigint; readonly feeCents: bigint }[];
}

/** Returns the books after these events, by the plain rules of releases, refunds and payouts. */
function live(events: readonly Event[], of: FeeScope): Books {
  let balances = nothing;
  let gross: GrossByKey = new Map();
  const payouts: Books['payouts'][number][] = [];
  for (const one of events) {
    if (one.what === 'day') {
      const planned = planPayout({ ...december, balances, gross, minimumMicros, holdMicros: zeroMicros });
      if (planned === undefined) continue;
      const { netCents, feeCents } = planned;
      payouts.push({ status: one.becomes, netCents, feeCents });
      const net = centsToMicros(netCents);
      const leaves = one.becomes === 'failed' ? 0n : net;
      balances = {
        payableMicros: micros(balances.payableMicros - leaves),
        inTransitMicros: micros(balances.inTransitMicros + (one.becomes === 'scheduled' ? net : 0n)),
        failedNetCents: balances.failedNetCents + (one.becomes === 'failed' ? netCents : 0n),
        feeCents: balances.feeCents + feeCents,
      };
      continue;
    }
    const chargeMicros = micros(one.what === 'refund' ? -one.charge / 2n : one.charge);
    const split = splitCharges([{ period: months[one.month] ?? '', chargeMicros }], { scope: of, gross });
    gross = split.gross;
    const earned = sumMicros(split.splits.map(({ earningMicros }) => earningMicros));
    balances = { ...balances, payableMicros: micros(balances.payableMicros + earned) };
  }
  return { balances, gross, payouts };
}

function charged(month: number, chargeMicros: bigint): Charged {
  const what = { toolId: 'search', priceId: builderId, chargeIndex: 0, name: null };
  return { ...what, by: 'usage', period: months[month] ?? '', chargeMicros: micros(chargeMicros) };
}

const total = (cents: readonly bigint[]) => cents.reduce((sum, one) => sum + one, 0n);
const feesOf = (gross: GrossByKey) => sumMicros([...gross.values()].map(feeOn));

describe('payouts', () => {
  it('have counted F(G) in fees in the end, remainders included, whatever their timing, refunds included', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), scope, (events, of) => {
        const { balances, gross, payouts } = live(events, of);
        const last = planPayout({ ...december, balances, gross, minimumMicros: zeroMicros, holdMicros: zeroMicros });
        fc.pre(last !== undefined);
        const feeCents = total([...payouts, last].map((payout) => payout.feeCents));
        expect(last.left.feeMicros).toBe(feesOf(gross) - centsToMicros(feeCents));
        expect(last.left.feeMicros >= 0n && last.left.feeMicros < 10_000n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('take all that is payable and theirs, but for less than a cent', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), scope, (events, of) => {
        const { balances, gross } = live(events, of);
        const planned = planPayout({ ...december, balances, gross, minimumMicros, holdMicros: zeroMicros });
        const own = balances.payableMicros - centsToMicros(balances.failedNetCents);
        const taken = planned && centsToMicros(planned.netCents) + planned.left.earningMicros;
        expect(taken).toBe(own < 1_000_000n ? undefined : own);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the pending balance', () => {
  const uncollected = fc
    .array(charge, { maxLength: 8 })
    .map((charges) => charges.toSorted((a, b) => a.month - b.month).map((one) => charged(one.month, one.charge)));

  it('is payable + in transit + U − (F(G + U) − F(G)), and the net of pending, scheduled and failed rows ± 1 cent a row', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), uncollected, scope, (events, open, of) => {
        const { balances, gross, payouts } = live(events, of);
        const facts = { builderId, scope: of, balances, gross, firstPeriod: '2026-10', uncollected: open, later: [] };
        const plan = planPendingPayouts(facts);

        const after = new Map<string, Micros>(gross);
        for (const { period, chargeMicros } of open) {
          const key = grossKeyOf(of, period);
          after.set(key, micros((after.get(key) ?? 0n) + chargeMicros));
        }
        const sum = sumMicros(open.map(({ chargeMicros }) => chargeMicros));
        const owed = balances.payableMicros + balances.inTransitMicros;
        expect(plan.balanceMicros).toBe(owed + sum - (feesOf(after) - feesOf(gross)));

        const unpaid = payouts.filter(({ status }) => status !== 'paid');
        const shown = centsToMicros(total([...unpaid, ...plan.payouts].map(({ netCents }) => netCents)));
        const apart = plan.balanceMicros - shown;
        expect(apart >= 0n && apart < 10_000n * BigInt(plan.payouts.length + 1)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('pending payouts', () => {
  const facts: Omit<PendingFacts<Charged>, 'uncollected'> = {
    builderId,
    scope: 'lifetime',
    balances: nothing,
    gross: new Map(),
    firstPeriod: '2026-10',
    later: [],
  };

  it('are of the current month and the ended one, which takes what is older', () => {
    const uncollected = [charged(0, 10_000n), charged(2, 20_000n), charged(3, 40_000n)];
    const { payouts } = planPendingPayouts({ ...facts, uncollected });
    expect(payouts.map(({ period, netCents, afterPeriod }) => [period, netCents, afterPeriod])).toEqual([
      ['2026-10', 3n, ''],
      ['2026-11', 4n, '2026-10'],
    ]);
    expect(payouts[0]?.id).toBe(payoutIdOf(builderId, '2026-10'));
  });

  it('F269 leave what is collected of a later month to the payout of that month', () => {
    const balances = { ...nothing, payableMicros: micros(90_000n) };
    const later = [{ period: '2026-12', earningMicros: micros(50_000n), feeMicros: zeroMicros }];
    const { payouts } = planPendingPayouts({ ...facts, balances, later, uncollected: [charged(3, 20_000n)] });
    expect(payouts.map(({ period, netCents, afterPeriod }) => [period, netCents, afterPeriod])).toEqual([
      ['2026-10', 4n, ''],
      ['2026-11', 2n, '2026-10'],
      ['2026-12', 5n, '2026-11'],
    ]);
  });

  it('are none for a month that earned nothing, a remainder of less than a cent aside', () => {
    const balances = { ...nothing, payableMicros: micros(9_999n) };
    expect(planPendingPayouts({ ...facts, balances, uncollected: [] }).payouts).toEqual([]);
    expect(planPendingPayouts({ ...facts, balances, uncollected: [charged(3, 1n)] }).payouts).toMatchObject([
      { period: '2026-11', netCents: 0n },
    ]);
  });

  it('have a balance with what is on its way', () => {
    const balances = { ...nothing, payableMicros: micros(5_000_000n), inTransitMicros: micros(3_000_000n) };
    expect(planPendingPayouts({ ...facts, balances, uncollected: [] }).balanceMicros).toBe(8_000_000n);
  });

  it('are below 0 where more was refunded than is earned', () => {
    const balances = { ...nothing, payableMicros: micros(-1n) };
    expect(planPendingPayouts({ ...facts, balances, uncollected: [] }).payouts).toMatchObject([{ netCents: -1n }]);
  });
});
