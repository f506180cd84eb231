import { authorizedSecondsMax } from '@tollgate/contracts/spending/authorizations';
import { compareDecimals, parseDecimal } from '@tollgate/kernel/decimal';
import type { Hold, Quantities } from './hold.ts';

/** The change that is wanted of a hold. What is left out stays. */
export interface Wanted {
  /** The most that each of its calls may have. */
  readonly max?: Quantities;
  /** So long it may be captured from now on. */
  readonly ttlMs?: number;
  readonly reference?: string | undefined;
  readonly nowMs: number;
}

/** The hold as it is wanted. What is held is never lowered, and no hold ends earlier than before. */
export function wantedHold(hold: Hold, { max, ttlMs = 0, reference, nowMs }: Wanted): Hold {
  const lastEndMs = hold.askedAtMs + authorizedSecondsMax * 1_000;
  return {
    ...hold,
    max: max === undefined ? hold.max : greatestOf(hold.max, max),
    expiresAtMs: Math.max(hold.expiresAtMs, Math.min(nowMs + ttlMs, lastEndMs)),
    reference: reference ?? hold.reference,
  };
}

export function isLonger(wanted: Hold, hold: Hold): boolean {
  return wanted.expiresAtMs > hold.expiresAtMs;
}

/** Takes the greater one of each quantity: what is held is never lowered. */
function greatestOf(left: Quantities, right: Quantities): Quantities {
  const measures: Record<string, string> = { ...left.measures };
  for (const [key, amount] of Object.entries(right.measures)) {
    const before = measures[key];
    const isGreater = before === undefined || compareDecimals(parseDecimal(amount), parseDecimal(before)) > 0;
    if (isGreater) measures[key] = amount;
  }
  return { durationMs: Math.max(left.durationMs, right.durationMs), measures };
}
