import { toIso } from '@tollgate/kernel/clock';
import { micros, zeroMicros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { resetsAtOf, windowAt } from './spending-window.ts';
import type { Pass } from './pass.ts';
import type { PassSpending } from './sql-pass-spending.ts';

const nothing: PassSpending = { spentMicros: zeroMicros, heldMicros: zeroMicros };
const none = { cap: null, spent_usd: null, held_usd: null, remaining_usd: null, resets_at: null };

/** `spending` is that of the present window; undefined: nothing was asked for in it. */
export function toApiPass(pass: Pass, { spending, nowMs }: { spending: PassSpending | undefined; nowMs: number }) {
  return {
    id: pass.passId,
    name: pass.name,
    tools: pass.toolIds === undefined ? '*' : [...pass.toolIds],
    ...capFields(pass, spending ?? nothing, nowMs),
    per_call_max_usd: pass.perCallMaxMicros === undefined ? null : toUsdNumber(pass.perCallMaxMicros),
    paused: pass.isPaused,
    tags: { ...pass.tags },
    prefix: pass.prefix,
    last_four: pass.lastFour,
    created_at: toIso(pass.createdAtMs),
    expires_at: pass.expiresAtMs === undefined ? null : toIso(pass.expiresAtMs),
  };
}

function capFields({ cap }: Pass, { spentMicros, heldMicros }: PassSpending, nowMs: number) {
  if (cap === undefined) return none;
  const left = cap.amountMicros - spentMicros - heldMicros;
  return {
    cap: { amount_usd: toUsdNumber(cap.amountMicros), window: cap.window },
    spent_usd: toUsdNumber(spentMicros),
    held_usd: toUsdNumber(heldMicros),
    remaining_usd: toUsdNumber(left > 0n ? micros(left) : zeroMicros),
    resets_at: resetsAtOf(windowAt(cap.window, nowMs)),
  };
}
