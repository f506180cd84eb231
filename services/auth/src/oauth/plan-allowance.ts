import type { OAuthPageAnswer } from '@tollgate/contracts/accounts/oauth';
import { dayMs } from '@tollgate/kernel/durations';
import { micros, parseUsd, type Micros } from '@tollgate/kernel/money';
import type { Allowance, CapWindow } from './allowance.ts';

const windows: readonly string[] = ['day', 'month', 'total'] satisfies CapWindow[];

/** A problem is a sentence for the person. */
export type AllowancePlan = { readonly allowance: Allowance } | { readonly problem: string };

interface Facts {
  /** The tools on the page. */
  readonly toolIds: readonly string[];
  readonly nowMs: number;
}

/** Reads from the form what a person allows. A client asks, and what it asks for only stands in the form at first. */
export function planAllowance(form: OAuthPageAnswer, { toolIds, nowMs }: Facts): AllowancePlan {
  const ticked = toolIds.filter((toolId) => toolField(toolId) in form);
  const capMicros = readUsd(form.cap_usd, 2);
  const perCallMaxMicros = readLimit(form.per_call_max_usd);
  const approveAboveMicros = readLimit(form.approve_above_usd);
  const expiresAt = form.ends_on === '' ? undefined : endOf(form.ends_on);
  if (ticked.length === 0) return { problem: 'Choose at least one tool.' };
  if (capMicros === null) return { problem: 'Say how much it may spend: dollars, such as 5 or 12.50.' };
  if (!windows.includes(form.window)) return { problem: 'Say per what it may spend that much.' };
  if (perCallMaxMicros === null)
    return { problem: 'The limit of a call is in dollars, such as 0.05. It may be empty.' };
  if (approveAboveMicros === null)
    return { problem: 'The price above which you are asked is in dollars, such as 1. It may be empty.' };
  if (expiresAt !== undefined && !(expiresAt > nowMs))
    return { problem: 'The last day must not be past. It may be empty.' };
  const cap = { amountMicros: capMicros, window: form.window as CapWindow }; // one of `windows`
  return { allowance: { toolIds: ticked, cap, perCallMaxMicros, approveAboveMicros, expiresAt } };
}

export function toolField(toolId: string): string {
  return `tool:${toolId}`;
}

const wholeDigitsMax = 7;

/** Null: no amount above zero. People type a comma, too. */
function readUsd(text: string, decimals: number): Micros | null {
  const plain = text.trim().replace(',', '.');
  if (!new RegExp(`^\\d{1,${wholeDigitsMax}}(?:\\.\\d{1,${decimals}})?$`).test(plain)) return null;
  const amount = parseUsd(plain);
  return amount > 0n ? micros(amount) : null;
}

/** Undefined: the field is empty, so there is no limit. */
function readLimit(text: string): Micros | null | undefined {
  return text.trim() === '' ? undefined : readUsd(text, 6);
}

/** The end of a day in UTC; not a number for a day that does not exist, which Date takes for one of the next month. */
function endOf(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const startMs = Date.UTC(year, month - 1, date);
  const found = new Date(startMs);
  const isThat = found.getUTCMonth() === month - 1 && found.getUTCDate() === date;
  return isThat ? startMs + dayMs : Number.NaN;
}
