import { describe, expect, it } from '@jest/globals';
import { planSpendable } from './plan-spendable.ts';

const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;
const bound = { balanceMicros: usd(8), owedMicros: usd(1), creditLimitMicros: null, calls: null };
const facts = { ledgerMicros: usd(10), bound, unbilledMicros: usd(3) };

describe('what can be spent of a balance', () => {
  it('is all that an invoice could take, where the balance bounds no calls', () => {
    expect(planSpendable(facts)).toEqual({ heldMicros: usd(2), availableMicros: usd(8), bound: undefined });
  });

  it('is the room of the gate, where it has a row', () => {
    const calls = { unbilledMicros: usd(2), heldMicros: usd(4) };
    expect(planSpendable({ ...facts, bound: { ...bound, calls } })).toEqual({
      heldMicros: usd(6),
      availableMicros: usd(1),
      bound: { owedMicros: usd(1), unbilledMicros: usd(2), creditLimitMicros: 0n },
    });
    const limited = { ...bound, calls, creditLimitMicros: usd(5) };
    expect(planSpendable({ ...facts, bound: limited }).availableMicros).toBe(usd(6));
  });

  it('has what was rated taken off, where a limit is set and no call has come since', () => {
    expect(planSpendable({ ...facts, bound: { ...bound, creditLimitMicros: usd(5) } })).toEqual({
      heldMicros: usd(2),
      availableMicros: usd(9),
      bound: { owedMicros: usd(1), unbilledMicros: usd(3), creditLimitMicros: usd(5) },
    });
  });

  it('is below 0 where more is owed', () => {
    const calls = { unbilledMicros: usd(9), heldMicros: 0n };
    expect(planSpendable({ ...facts, bound: { ...bound, calls } }).availableMicros).toBe(-usd(2));
  });
});
