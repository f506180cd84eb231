import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import { readBalancePayment } from '../balance/sql-balance-moves.ts';
import { listChargesOf } from '../collection/sql-charges.ts';
import type { LockedInvoice } from '../invoicing/sql-invoices.ts';
import { chargeDisputed } from './disputed-charges.ts';
import { planRefundCharges, type ChargeRefund } from './plan-refund-charges.ts';
import { amountTooLarge, nothingPaid } from './refund-refused.ts';
import { sumRefundedCents } from './sql-refunds.ts';

export interface RefundParts {
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
export async function readRefundParts(
  tx: Transaction,
  invoice: LockedInvoice,
  wanted: WantedParts,
): Promise<RefundParts> {
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
