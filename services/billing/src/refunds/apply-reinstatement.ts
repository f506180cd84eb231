import type { Transaction } from '@tollgate/database/database';
import { lockBuilderGross, setBuilderGross } from '../fees/sql-builder-gross.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { planReinstatement } from './plan-reinstatement.ts';
import { insertCreditNote } from './sql-credit-notes.ts';
import { findRefund, insertRefund, insertRefundedLines, readRefundedLines } from './sql-refunds.ts';

export interface Reinstatement {
  /** The id of the new refund, whose amount is below zero. */
  readonly id: string;
  /** The refund that is undone. */
  readonly refundId: string;
  readonly reinstatedAtMs: number;
}

/**
 * Undoes a refund whose money came back: its builders get their earnings again, and the platform its fee. The invoice
 * must be locked. The posting is unique, so it is applied once.
 */
export async function applyReinstatement(tx: Transaction, { id, refundId, reinstatedAtMs }: Reinstatement) {
  const refund = await findRefund(tx, refundId);
  if (refund === undefined) throw new Error(`there is no refund ${refundId} to undo`);
  const lines = await readRefundedLines(tx, refundId);
  const gross = await lockBuilderGross(tx, lines);
  const plan = planReinstatement({ amountCents: refund.amountCents, lines, gross });
  const at = { createdAtMs: reinstatedAtMs, succeededAtMs: reinstatedAtMs };
  const state = { cause: 'reinstated', status: 'succeeded', failureCode: null } as const;
  const undone = { id, invoiceId: refund.invoiceId, amountCents: -refund.amountCents, ...state, ...at };
  const { strayAttemptId, chargeObjectId } = refund;
  await insertRefund(tx, undone, { reinstates: refundId, strayAttemptId, chargeObjectId });
  await insertRefundedLines(tx, plan.lines, { refundId: id, refundedAtMs: reinstatedAtMs });
  await setBuilderGross(tx, plan.gross);
  await postLedger(tx, [{ businessKey: `refund:${id}`, occurredAtMs: reinstatedAtMs, entries: plan.entries }]);
  if (strayAttemptId !== null) return;
  const { invoiceId, amountCents } = undone;
  await insertCreditNote(tx, { refundId: id, invoiceId, amountCents, issuedAtMs: reinstatedAtMs });
}
