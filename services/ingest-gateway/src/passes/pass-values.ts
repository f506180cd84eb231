import type { CreatePass } from '@tollgate/contracts/spending/passes';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { PassCap } from './pass.ts';

export type CapBody = NonNullable<CreatePass['cap']>;

const microsPerCent = 10_000n;

export function toCap({ amount_usd: cents, window }: CapBody, changedAtMs: number): PassCap {
  return { amountMicros: micros(cents * microsPerCent), window, changedAtMs };
}

export function toMicros(amount: bigint): Micros;
export function toMicros(amount: bigint | null | undefined): Micros | undefined;
export function toMicros(amount: bigint | null | undefined): Micros | undefined {
  return amount == null ? undefined : micros(amount);
}

/** Undefined: every tool. */
export function toToolIds(tools: CreatePass['tools']): readonly string[] | undefined {
  return tools === '*' ? undefined : [...new Set(tools)];
}
