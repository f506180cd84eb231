import type { SpendingToken } from '@tollgate/runtime/auth/spending-token-check';
import { toIso } from '@tollgate/kernel/clock';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { resetsAtOf, windowAt } from './spending-window.ts';
import type { Pass, PassCap, StoredPass } from './pass.ts';
import type { Spendings } from './read-spending.ts';
import type { PassSpending } from './sql-pass-spending.ts';

const nothing: PassSpending = { spentMicros: zeroMicros, heldMicros: zeroMicros };
const none = { cap: null, spent_usd: null, held_usd: null, remaining_usd: null };

/** As its owner sees it: what its row says, whatever bounds it from above. */
export function toApiPass(pass: StoredPass, { spendings, nowMs }: Spendings) {
  return {
    ...withoutFigures(pass, nowMs),
    ...capFields(pass, spendings.get(pass.passId) ?? nothing),
    per_call_max_usd: limitOf(pass.perCallMaxMicros),
    approve_above_usd: limitOf(pass.approveAboveMicros),
  };
}

function limitOf(amount: Micros | undefined) {
  return amount === undefined ? null : toUsdNumber(amount);
}

/** As the holder of its key sees it, whoever that is: the key goes from hand to hand. */
export function toApiOwnPass(pass: Pass, { spendings, nowMs }: Spendings) {
  const isLow = [...pass.ancestors, pass].some(
    ({ passId, cap }) => cap !== undefined && leftOf(cap, spendings.get(passId) ?? nothing) * 10n < cap.amountMicros,
  );
  return { ...withoutFigures(pass, nowMs), low: isLow };
}

export function toApiToken(token: SpendingToken | undefined) {
  if (token === undefined) return null;
  return { client_id: token.clientId, resource: token.resource, expires_at: toIso(token.expiresAtMs) };
}

function withoutFigures(pass: StoredPass, nowMs: number) {
  return {
    id: pass.passId,
    parent_id: pass.ancestorIds.at(-1) ?? null,
    name: pass.name,
    tools: pass.toolIds === undefined ? '*' : [...pass.toolIds],
    resets_at: pass.cap === undefined ? null : resetsAtOf(windowAt(pass.cap.window, nowMs)),
    paused: pass.isPaused,
    tags: { ...pass.tags },
    prefix: pass.prefix,
    last_four: pass.lastFour,
    created_at: toIso(pass.createdAtMs),
    expires_at: pass.expiresAtMs === undefined ? null : toIso(pass.expiresAtMs),
  };
}

function capFields({ cap }: StoredPass, spending: PassSpending) {
  if (cap === undefined) return none;
  const left = leftOf(cap, spending);
  return {
    cap: { amount_usd: toUsdNumber(cap.amountMicros), window: cap.window },
    spent_usd: toUsdNumber(spending.spentMicros),
    held_usd: toUsdNumber(spending.heldMicros),
    remaining_usd: toUsdNumber(left > 0n ? micros(left) : zeroMicros),
  };
}

/** Below 0 where the cap was lowered since, or its owner approved a call beyond it. */
function leftOf({ amountMicros }: PassCap, { spentMicros, heldMicros }: PassSpending): bigint {
  return amountMicros - spentMicros - heldMicros;
}
