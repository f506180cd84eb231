import { formatUsd, type Micros } from './money.ts';

/** JSON.stringify prints its digits as they are (ECMAScript 2025, which TypeScript's lib does not know yet). */
const rawJson = (JSON as unknown as { rawJSON(text: string): object }).rawJSON;

/** Below this, neighbouring doubles are less than a micro-dollar apart, so each amount has a double that prints the same. */
const exactBelow = 2n ** 33n * 1_000_000n;

/** The value of a `*_usd` field: a JSON number with exactly these digits, for any amount. Never compute with it. */
export function toUsdNumber(amount: Micros): number | object {
  const text = formatUsd(amount);
  return -exactBelow < amount && amount < exactBelow ? Number(text) : rawJson(text);
}
