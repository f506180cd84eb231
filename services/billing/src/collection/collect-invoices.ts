import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import type { Database, Transaction } from '@tollgate/database/database';
import { setBalancePart } from '../balance/set-balance-part.ts';
import { isLaid, waitsForEarlier } from '../balance/sql-laid-invoices.ts';
import type { Attempt } from '../processor/attempt.ts';
import { isCollectable } from './collectable.ts';
import { createIsHeld } from './is-held.ts';
import { hasUnsettledAttempt } from '../processor/sql-attempts.ts';
import { listInvoicesToCollect, setCollectAt, waitForConsumer, type DueInvoice } from './sql-collectable-invoices.ts';
import { lockInvoice, type LockedInvoice } from '../invoicing/sql-invoices.ts';
import { payFromBalance } from './pay-from-balance.ts';
import type { PaymentTerms } from './pay-invoice.ts';
import { isSuspended } from '../processor/sql-suspension.ts';
import { findChargeableCustomer } from '../processor/sql-customers.ts';
import type { Attempts } from '../processor/create-attempts.ts';

export interface CollectDeps {
  readonly database: Database;
  readonly attempts: Pick<Attempts, 'begin' | 'carryOut' | 'isProcessorAway'>;
  /** The processor whose customers are charged. */
  readonly processorName: string;
  readonly terms: PaymentTerms;
  readonly log: Logger;
  readonly batchMax?: number;
  /** How many orders are given at once; each waits for its own answer only. */
  readonly atOnce?: number | undefined;
  /** An invoice above this waits for the operator. */
  readonly maxCents: bigint;
}

/**
 * Collects the invoices whose time has come, one transaction per invoice: from the consumer's balance first, then from its
 * payment method. Returns how many orders it gave and how many invoices the balance paid.
 *
 * It may be stopped anywhere, started again, or run twice at once: an invoice with an unsettled attempt gets no second
 * one. The attempt's outcome is applied to the invoice by itself. An invoice that fails does not hold up the others.
 * While the processor is away, no order is given.
 */
export function createCollectInvoices(deps: CollectDeps) {
  const { database, attempts, processorName, terms, log, batchMax = 100, atOnce = 1, maxCents } = deps;

  const isHeld = createIsHeld({ maxCents, log });
  const walk = createWalk<DueInvoice>(batchMax);

  return async function collectInvoices(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    let orders = 0;
    let together: DueInvoice[] = [];
    for await (const invoice of walk(slice, (page) => listInvoicesToCollect(database, { nowMs, ...page }))) {
      if (attempts.isProcessorAway()) return orders;
      together.push(invoice);
      if (together.length < atOnce) continue;
      orders += await collectAll(together, nowMs);
      together = [];
    }
    return orders + (await collectAll(together, nowMs));
  };

  async function collectAll(invoices: readonly DueInvoice[], nowMs: number): Promise<number> {
    const areOrdered = await Promise.all(invoices.map(({ id }) => collect(id, nowMs)));
    return areOrdered.filter(Boolean).length;
  }

  async function collect(id: string, nowMs: number): Promise<boolean> {
    try {
      const begun = await begin(id, nowMs);
      if (begun !== undefined && begun !== 'paid') await attempts.carryOut(begun);
      return begun !== undefined;
    } catch (error) {
      log.error({ invoice: id, err: error }, 'could not collect an invoice; the next round tries again');
      return false;
    }
  }

  /**
   * Takes the balance and begins a charge of the rest, or of as much of it as one charge may have. It clears `collect_at`, so
   * that the invoice is not charged again before the outcome is known. Without a payment method the invoice waits until there
   * is one. `paid`: the balance paid all of it.
   */
  async function begin(id: string, nowMs: number): Promise<Attempt | 'paid' | undefined> {
    return database.transaction(async (tx) => {
      const invoice = await lockInvoice(tx, id);
      if (invoice === undefined || !isDue(invoice, nowMs)) return undefined; // another run has charged it
      if (await hasUnsettledAttempt(tx, 'charge', id)) return undefined;
      if (await waitsForEarlier(tx, id)) return undefined; // it stays due
      if (await isSuspended(tx, invoice.consumerId)) return layOnly(tx, invoice, nowMs); // it stays due
      await setCollectAt(tx, id, null);
      if (await isHeld(tx, invoice, nowMs)) return layOnly(tx, invoice, nowMs); // the confirmation makes it due again
      const amountCents = await payFromBalance(tx, invoice, { ...terms, nowMs });
      if (amountCents === 0n) return 'paid';
      const customer = await findChargeableCustomer(tx, { consumerId: invoice.consumerId, processor: processorName });
      if (customer === undefined) return waitForConsumer(tx, id, 'payment_method');
      const { processorCustomerId: partyId, paymentMethodId } = customer;
      return attempts.begin(tx, { kind: 'charge', subjectId: id, amountCents, partyId, paymentMethodId });
    });
  }

  /** Nothing is charged. What grants pay is taken all the same, for charges that come later find it gone. */
  async function layOnly(tx: Transaction, invoice: LockedInvoice, nowMs: number): Promise<undefined> {
    const cents = invoice.totalCents - invoice.partPaidCents;
    if (!(await isLaid(tx, invoice.id))) await setBalancePart(tx, invoice, { cents, nowMs, from: 'grants' });
    return undefined;
  }
}

function isDue({ status, collectAtMs }: LockedInvoice, nowMs: number): boolean {
  return isCollectable(status) && collectAtMs !== null && collectAtMs <= nowMs;
}
