import type { Transaction } from '@tollgate/database/database';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { toIso } from '@tollgate/kernel/clock';
import { refundToBalance } from '../balance/set-balance-part.ts';
import { planRefund, type BalancePart } from './plan-refund.ts';
import type { RefundPart } from './refund.ts';
import { lockBuilderGross, setBuilderGross } from '../fees/sql-builder-gross.ts';
import { postLedger, hasPosting } from '../ledger/sql-ledger.ts';
import { insertCreditNote } from './sql-credit-notes.ts';
import {
  insertRefundedLines,
  readRefundableLines,
  findRefund,
  insertRefund,
  readRefundedLines,
} from './sql-refunds.ts';
import { planReinstatement } from './plan-reinstatement.ts';
import { moveCents } from '../ledger/ledger-posting.ts';

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

export interface ReturnedRefund {
  readonly refundId: string;
  readonly attemptNumber: number;
  readonly amountCents: bigint;
  readonly returnedAtMs: number;
}

/**
 * Books that the bank returned the money of a refund, which is rare. It belongs to no builder, so it waits in
 * `rounding` until the operator has found its owner. The refund must be locked. Safe to repeat.
 */
export async function keepReturnedRefund(tx: Transaction, log: Logger, returned: ReturnedRefund): Promise<void> {
  const { refundId, attemptNumber, amountCents: cents, returnedAtMs: occurredAtMs } = returned;
  const businessKey = `returned-refund:${refundId}:${attemptNumber}`;
  if (await hasPosting(tx, businessKey)) return;
  log.error({ refund: refundId }, 'the bank returned a refund; its money is booked to `rounding`');
  const accounts = { debit: { kind: 'cash' }, credit: { kind: 'rounding' } } as const;
  await postLedger(tx, [moveCents({ businessKey, occurredAtMs, cents, ...accounts })]);
}

export interface RefundFee {
  /** The attempt of an ordered refund, or the refund that was made at the processor. */
  readonly movementId: string;
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

/** Posts the processor's fee on a refund, if it has one: the platform bears it. A second posting is refused. */
export async function postRefundFee(tx: Transaction, { movementId, cents, occurredAtMs }: RefundFee): Promise<void> {
  if (cents === 0n) return;
  const accounts = { debit: { kind: 'processor_fees' }, credit: { kind: 'cash' } } as const;
  await postLedger(tx, [moveCents({ businessKey: `refund-fee:${movementId}`, occurredAtMs, cents, ...accounts })]);
}

const insertText = `insert into billing.foreign_refund_fee (refund_id, fee_cents, posted_at) values ($1, $2, $3)`;

/** Stores and posts the fee of a refund that somebody made at the processor. */
export async function bookForeignFee(tx: Transaction, fee: RefundFee): Promise<void> {
  const { movementId, cents, occurredAtMs } = fee;
  if (cents !== 0n) await tx.query(insertText, [movementId, String(cents), toIso(occurredAtMs)]);
  await postRefundFee(tx, fee);
}
