import type { Database, Transaction } from '@tollgate/database/database';
import type { FillBalances } from './balance-caps.ts';
import { decideHolds, type HoldDecision } from './decide-holds.ts';
import { capKeyOf, type HoldWish } from './hold.ts';
import { lockCaps } from './sql-cap-state.ts';
import { findPastDue } from './sql-past-due.ts';
import { findHolds, putHolds, type HoldToPut } from './sql-hold.ts';

/** Decides about all wishes in one transaction, in their order, and stores what is held. Nothing is stored for a refusal. */
export function takeHolds(
  database: Database,
  wishes: readonly HoldWish[],
  fillBalances: FillBalances,
): Promise<HoldDecision[]> {
  // Without caps and keys the first statement writes.
  const startsWithRead = wishes.some(({ caps, bodyHash }) => caps.length > 0 || bodyHash !== undefined);
  return database.transaction((tx) => decideAndPut(tx, wishes, fillBalances), { startsWithRead });
}

/**
 * Caps are locked before holds and balances are read: whoever had the locks before us has stored its holds. Others lock holds
 * before caps. Nobody deadlocks, since the holds that we store are of no other transaction.
 */
async function decideAndPut(
  tx: Transaction,
  wishes: readonly HoldWish[],
  fillBalances: FillBalances,
): Promise<HoldDecision[]> {
  const wished = new Map(wishes.flatMap(({ caps }) => caps).map((cap) => [capKeyOf(cap), cap]));
  const repeatable = wishes.filter(({ bodyHash }) => bodyHash !== undefined).map(({ holdId }) => holdId);
  const [locked, holds] = await Promise.all([lockCaps(tx, [...wished.values()]), findHolds(tx, repeatable)]);
  const atMs = Math.max(...wishes.map(({ askedAtMs }) => askedAtMs));
  const ends = lastEndsOf(wishes);
  const caps = await fillBalances(tx, locked, { atMs, untilMs: (accountId) => ends.get(accountId) });
  const late = wishes.filter(({ isPastDue }) => isPastDue).map(({ accountId }) => accountId);
  const pastDue = await findPastDue(tx, late);
  const decisions = decideHolds(wishes, { caps, pastDue, holds });
  const put = new Set(await putHolds(tx, heldBy(decisions, wishes)));
  // Another gateway stored a hold with this id after we looked, under no cap of ours: the wish is decided again.
  return decisions.map((decision, index) =>
    decision.kind === 'held' && !put.has(wishes[index]?.holdId ?? '') ? { kind: 'no_row' } : decision,
  );
}

/** When the last hold of each account ends. */
function lastEndsOf(wishes: readonly HoldWish[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { accountId, expiresAtMs } of wishes)
    ends.set(accountId, Math.max(expiresAtMs, ends.get(accountId) ?? expiresAtMs));
  return ends;
}

function heldBy(decisions: readonly HoldDecision[], wishes: readonly HoldWish[]): HoldToPut[] {
  return wishes.flatMap((wish, index) => {
    const decision = decisions[index];
    return decision?.kind === 'held' ? [{ wish, capIds: decision.capIds }] : [];
  });
}
