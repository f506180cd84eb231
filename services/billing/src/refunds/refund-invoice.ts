import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { formatUsd } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Attempt } from '../processor/attempt.ts';
import { noSuchInvoice } from '../invoicing/invoice.ts';
import { applyRefund } from './apply-refund.ts';
import { chargeDisputed, createListDisputedCharges } from './return-stray-money.ts';
import { toDbPart, type Refund, type RefundPart, type RefundsDeps } from './refund.ts';
import { lockInvoice, type LockedInvoice } from '../invoicing/sql-invoices.ts';
import {
  findRefund,
  insertRefund,
  readRefundableLines,
  sumOrderCents,
  sumPendingRefundCents,
  sumRefundedCents,
} from './sql-refunds.ts';
import { readBalancePayment } from '../balance/sql-balance-moves.ts';
import { listChargesOf } from '../collection/sql-charges.ts';
import { planRefundCharges, type ChargeRefund } from './plan-refund-charges.ts';

export interface RefundOrdered {
  readonly invoiceId: string;
  /** All that is left, if not given. */
  readonly amountCents: bigint | undefined;
  /** The lines that give it back. All of the invoice's, if not given. */
  readonly part?: RefundPart | null;
  /** The same key again is the same refund. Without a key each call is another refund. */
  readonly idempotencyKey: string | undefined;
  readonly by: Actor;
}

type IdentifiedOrder = RefundOrdered & {
  readonly id: string;
  readonly nowMs: number;
  readonly disputed: readonly string[];
};

/**
 * Refunds a paid invoice, in whole or in part, on the operator's order. The card has its part back first, then the
 * consumer's balance (ADR 150). If several charges paid the invoice and none has enough left, there are several refunds, one of
 * each charge. Resolves with the first, which is `pending` while the processor's answer is unknown. Throws `not_found`,
 * `invoice_not_paid`, `charge_disputed`, `refund_line_unknown`, `refund_too_large`, or `idempotency_key_reused` for a known key with another amount or other lines.
 */
export function createRefundInvoice({ database, processor, clock, attempts }: RefundsDeps) {
  const listDisputedCharges = createListDisputedCharges({ database, processor });

  return async function refundInvoice(ordered: RefundOrdered): Promise<{ refund: Refund; isReplayed: boolean }> {
    const nowMs = clock.now();
    const { invoiceId, idempotencyKey: key } = ordered;
    const id = key === undefined ? uuidV7(nowMs) : uuidV8('refund', invoiceId, key);
    const request = { ...ordered, id, nowMs, disputed: await listDisputedCharges(invoiceId) };
    const { begun = [], isReplayed } = await database.transaction((tx) => order(tx, request));
    await attempts.carryOutAll(begun);
    const refund = await findRefund(database, id);
    if (!refund) throw new Error(`refund ${id} does not exist after it was ordered`);
    return { refund, isReplayed };
  };

  /** Stores the refunds and begins their attempts, unless this refund has been ordered before. */
  async function order(tx: Transaction, request: IdentifiedOrder): Promise<Ordered> {
    const invoice = await lockInvoice(tx, request.invoiceId);
    if (!invoice) throw noSuchInvoice(request.invoiceId);
    const known = await findRefund(tx, request.id);
    if (known) return requireSameOrder(known, await sumOrderCents(tx, known.id), request);
    const amountCents = await readAmount(tx, invoice, request);
    const parts = await readRefundParts(tx, invoice, { amountCents, disputed: request.disputed });
    const begun = await insertAndBegin(tx, { ...request, ...parts, amountCents, invoice });
    const { id, by, part = null } = request;
    const amount = { amount_usd: formatUsd(centsToMicros(amountCents)), refund_id: id };
    const detail = { ...amount, ...(part && { part: JSON.stringify(toDbPart(part)) }) };
    const object = { kind: 'invoice', id: invoice.id };
    await recordAct(tx, by, { action: 'invoice.refunded', accountId: invoice.consumerId, object, detail });
    return { begun, isReplayed: false };
  }

  /** A refund that goes to the balance as a whole needs no order to the processor, and has succeeded at once. */
  async function insertAndBegin(tx: Transaction, request: PlannedRefund): Promise<Attempt[]> {
    const { id, invoiceId, amountCents, balanceCents, charges, nowMs, part = null } = request;
    const refund = { id, invoiceId, amountCents, cause: 'operator', failureCode: null, createdAtMs: nowMs } as const;
    if (charges.length === 0) {
      await insertRefund(tx, { ...refund, status: 'succeeded', succeededAtMs: nowMs }, { part, balanceCents });
      const toBalance = { consumerId: request.invoice.consumerId, cents: balanceCents };
      await applyRefund(tx, { id, invoiceId, amountCents, toBalance, part, appliedAtMs: nowMs });
      return [];
    }
    const begun: Attempt[] = [];
    for (const [at, { chargeObjectId, cents }] of charges.entries()) {
      const toBalance = at === charges.length - 1 ? balanceCents : 0n; // the card has its money back first
      const of = at === 0 ? { id, orderId: null } : { id: uuidV8('refund', id, String(at)), orderId: id };
      const each = {
        ...refund,
        id: of.id,
        amountCents: cents + toBalance,
        status: 'pending',
        succeededAtMs: null,
      } as const;
      await insertRefund(tx, each, { part, balanceCents: toBalance, chargeObjectId, orderId: of.orderId });
      const order = { kind: 'refund', subjectId: of.id, amountCents: cents, partyId: chargeObjectId } as const;
      begun.push(await attempts.begin(tx, order));
    }
    return begun;
  }
}

interface PlannedRefund extends IdentifiedOrder, RefundParts {
  readonly invoice: LockedInvoice;
  readonly amountCents: bigint;
}

