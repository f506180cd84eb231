import { dayMs } from '@tollgate/kernel/durations';
import { periodBounds } from '@tollgate/kernel/period';
import { uuidV8At } from '@tollgate/kernel/uuid';
import { micros } from '@tollgate/kernel/money';
import type { Invoice, StoredInvoiceStatus } from './invoice.ts';
import type { InvoicePlan } from './plan-invoice.ts';
import { movingEntries, type LedgerEntry, type LedgerPosting } from '../ledger/ledger-posting.ts';

const dueAfterMs = 14 * dayMs;

/** A new invoice without its number, which the database assigns without gaps. No new invoice has payments or refunds, or is held. */
export type IssuedInvoice = Omit<
  Invoice,
  'number' | 'refundedCents' | 'balancePaidCents' | 'balanceParts' | 'partPaidCents' | 'heldFor' | 'status'
> & {
  readonly status: StoredInvoiceStatus;
};

/** Issues a plan. An invoice that bills nothing is stored as paid, and shown as `carried`. */
export function issueInvoice(plan: InvoicePlan, issuedAtMs: number): IssuedInvoice {
  const isPaid = plan.totalCents === 0n;
  return {
    ...plan,
    id: invoiceIdOf(plan),
    status: isPaid ? 'paid' : 'open',
    issuedAtMs,
    dueAtMs: issuedAtMs + dueAfterMs,
    paidAtMs: isPaid ? issuedAtMs : null,
  };
}

/**
 * A consumer has one invoice of a period. Ids begin with the period, so a close writes to one place of each index,
 * however many months there are (ADR 197).
 */
export function invoiceIdOf({ consumerId, period }: Pick<InvoicePlan, 'consumerId' | 'period'>): string {
  return uuidV8At(periodBounds(period).start, 'invoice', consumerId, period);
}

/**
 * The posting for a new invoice: receivable to builder_earned, each line's full charge. Carried amounts are not posted
 * again, since earlier closes posted them. Undefined if nothing was charged.
 */
export function closePosting({
  id,
  consumerId,
  chargeMicros,
  lines,
  issuedAtMs,
}: IssuedInvoice): LedgerPosting | undefined {
  const debit: LedgerEntry = { kind: 'receivable', ownerId: consumerId, amountMicros: chargeMicros };
  const credits = lines.map((line): LedgerEntry => ({
    kind: 'builder_earned',
    ownerId: line.builderId,
    amountMicros: micros(0n - line.chargeMicros),
  }));
  const entries = movingEntries([debit, ...credits]);
  if (entries.length === 0) return undefined;
  return { businessKey: `close:${id}`, occurredAtMs: issuedAtMs, entries };
}
