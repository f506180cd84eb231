import { formatUsd, type Micros } from './money.ts';

/** Printed by JSON.stringify digit by digit (ECMAScript 2025, which TypeScript's lib does not know yet). */
const rawJson = (JSON as unknown as { rawJSON(text: string): object }).rawJSON;

/** Below it neighbouring doubles lie less than a micro-dollar apart, so each amount has a double that prints as itself. */
const exactBelow = 2n ** 33n * 1_000_000n;

/** The value of a `*_usd` field: a JSON number with exactly these digits, whatever the amount. Never to be reckoned with. */
export function toUsdNumber(amount: Micros): number | object {
  const text = formatUsd(amount);
  return -exactBelow < amount && amount < exactBelow ? Number(text) : rawJson(text);
}
