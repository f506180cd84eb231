import { chargeFeePosting } from '../ledger/charge-fee-posting.ts';
import type { Transaction } from '@tollgate/database/database';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { ApplyOutcome } from '../processor/settle-attempt.ts';
import { topUpPosting } from './balance-postings.ts';
import { forgetAutoTopUpFailures, noteAutoTopUpFailed } from './note-auto-top-up.ts';
import { insertCredit } from './sql-balance-credits.ts';
import { insertMoves } from './sql-balance-moves.ts';
import { lockTopUp, setTopUpStatus } from './sql-top-ups.ts';
import type { TopUp } from './top-up.ts';

export interface ApplyTopUpDeps {
  /** Makes everything that the account owes due at once, so that the balance pays it. */
  readonly collectAtOnce: (tx: Transaction, accountId: string) => Promise<void>;
}

/**
 * Applies the outcome of a charge to its top-up. A success becomes a credit of the balance: cash → consumer_balance. A
 * charge may succeed after it was believed to have failed. Money that went back later has postings of its own.
 */
export function createApplyTopUpOutcome({ collectAtOnce }: ApplyTopUpDeps): ApplyOutcome {
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
