import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/database/database';
import type { Attempt } from '../processor/attempt.ts';
import { isCollectable } from './collectable.ts';
import { hasUnsettledAttempt } from '../processor/sql-attempts.ts';
import { listInvoicesToCollect, setCollectAt, type DueInvoice } from './sql-collectable-invoices.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { findChargeableCustomer } from '../processor/sql-customers.ts';
import type { Attempts } from '../processor/create-attempts.ts';

export interface CollectDeps {
  readonly database: Database;
  readonly attempts: Pick<Attempts, 'begin' | 'carryOut' | 'isProcessorAway'>;
  /** Whose customers are charged. */
  readonly processorName: string;
  readonly log: Logger;
  readonly batchMax?: number;
  /** A processor that is far away is asked for several at a time; each waits for its own answer alone. */
  readonly atOnce?: number | undefined;
}

/**
 * Charges what is due to be collected, one transaction an invoice. It may be stopped anywhere and started anew, or run twice
 * at once: an order that was begun is never begun again, and what became of it comes back to the invoice by itself. One that
 * fails holds up no other; while the processor is away nothing is ordered. Answers how many orders were given.
 */
export function createCollectInvoices(deps: CollectDeps) {
  const { database, attempts, processorName, log, batchMax = 100, atOnce = 1 } = deps;

  return async function collectInvoices(nowMs: number): Promise<number> {
    let given = 0;
    let after: DueInvoice | undefined;
    for (;;) {
      const due = await listInvoicesToCollect(database, { nowMs, after, limit: batchMax });
      for (let from = 0; from < due.length; from += atOnce) {
        if (attempts.isProcessorAway()) return given;
        given += await collectAll(due.slice(from, from + atOnce), nowMs);
      }
      if (due.length < batchMax) return given;
      after = due.at(-1);
    }
  };

  async function collectAll(due: readonly DueInvoice[], nowMs: number): Promise<number> {
    const given = await Promise.all(due.map(({ id }) => collect(id, nowMs)));
    return given.filter(Boolean).length;
  }

  async function collect(id: string, nowMs: number): Promise<boolean> {
    try {
      const attempt = await beginCharge(id, nowMs);
      if (attempt) await attempts.carryOut(attempt);
      return attempt !== undefined;
    } catch (error) {
      log.error({ invoice: id, err: error }, 'could not collect an invoice; the next round will try');
      return false;
    }
  }

  /** Until its outcome is known nothing else is tried; without a payment method, nothing until there is one. */
  async function beginCharge(id: string, nowMs: number): Promise<Attempt | undefined> {
    return database.transaction(async (tx) => {
      const invoice = await lockInvoice(tx, id);
      if (invoice === undefined || !isCollectable(invoice.status)) return undefined;
      if (invoice.collectAtMs === null || invoice.collectAtMs > nowMs) return undefined; // another was here first
      if (await hasUnsettledAttempt(tx, 'charge', id)) return undefined;
      await setCollectAt(tx, id, null);
      const customer = await findChargeableCustomer(tx, { consumerId: invoice.consumerId, processor: processorName });
      if (customer === undefined) return undefined;
      const { processorCustomerId: partyId, paymentMethodId } = customer;
      const amountCents = invoice.totalCents;
      return attempts.begin(tx, { kind: 'charge', subjectId: id, amountCents, partyId, paymentMethodId });
    });
  }
}
