import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';

/** The settings for builders that a public market does not know yet: it holds money back from them. */
export interface YoungBuilderSettings {
  /** A builder is young for so long after its first earning was collected. */
  readonly youngMs: number;
  /** For so long after that, nothing is paid out. */
  readonly delayMs: number;
  /** While the builder is young, this part of all its earnings stays. */
  readonly reservePercent: number;
}

/** The facts that decide how much of a builder's payable money stays for now. */
export interface HoldFacts {
  /** When its first earning was collected. Null: none was. */
  readonly firstEarnedAtMs: number | null;
  /** All its earnings so far, less refunds, paid out or not. */
  readonly earnedMicros: Micros;
  /** Its shares in open disputes. */
  readonly disputedMicros: Micros;
  readonly payableMicros: Micros;
}

/**
 * Plans how much of a builder's payable money no payout takes now: its shares in open disputes, and what a young builder
 * leaves. It is at most all that is payable.
 */
export function planHold(facts: HoldFacts, young: YoungBuilderSettings | undefined, nowMs: number): Micros {
  const { payableMicros, disputedMicros } = facts;
  if (payableMicros <= 0n) return zeroMicros;
  const held = disputedMicros + (young === undefined ? 0n : reserveOf(facts, young, nowMs));
  return micros(held < payableMicros ? held : payableMicros);
}

function reserveOf(facts: HoldFacts, young: YoungBuilderSettings, nowMs: number): bigint {
  const { firstEarnedAtMs, earnedMicros, payableMicros } = facts;
  if (firstEarnedAtMs === null) return 0n;
  const ageMs = nowMs - firstEarnedAtMs;
  if (ageMs < young.delayMs) return payableMicros;
  if (ageMs >= young.youngMs || earnedMicros <= 0n) return 0n;
  return (earnedMicros * BigInt(young.reservePercent) + 99n) / 100n; // rounded up
}
