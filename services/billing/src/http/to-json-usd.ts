import { formatUsd, type Micros } from '@tollgate/kernel/money';

/** Printed by JSON.stringify digit by digit (ECMAScript 2025, which TypeScript's lib does not know yet). */
const rawJson = (JSON as unknown as { rawJSON(text: string): object }).rawJSON;

/** An exact JSON number of dollars: made from the integer's digits, and never a float on the way. */
export function toJsonUsd(amount: Micros): object {
  return rawJson(formatUsd(amount));
}
