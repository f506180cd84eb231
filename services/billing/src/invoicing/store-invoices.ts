import type { Transaction } from '@tollgate/database/database';
import { postLedger } from '../ledger/sql-ledger.ts';
import { closePosting } from './close-posting.ts';
import { issueInvoice } from './issue-invoice.ts';
import type { PlannedConsumers } from './invoice-batch.ts';
import type { Issuer } from './party.ts';
import { insertInvoices } from './sql-insert-invoices.ts';
import { insertInvoiceParties } from './sql-invoice-parties.ts';
import { readLastPeriods } from './sql-invoices.ts';
import { putBilledLateUsage } from './sql-late-usage.ts';
import { storeInParts } from './store-in-parts.ts';
import { deleteUnclosedConsumers } from './sql-unclosed-consumers.ts';

export interface Storing {
  readonly period: string;
  readonly nowMs: number;
  readonly issuer: Issuer;
}

/**
 * Stores the planned invoices with their lines, numbers and ledger postings, and remembers which late usage they bill.
 * Needs the lock of `lockClosing`. Returns how many invoices it stored: fewer than planned when another run was first.
 * Throws when a planned consumer has got an invoice of an earlier period since: the plan bills its lines again.
 */
export async function storeInvoices(
  tx: Transaction,
  { lastPeriods, plans, late, large }: PlannedConsumers,
  { period, nowMs, issuer }: Storing,
): Promise<number> {
  if (lastPeriods.size === 0) return 0;
  const nowLast = await readLastPeriods(tx, [...lastPeriods.keys()]);
  const isOurs = ({ consumerId }: { readonly consumerId: string }): boolean => nowLast.get(consumerId) !== period;
  const consumerIds = [...lastPeriods.keys()].filter((consumerId) => isOurs({ consumerId }));
  const outdated = consumerIds.find((consumerId) => nowLast.get(consumerId) !== lastPeriods.get(consumerId));
  if (outdated !== undefined) throw new Error(`consumer ${outdated} got another invoice while this one was planned`);

  const invoices = plans.filter(isOurs).map((plan) => issueInvoice(plan, nowMs));
  if (invoices.length > 0) {
    const ids = invoices.map(({ id }) => id);
    const postings = invoices.map(closePosting).filter((posting) => posting !== undefined);
    // None waits for the one before: on a pipelined connection, PostgreSQL runs one while the next is written.
    await Promise.all([insertInvoices(tx, invoices), insertInvoiceParties(tx, ids, issuer), postLedger(tx, postings)]);
  }
  const billedLate = late.filter(isOurs);
  if (billedLate.length > 0) await putBilledLateUsage(tx, billedLate);
  const inParts = large !== undefined && isOurs(large) ? await storeInParts(tx, large, { nowMs, issuer }) : 0;
  await deleteUnclosedConsumers(tx, consumerIds);
  return invoices.length + inParts;
}
