/** Printed by JSON.stringify digit by digit (ECMAScript 2025, which TypeScript's lib does not know yet). */
const rawJson = (JSON as unknown as { rawJSON(text: string): object }).rawJSON;

/** An exact JSON integer of any size: beyond 2^53 a number would round it. */
export function toJsonInteger(value: bigint): number | object {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : rawJson(value.toString());
}
