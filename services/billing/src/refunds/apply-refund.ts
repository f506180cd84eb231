import type { Transaction } from '@tollgate/database/database';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { refundToBalance } from '../balance/refund-to-balance.ts';
import { planRefund, type BalancePart } from './plan-refund.ts';
import type { RefundPart } from './refund.ts';
import { lockBuilderGross, setBuilderGross } from '../fees/sql-builder-gross.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { insertCreditNote } from './sql-credit-notes.ts';
import { insertRefundedLines, readRefundableLines } from './sql-refunds.ts';

export interface RefundToApply {
  readonly id: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
  /** The part that goes back to the balance of this consumer. */
  readonly toBalance?: { readonly consumerId: string; readonly cents: bigint };
  readonly appliedAtMs: number;
  /** The lines that give it back. All of the invoice's, if not given. */
  readonly part?: RefundPart | null;
  /** The order whose stray money it gives back. Builders received nothing of it, and give nothing back. */
  readonly strayAttemptId?: string | null;
}

/**
 * Applies a refund whose money is gone: builders and platform give back their parts, and builders' gross goes down.
 * The consumer gets a credit note. The posting is unique, so a refund is applied once. The invoice's row must be locked,
 * so that no other refund changes what its lines have left.
 */
export async function applyRefund(tx: Transaction, refund: RefundToApply): Promise<void> {
  const { id, invoiceId, amountCents, appliedAtMs, part = null, strayAttemptId = null } = refund;
  const businessKey = `refund:${id}`;
  const toBalance = await giveToBalance(tx, refund, businessKey);
  const lines = strayAttemptId === null ? await readRefundableLines(tx, invoiceId, part) : [];
  const before = await lockBuilderGross(tx, lines);
  const plan = planRefund({ amountMicros: centsToMicros(amountCents), toBalance, lines, gross: before });
  await insertRefundedLines(tx, plan.lines, { refundId: id, refundedAtMs: appliedAtMs });
  await setBuilderGross(tx, plan.gross);
  await postLedger(tx, [{ businessKey, occurredAtMs: appliedAtMs, entries: plan.entries }]);
  if (strayAttemptId !== null) return; // it lowers no invoice
  await insertCreditNote(tx, { refundId: id, invoiceId, amountCents, issuedAtMs: appliedAtMs });
}

/** Gives the part back to the credits of the balance, which come before builders' gross in the order of locks. */
async function giveToBalance(tx: Transaction, refund: RefundToApply, businessKey: string) {
  if (refund.toBalance === undefined) return undefined;
  const { invoiceId, appliedAtMs: refundedAtMs } = refund;
  const { consumerId, cents } = refund.toBalance;
  await refundToBalance(tx, { businessKey, accountId: consumerId, invoiceId, cents, refundedAtMs });
  return { consumerId, balanceMicros: centsToMicros(cents) } satisfies BalancePart;
}
