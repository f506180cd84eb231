import type { Transaction } from '@tollgate/database/database';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { chargeFeePosting } from '../ledger/ledger-posting.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { ApplyOutcome } from '../processor/settle-attempt.ts';
import { topUpPosting } from './balance-postings.ts';
import { insertCredit } from './sql-balance-credits.ts';
import { insertMoves } from './sql-balance-moves.ts';
import { lockTopUp, setTopUpStatus } from './sql-top-ups.ts';
import type { TopUp, BalanceDeps } from './credit.ts';
import { findAutoTopUp, raiseBalanceAlert, setAutoTopUpFailures } from './sql-auto-top-up.ts';

/**
 * Applies the outcome of a charge to its top-up. A success becomes a credit of the balance: cash → consumer_balance. A
 * charge may succeed after it was believed to have failed. Money that went back later has postings of its own.
 */
export function createApplyTopUpOutcome({ collectAtOnce }: Pick<BalanceDeps, 'collectAtOnce'>): ApplyOutcome {
  return async function applyTopUpOutcome(tx, attempt, { status, failureCode = null, feeCents, settledAtMs }) {
    const topUp = await lockTopUp(tx, attempt.subjectId);
    if (status === 'succeeded') await fill(tx, topUp, settledAtMs);
    else if (topUp.status === 'pending')
      await fail(tx, topUp, { failureCode: failureCode ?? status, nowMs: settledAtMs });
    const fee = { attemptId: attempt.id, cents: feeCents, occurredAtMs: settledAtMs };
    if (feeCents !== 0n && attempt.status !== 'succeeded') await postLedger(tx, [chargeFeePosting(fee)]);
  };

  async function fail(tx: Transaction, { id, accountId, isAutomatic }: TopUp, { failureCode, nowMs }: Failed) {
    await setTopUpStatus(tx, id, { status: 'failed', failureCode, succeededAtMs: null });
    if (isAutomatic) await noteAutoTopUpFailed(tx, { accountId, nowMs, failureCode });
  }

  /** Invoices are locked before credits and ledger accounts, as a collection does. */
  async function fill(
    tx: Transaction,
    { id, accountId, amountCents, isAutomatic }: TopUp,
    nowMs: number,
  ): Promise<void> {
    await collectAtOnce(tx, accountId);
    if (isAutomatic) await forgetAutoTopUpFailures(tx, accountId);
    await setTopUpStatus(tx, id, { status: 'succeeded', failureCode: null, succeededAtMs: nowMs });
    const credit = { id, accountId, amountCents, reason: 'top-up', effectiveFromMs: nowMs, expiresAtMs: null };
    await insertCredit(tx, { ...credit, createdAtMs: nowMs, topUpId: id });
    const posting = topUpPosting({ topUpId: id, accountId, cents: amountCents, occurredAtMs: nowMs });
    const moves = [{ creditId: id, amountCents }];
    await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: nowMs }, moves);
    await postLedger(tx, [posting]);
  }
}

interface Failed {
  readonly failureCode: string;
  readonly nowMs: number;
}

interface Noted {
  readonly accountId: string;
  readonly nowMs: number;
}

/** Notes that an automatic top-up failed: the next one waits longer each time, and the account gets an alert. */
export async function noteAutoTopUpFailed(
  tx: Transaction,
  { accountId, nowMs, failureCode }: Noted & { readonly failureCode: string },
): Promise<void> {
  const setting = await findAutoTopUp(tx, { accountId, nowMs });
  if (setting === undefined) return; // removed meanwhile
  const failures = setting.failures + 1;
  const failed = { ...setting, failures, failureCode, retryAtMs: retryAutoTopUpAtMs(failures, nowMs) };
  await setAutoTopUpFailures(tx, failed);
  await raiseBalanceAlert(tx, { type: 'auto_top_up.failed', of: failed, raisedAtMs: nowMs });
}

/** Ends the wait after failures: an automatic top-up succeeded, or there is a new payment method. */
export async function forgetAutoTopUpFailures(tx: Transaction, accountId: string): Promise<void> {
  await setAutoTopUpFailures(tx, { accountId, failures: 0, failureCode: null, retryAtMs: null });
}

const waitsMs = [hourMs, 6 * hourMs, dayMs, 3 * dayMs];

/** When an automatic top-up is tried again after so many failures in a row. A new payment method ends the wait. */
function retryAutoTopUpAtMs(failures: number, nowMs: number): number {
  return nowMs + (waitsMs[Math.max(failures, 1) - 1] ?? 7 * dayMs);
}
