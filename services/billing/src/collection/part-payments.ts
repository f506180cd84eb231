import type { Transaction } from '@tollgate/database/database';
import type { LockedInvoice } from '../invoicing/sql-invoices.ts';
import type { ChargedMoney } from '../ledger/ledger-posting.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { partPaidPosting, partStrayPosting } from './charge-postings.ts';
import { findStrayCharge, type ChargeAt, addPartPaid, listWaitingParts, type WaitingPart } from './sql-charges.ts';
import { setCollectAt, waitForConsumer } from './sql-collectable-invoices.ts';

/**
 * Keeps the money of a charge that pays a part of a locked invoice, and makes the rest due at once: also for the round that
 * gave this charge, which looks for what was due when it began.
 */
export async function keepPart(tx: Transaction, invoice: LockedInvoice, part: ChargedMoney): Promise<void> {
  const { id, consumerId, issuedAtMs } = invoice;
  await postLedger(tx, [partPaidPosting({ ...part, consumerId })]);
  await addPartPaid(tx, id, part.cents);
  await setCollectAt(tx, id, issuedAtMs);
}

/** The parts of a locked invoice that is voided become stray money. */
export async function makePartsStray(tx: Transaction, { id }: Pick<LockedInvoice, 'id'>, nowMs: number): Promise<void> {
  await makeStray(tx, await listWaitingParts(tx, { invoiceId: id }), nowMs);
}

export interface ChargeOfInvoice extends ChargeAt {
  /** Locked. */
  readonly invoiceId: string;
  readonly nowMs: number;
}

/**
 * The attempt of a charge that gives money back, if it is a stray; null if it is none. Money of a part that goes back before
 * the invoice is paid makes the whole charge a stray. The invoice waits for its consumer then: the same card would give and
 * take once more.
 */
export async function findStrayToGiveBack(tx: Transaction, charge: ChargeOfInvoice): Promise<string | null> {
  const { invoiceId, objectId: chargeObjectId, nowMs } = charge;
  const [part] = await listWaitingParts(tx, { invoiceId, chargeObjectId });
  if (part !== undefined) {
    await makeStray(tx, [part], nowMs);
    await waitForConsumer(tx, invoiceId, 'payment_method');
  }
  return findStrayCharge(tx, charge);
}

/** Parts of one invoice. */
async function makeStray(tx: Transaction, parts: readonly WaitingPart[], occurredAtMs: number): Promise<void> {
  const [first] = parts;
  if (first === undefined) return;
  await postLedger(
    tx,
    parts.map((part) => partStrayPosting({ ...part, occurredAtMs })),
  );
  const cents = parts.reduce((sum, part) => sum + part.cents, 0n);
  await addPartPaid(tx, first.invoiceId, -cents);
}
