import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import type { Transaction } from '@tollgate/database/database';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Clock } from '@tollgate/kernel/clock';
import { setBalancePart } from '../balance/set-balance-part.ts';
import { isLaid, waitsForEarlier } from '../balance/sql-laid-invoices.ts';
import type { Attempt } from '../processor/attempt.ts';
import {
  isCollectable,
  collectableStatuses,
  listInvoicesToCollect,
  setCollectAt,
  waitForConsumer,
  type DueInvoice,
  holdInvoice,
  readHold,
  countHeldInvoices,
  collectAllAt,
} from './sql-collectable-invoices.ts';
import { hasUnsettledAttempt } from '../processor/sql-attempts.ts';
import { lockInvoice, type LockedInvoice } from '../invoicing/sql-invoices.ts';
import { payFromBalance, type CollectionDeps } from './pay-invoice.ts';
import { isSuspended, findChargeableCustomer } from '../processor/sql-customers.ts';

/**
 * Collects the invoices whose time has come, one transaction per invoice: from the consumer's balance first, then from its
 * payment method. Returns how many orders it gave and how many invoices the balance paid.
 *
 * It may be stopped anywhere, started again, or run twice at once: an invoice with an unsettled attempt gets no second
 * one. The attempt's outcome is applied to the invoice by itself. An invoice that fails does not hold up the others.
 * While the processor is away, no order is given.
 */
export function createCollectInvoices(deps: CollectionDeps) {
  const { database, attempts, processorName, terms, log, batchMax = 100, atOnce = 1 } = deps;

  const isHeld = createIsHeld(deps);
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

/** Holds an invoice that is above the bound, unless the operator has confirmed it. Says whether it is held. */
function createIsHeld({ maxCents, log }: CollectionDeps) {
  return async function isHeld(tx: Transaction, { id, totalCents }: LockedInvoice, nowMs: number): Promise<boolean> {
    if (totalCents <= maxCents) return false;
    if ((await readHold(tx, id)) === 'confirmed') return false;
    if (await holdInvoice(tx, { invoiceId: id, limitCents: maxCents, heldAtMs: nowMs })) {
      const [totalUsd, maxUsd] = [totalCents, maxCents].map((cents) => formatUsd(centsToMicros(cents)));
      log.warn(
        { invoice: id, total_usd: totalUsd, max_usd: maxUsd },
        'an invoice is above the bound of one collection; it waits for the operator',
      );
    }
    return true;
  };
}

/** Measures the invoices that wait for the operator. It runs after the collection and is never work by itself. */
export function createObserveHeldInvoices({ database, metrics }: CollectionDeps) {
  const held = metrics?.gauge(
    'tollgate_billing_held_invoices',
    'Unpaid invoices above INVOICE_COLLECT_MAX_USD that wait for the confirmation of the operator.',
  );
  return async function observeHeldInvoices(): Promise<number> {
    held?.set(await countHeldInvoices(database, collectableStatuses));
    return 0;
  };
}

/** Makes everything that a consumer owes due at once, when it has a new payment method. */
export function createCollectAtOnce({ clock }: { readonly clock: Clock }) {
  return async function collectAtOnce(tx: Transaction, consumerId: string): Promise<void> {
    await collectAllAt(tx, consumerId, clock.now());
  };
}