interface Ordered {
  readonly begun?: readonly Attempt[];
  readonly isReplayed: boolean;
}

/** The amount to refund: as ordered, or all that the invoice or its named lines have left. */
async function readAmount(tx: Transaction, invoice: LockedInvoice, ordered: RefundOrdered): Promise<bigint> {
  if (invoice.status !== 'paid' || invoice.totalCents === 0n) throw nothingPaid();
  const ofInvoice = invoice.totalCents - (await sumRefundedCents(tx, invoice.id)).cents;
  const { part = null, amountCents } = ordered;
  const leftCents = part === null ? ofInvoice : least(ofInvoice, await readLeftOfPart(tx, invoice.id, part));
  const amount = amountCents ?? leftCents;
  if (amount > 0n && amount <= leftCents) return amount;
  const left = formatUsd(centsToMicros(leftCents < 0n ? 0n : leftCents));
  const [of, has] = part === null ? ['this invoice', 'the invoice has'] : ['these lines', 'the named lines have'];
  const message = `must be at most ${left}, the amount that ${has} left`;
  throw amountTooLarge(left, message, of);
}

/** Whole cents that the lines of a part have left. Refunds on their way may take from any line, so they count as taken. */
async function readLeftOfPart(tx: Transaction, invoiceId: string, part: RefundPart): Promise<bigint> {
  const names = part.lines ?? [];
  const each = names.map((name) => readRefundableLines(tx, invoiceId, { ...part, lines: [name] }));
  const unknownAt = (await Promise.all(each)).findIndex((lines) => lines.length === 0);
  const lines = await readRefundableLines(tx, invoiceId, part);
  if (unknownAt >= 0 || lines.length === 0) throw unknownLine(unknownAt >= 0 ? `/lines/${unknownAt}` : '/builder_id');
  const leftMicros = lines.reduce((sum, line) => sum + line.leftMicros, 0n);
  return (leftMicros > 0n ? leftMicros / 10_000n : 0n) - (await sumPendingRefundCents(tx, invoiceId));
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function requireSameOrder(known: Refund, orderCents: bigint, { amountCents, part = null }: RefundOrdered): Ordered {
  const isSamePart = JSON.stringify(known.part && toDbPart(known.part)) === JSON.stringify(part && toDbPart(part));
  if (isSamePart && (amountCents === undefined || orderCents === amountCents)) return { isReplayed: true };
  const message = 'This Idempotency-Key has ordered a refund of another amount or of other lines.';
  throw new AppError('idempotency_key_reused', message);
}

interface RefundParts {
  /** Goes back to the consumer's balance. */
  readonly balanceCents: bigint;
  /** The charges that give the rest back. */
  readonly charges: readonly ChargeRefund[];
}

export interface WantedParts {
  /** At most what the invoice has left. */
  readonly amountCents: bigint;
  /** Charges that give nothing back now. */
  readonly disputed: readonly string[];
}

/**
 * Reads where an amount of a locked invoice goes back to. Its charges have their money back first, then the balance that paid
 * the rest (ADR 150). Throws `charge_disputed` if what is not disputed has less left.
 */
async function readRefundParts(tx: Transaction, invoice: LockedInvoice, wanted: WantedParts): Promise<RefundParts> {
  const { amountCents, disputed } = wanted;
  const refunded = await sumRefundedCents(tx, invoice.id);
  const paid = await readBalancePayment(tx, invoice.id);
  const balanceLeftCents = paid.cents - refunded.balanceCents;
  const cardLeftCents = invoice.totalCents - refunded.cents - balanceLeftCents;
  const charges = await listChargesOf(tx, invoice.id);
  const held = charges.filter(({ objectId }) => disputed.includes(objectId));
  const freeCents = atLeastZero(cardLeftCents - sumLeft(held));
  const cardCents = amountCents < freeCents ? amountCents : freeCents;
  const balanceCents = amountCents - cardCents;
  if (held.length > 0 && balanceCents > balanceLeftCents)
    throw chargeDisputed(freeCents + atLeastZero(balanceLeftCents));
  if (cardCents === 0n) return { balanceCents, charges: [] };
  const free = charges.filter((charge) => !held.includes(charge));
  return { balanceCents, charges: planCharges(cardCents, free) };
}

function planCharges(cents: bigint, charges: Awaited<ReturnType<typeof listChargesOf>>): readonly ChargeRefund[] {
  if (charges.length === 0) throw nothingPaid();
  const planned = planRefundCharges(cents, charges);
  if (planned) return planned;
  const left = formatUsd(centsToMicros(sumLeft(charges)));
  throw amountTooLarge(left, `must be at most ${left}, what the invoice's charges have left`);
}

function sumLeft(charges: readonly { readonly leftCents: bigint }[]): bigint {
  return charges.reduce((sum, { leftCents }) => sum + leftCents, 0n);
}

function atLeastZero(cents: bigint): bigint {
  return cents > 0n ? cents : 0n;
}

/** `left`: so many dollars can be refunded. */
function amountTooLarge(left: string, message: string, of = 'this invoice'): AppError {
  const errors = [{ pointer: '/amount_usd', code: 'too_large', message }];
  return new AppError('refund_too_large', `At most ${left} USD of ${of} can be refunded.`, { errors });
}

function nothingPaid(): AppError {
  const message = 'Nothing was collected for this invoice, so there is nothing to refund; an open one can be voided.';
  return new AppError('invoice_not_paid', message);
}

function unknownLine(pointer: string): AppError {
  const message = 'names no line that the payment of this invoice released';
  const errors = [{ pointer, code: 'unknown', message }];
  return new AppError('refund_line_unknown', `\`${pointer}\` ${message}.`, { errors });
}
