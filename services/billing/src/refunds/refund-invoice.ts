import type { Actor } from '@tollgate/runtime/audit/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { formatUsd } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Attempt } from '../processor/attempt.ts';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { noSuchInvoice } from '../invoicing/no-such-invoice.ts';
import type { Refund } from './refund.ts';
import { findChargeOfInvoice } from '../collection/sql-charges.ts';
import { lockInvoice, type LockedInvoice } from '../invoicing/sql-invoices.ts';
import { findRefund, insertRefund, sumRefundedCents } from './sql-refunds.ts';
import type { Attempts } from '../processor/create-attempts.ts';

export interface RefundInvoiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly attempts: Pick<Attempts, 'begin' | 'carryOut'>;
}

export interface RefundOrdered {
  readonly invoiceId: string;
  readonly amountCents: bigint;
  /** The same key again is the same refund. Without a key each call is another refund. */
  readonly idempotencyKey: string | undefined;
  readonly by: Actor;
}

/**
 * Refunds a paid invoice, in whole or in part, on the operator's order. Resolves with the refund, which is `pending`
 * while the processor's answer is unknown. Throws `not_found`, `invoice_not_paid`, `refund_too_large`, or
 * `idempotency_key_reused` for a known key with another amount.
 */
export function createRefundInvoice({ database, clock, attempts }: RefundInvoiceDeps) {
  return async function refundInvoice(ordered: RefundOrdered): Promise<{ refund: Refund; isReplayed: boolean }> {
    const nowMs = clock.now();
    const { invoiceId, idempotencyKey: key } = ordered;
    const id = key === undefined ? uuidV7(nowMs) : uuidV8('refund', invoiceId, key);
    const attempt = await database.transaction((tx) => order(tx, { ...ordered, id, nowMs }));
    if (attempt) await attempts.carryOut(attempt);
    const refund = await findRefund(database, id);
    if (!refund) throw new Error(`refund ${id} does not exist after it was ordered`);
    return { refund, isReplayed: attempt === undefined };
  };

  /** Stores the refund and begins its attempt. Undefined if this refund has been ordered before. */
  async function order(tx: Transaction, request: RefundOrdered & { id: string; nowMs: number }) {
    const invoice = await lockInvoice(tx, request.invoiceId);
    if (!invoice) throw noSuchInvoice(request.invoiceId);
    const known = await findRefund(tx, request.id);
    if (known) return requireSameAmount(known, request);
    await requireRefundable(tx, invoice, request.amountCents);
    const attempt = await insertAndBegin(tx, request);
    const { id, amountCents, by } = request;
    const detail = { amount_usd: formatUsd(centsToMicros(amountCents)), refund_id: id };
    const object = { kind: 'invoice', id: invoice.id };
    await recordAct(tx, by, { action: 'invoice.refunded', accountId: invoice.consumerId, object, detail });
    return attempt;
  }

  async function insertAndBegin(tx: Transaction, request: RefundOrdered & { id: string; nowMs: number }) {
    const { id, invoiceId, amountCents, nowMs } = request;
    const charge = await findChargeOfInvoice(tx, invoiceId);
    if (charge === undefined) throw notPaid();
    const state = { cause: 'operator', status: 'pending', failureCode: null, succeededAtMs: null } as const;
    await insertRefund(tx, { id, invoiceId, amountCents, createdAtMs: nowMs, ...state });
    return attempts.begin(tx, { kind: 'refund', subjectId: id, amountCents, partyId: charge });
  }
}

export type RefundInvoice = ReturnType<typeof createRefundInvoice>;

async function requireRefundable(tx: Transaction, invoice: LockedInvoice, amountCents: bigint): Promise<void> {
  if (invoice.status !== 'paid' || invoice.totalCents === 0n) throw notPaid();
  const leftCents = invoice.totalCents - (await sumRefundedCents(tx, invoice.id));
  if (amountCents <= leftCents) return;
  const left = formatUsd(centsToMicros(leftCents < 0n ? 0n : leftCents));
  const message = `must be at most ${left}, the amount that the invoice has left`;
  const errors = [{ pointer: '/amount_usd', code: 'too_large', message }];
  throw new AppError('refund_too_large', `At most ${left} USD of this invoice can be refunded.`, { errors });
}

function requireSameAmount(known: Refund, { amountCents }: RefundOrdered): Attempt | undefined {
  if (known.amountCents === amountCents) return undefined;
  const message = 'This Idempotency-Key has ordered a refund of another amount.';
  throw new AppError('idempotency_key_reused', message);
}

function notPaid(): AppError {
  const message = 'Nothing was collected for this invoice, so there is nothing to refund; an open one can be voided.';
  return new AppError('invoice_not_paid', message);
}
