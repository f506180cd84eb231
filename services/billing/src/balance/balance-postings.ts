import { micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { type LedgerPosting, moveCents, movingEntries } from '../ledger/ledger-posting.ts';
import type { TopUpRefund } from './credit.ts';

interface BalanceMoved {
  readonly accountId: string;
  /** Whole cents, above zero. */
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

interface CreditMoved extends BalanceMoved {
  readonly creditId: string;
}

interface PaymentMoved extends BalanceMoved {
  readonly invoiceId: string;
  /** 1 for the first posting of its kind for the invoice, and so on. */
  readonly place: number;
}

/** A granted credit: promotions → consumer_balance. The platform pays it. */
export function grantPosting({ creditId, accountId, ...moved }: CreditMoved): LedgerPosting {
  const credit = { kind: 'consumer_balance', ownerId: accountId } as const;
  return moveCents({ ...moved, businessKey: `credit:${creditId}`, debit: { kind: 'promotions' }, credit });
}

/** The mirror, when a credit expires. A refund may bring money back to a credit, which then expires once more. */
export function expiryPosting({ creditId, accountId, place, ...moved }: CreditMoved & { place: number }) {
  const debit = { kind: 'consumer_balance', ownerId: accountId } as const;
  const businessKey = `credit-expired:${creditId}:${place}`;
  return moveCents({ ...moved, businessKey, debit, credit: { kind: 'promotions' } }) satisfies LedgerPosting;
}

/** A top-up whose charge succeeded: cash → consumer_balance. */
export function topUpPosting({ topUpId, accountId, ...moved }: BalanceMoved & { topUpId: string }): LedgerPosting {
  const credit = { kind: 'consumer_balance', ownerId: accountId } as const;
  return moveCents({ ...moved, businessKey: `top-up:${topUpId}`, debit: { kind: 'cash' }, credit });
}

/** Money of a top-up that went back to its card: consumer_balance → cash. What the balance does not give, rounding does. */
export function topUpRefundPosting(refund: Omit<TopUpRefund, 'cause' | 'topUpId'>): LedgerPosting {
  const { id, accountId, amountCents, balanceCents, createdAtMs: occurredAtMs } = refund;
  const entries = movingEntries([
    { kind: 'consumer_balance', ownerId: accountId, amountMicros: centsToMicros(balanceCents) },
    { kind: 'rounding', ownerId: null, amountMicros: centsToMicros(amountCents - balanceCents) },
    { kind: 'cash', ownerId: null, amountMicros: micros(0n - centsToMicros(amountCents)) },
  ]);
  return { businessKey: `top-up-refund:${id}`, occurredAtMs, entries };
}

interface PartMoved extends BalanceMoved {
  /** The part of a refund of the balance. */
  readonly partId: string;
}

/** Money that an account wants back leaves its balance before it is ordered: consumer_balance → refund_in_transit. */
export function refundHeldPosting({ partId, accountId: ownerId, ...moved }: PartMoved): LedgerPosting {
  const accounts = {
    debit: { kind: 'consumer_balance', ownerId },
    credit: { kind: 'refund_in_transit', ownerId },
  } as const;
  return moveCents({ ...moved, businessKey: `top-up-refund-held:${partId}`, ...accounts });
}

/** The mirror, when the outcome is known. If the money is gone, the refund of the top-up takes it off the balance. */
export function refundFreedPosting({ partId, accountId: ownerId, ...moved }: PartMoved): LedgerPosting {
  const accounts = {
    debit: { kind: 'refund_in_transit', ownerId },
    credit: { kind: 'consumer_balance', ownerId },
  } as const;
  return moveCents({ ...moved, businessKey: `top-up-refund-freed:${partId}`, ...accounts });
}

/** The balance pays an invoice, or a part of it: consumer_balance → receivable. */
export function balancePaidPosting({ invoiceId, accountId, place, ...moved }: PaymentMoved): LedgerPosting {
  const [debit, credit] = accountsOf(accountId);
  return moveCents({ ...moved, businessKey: `balance-paid:${invoiceId}:${place}`, debit, credit });
}

/** The mirror, for a payment that the invoice no longer needs. */
export function balanceReturnedPosting({ invoiceId, accountId, place, ...moved }: PaymentMoved): LedgerPosting {
  const [credit, debit] = accountsOf(accountId);
  return moveCents({ ...moved, businessKey: `balance-returned:${invoiceId}:${place}`, debit, credit });
}

function accountsOf(ownerId: string) {
  return [
    { kind: 'consumer_balance', ownerId },
    { kind: 'receivable', ownerId },
  ] as const;
}
