import type { Database, Transaction } from '@tollgate/database/database';
import { findPass } from '../../passes/sql-pass.ts';
import type { Pass } from '../../passes/pass.ts';
import { applyApprovals, lockApprovals, type ApprovalUse } from '../approvals/sql-approval.ts';
import { accountCaps, passCaps } from '../caps/account-caps.ts';
import type { FillBalances } from '../caps/balance-caps.ts';
import { changeLines } from '../settling/change-lines.ts';
import { decideHolds, type HoldDecision } from '../deciding/decide-holds.ts';
import { capKeyOf, type HoldWish } from './hold.ts';
import { isAnyPartOfLine, isOpen, lastEndOf, type Line } from '../settling/lines.ts';
import { findBudget, type Budget } from '../caps/sql-budget.ts';
import { lockCaps, lockCapsWithLines } from '../caps/sql-cap-state.ts';
import { findPastDue } from '../deciding/sql-past-due.ts';
import { findHolds, putHolds, type HoldToPut } from './sql-hold.ts';
import { lockLines } from '../settling/sql-line.ts';
import { readCountedThrough } from '../settling/sql-settlement.ts';

/** Decides about all wishes in one transaction, in their order, and stores what is held. Nothing is stored for a refusal. */
export function takeHolds(
  database: Database,
  wishes: readonly HoldWish[],
  fillBalances: FillBalances,
): Promise<readonly HoldDecision[]> {
  // Without caps and keys the first statement writes.
  const startsWithRead = wishes.some(
    ({ caps, bodyHash, lines, approvalId }) =>
      caps.length > 0 || bodyHash !== undefined || lines !== undefined || approvalId !== undefined,
  );
  return database.transaction((tx) => decideAndPut(tx, wishes, fillBalances), { startsWithRead });
}

/**
 * As `takeHolds`, in a transaction in which nobody changes caps, and by the budgets and passes that are in force in it: a
 * gateway may not have heard of their last change.
 */
export async function takeInForce(
  tx: Transaction,
  wishes: readonly HoldWish[],
  fillBalances: FillBalances,
): Promise<readonly HoldDecision[]> {
  return decideAndPut(tx, await Promise.all(wishes.map(inForce(tx))), fillBalances);
}

function inForce(tx: Transaction): (wish: HoldWish) => Promise<HoldWish> {
  const budgets = new Map<string, Promise<Budget | undefined>>();
  const passes = new Map<string, Promise<Pass | undefined>>();
  return async (wish) => {
    const { accountId, passId, between } = wish;
    const budget = await kept(budgets, accountId, () => findBudget(tx, accountId));
    const pass = passId === null ? undefined : await kept(passes, passId, () => findPass(tx, { passId, accountId }));
    if (passId !== null && pass === undefined) return wish; // revoked meanwhile: its caps get no row
    const balance = wish.caps.filter(({ scope }) => scope === 'balance');
    const caps = [...accountCaps(budget, between), ...passCaps(pass, between), ...balance];
    return { ...wish, caps, lines: isAnyPartOfLine(caps) ? undefined : wish.lines };
  };
}

function kept<Row>(rows: Map<string, Promise<Row>>, id: string, read: () => Promise<Row>): Promise<Row> {
  const known = rows.get(id) ?? read();
  rows.set(id, known);
  return known;
}

/**
 * Approvals are locked first: who had one before us has used it. Lines are locked before caps: whoever makes a row of a cap has locked the account's lines, so we see the row. Both are locked
 * before holds and balances are read: whoever had the locks before us has stored its holds. Others lock holds before caps. Nobody
 * deadlocks, since the holds that we store are of no other transaction.
 */
async function decideAndPut(
  tx: Transaction,
  wishes: readonly HoldWish[],
  fillBalances: FillBalances,
): Promise<readonly HoldDecision[]> {
  const repeatable = wishes.filter(({ bodyHash }) => bodyHash !== undefined).map(({ holdId }) => holdId);
  const [approvals, lines, locked, holds] = await Promise.all([
    lockApprovals(tx, [...new Set(wishes.flatMap(({ approvalId }) => approvalId ?? []))]),
    lockLines(tx, wishes.flatMap(linesOf)),
    lockCapsOf(tx, wishes),
    findHolds(tx, repeatable),
  ]);
  const atMs = Math.max(...wishes.map(({ askedAtMs }) => askedAtMs));
  const ends = lastEndsOf(wishes, lines);
  const caps = await fillBalances(tx, locked, { atMs, untilMs: (accountId) => ends.get(accountId) });
  const late = wishes.filter(({ isPastDue }) => isPastDue).map(({ accountId }) => accountId);
  const pastDue = await findPastDue(tx, late);
  const watermarkMs = await watermarkFor(tx, lines);
  const { decisions, changedLines } = decideHolds(wishes, { caps, lines, approvals, pastDue, holds, watermarkMs });
  await changeLines(tx, { before: lines, after: changedLines, caps: locked });
  await applyApprovals(tx, usesOf(decisions, wishes));
  const put = new Set(await putHolds(tx, heldBy(decisions, wishes)));
  // Another gateway stored a hold with this id after we looked, under no cap of ours: the wish is decided again.
  return decisions.map((decision, index) =>
    decision.kind === 'held' && !put.has(wishes[index]?.holdId ?? '') ? { kind: 'no_row' } : decision,
  );
}

/** When the last hold of each account ends. */
function lastEndsOf(wishes: readonly HoldWish[], locked: readonly Line[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  const linesOfAccount = Map.groupBy(locked, (line) => line.accountId);
  for (const { accountId, lines, askedAtMs, expiresAtMs } of wishes) {
    const known = lines && (linesOfAccount.get(accountId) ?? []);
    const end = lastEndOf({ nowMs: askedAtMs, expiresAtMs }, known);
    ends.set(accountId, Math.max(end, ends.get(accountId) ?? end));
  }
  return ends;
}

function lockCapsOf(tx: Transaction, wishes: readonly HoldWish[]) {
  const wished = new Map(wishes.flatMap(({ caps }) => caps).map((cap) => [capKeyOf(cap), cap]));
  const inLines = wishes.filter(({ lines }) => lines !== undefined).map(({ accountId }) => accountId);
  const caps = [...wished.values()];
  return inLines.length === 0 ? lockCaps(tx, caps) : lockCapsWithLines(tx, caps, [...new Set(inLines)]);
}

function linesOf({ accountId, lines }: HoldWish) {
  return lines === undefined ? [] : lines.each.map((line) => ({ accountId, ...line }));
}

/** Only of use if a line waits for it. */
async function watermarkFor(tx: Transaction, lines: readonly Line[]): Promise<number | undefined> {
  return lines.every(isOpen) ? undefined : readCountedThrough(tx);
}

function usesOf(decisions: readonly HoldDecision[], wishes: readonly HoldWish[]): ApprovalUse[] {
  return wishes.flatMap(({ holdId }, index) => {
    const decision = decisions[index];
    return decision?.kind === 'held' && decision.approvalId !== undefined
      ? [{ approvalId: decision.approvalId, holdId }]
      : [];
  });
}

function heldBy(decisions: readonly HoldDecision[], wishes: readonly HoldWish[]): HoldToPut[] {
  return wishes.flatMap((wish, index) => {
    const decision = decisions[index];
    if (decision?.kind !== 'held') return [];
    const { capIds, lineKeys, micros } = decision;
    return [{ wish, capIds, lineKeys, micros }];
  });
}
