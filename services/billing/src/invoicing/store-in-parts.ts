import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { postLedger } from '../ledger/sql-ledger.ts';
import { closePosting } from './close-posting.ts';
import { findSpans } from './gather-invoice-facts.ts';
import { invoiceIdOf, issueInvoice } from './issue-invoice.ts';
import { createLineSums } from './line-sums.ts';
import { outstandingInParts } from './outstanding-in-parts.ts';
import type { Issuer } from './party.ts';
import { planInvoice } from './plan-invoice.ts';
import { insertDraftedLines, moveDraftedLines } from './sql-drafted-lines.ts';
import { insertInvoices } from './sql-insert-invoices.ts';
import { insertInvoiceParties } from './sql-invoice-parties.ts';
import { putBilledLateUsage } from './sql-late-usage.ts';
import { readLastInvoice } from './sql-read-billed.ts';

/** A consumer with more lines than are held in memory together. */
export interface LargeConsumer {
  readonly consumerId: string;
  readonly period: string;
  readonly lastClosed: string | null;
  readonly minimumMicros: Micros;
}

/**
 * Makes and stores the invoice of a large consumer in one transaction: the lines are rated in parts, and each part goes to
 * the database at once. Only sums by builder stay here. Needs the lock of `lockClosing`, so no invoice is stored meanwhile.
 * Returns how many invoices it stored.
 */
export async function storeInParts(
  tx: Transaction,
  large: LargeConsumer,
  { nowMs, issuer }: { readonly nowMs: number; readonly issuer: Issuer },
): Promise<number> {
  const { consumerId, period, minimumMicros } = large;
  const { spans, late } = await findSpans(tx, { ...large, consumerIds: [consumerId] });
  const last = await readLastInvoice(tx, consumerId);
  const id = invoiceIdOf({ consumerId, period });
  const byBuilder = createLineSums(({ builderId }) => builderId);
  for await (const lines of outstandingInParts(tx, spans)) {
    await insertDraftedLines(tx, { id, period, lines, afterPlace: byBuilder.lineCount() });
    byBuilder.add(lines);
  }
  await putBilledLateUsage(tx, late.get(consumerId) ?? []);
  if (byBuilder.lineCount() === 0) return 0;

  const carriedInMicros = last?.carriedOutMicros ?? zeroMicros;
  const facts = { consumerId, period, minimumMicros, carriedInMicros, rated: byBuilder.sums(), billed: [] };
  const invoice = issueInvoice(planInvoice(facts), nowMs);
  await insertInvoices(tx, [{ ...invoice, lines: [] }]);
  await moveDraftedLines(tx, id);
  await insertInvoiceParties(tx, [id], issuer);
  const posting = closePosting(invoice);
  if (posting !== undefined) await postLedger(tx, [posting]);
  return 1;
}
