import type { Transaction } from '@tollgate/database/database';
import { grossKeyOf, type FeeScope } from '../fees/fee-scope.ts';
import { paidPosting } from './paid-posting.ts';
import { planRelease } from './plan-release.ts';
import { restorePosting } from './write-off-posting.ts';
import { lockBuilderGross, setBuilderGross } from '../fees/sql-builder-gross.ts';
import { type LockedInvoice, setInvoiceStatus } from '../invoicing/sql-invoices.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { insertReleasedLines, readReleaseGroup } from './sql-released-lines.ts';

export interface Payment {
  readonly scope: FeeScope;
  readonly paidAtMs: number;
}

/**
 * Marks a locked invoice as paid and releases its lines to the builders, less the fee. If the invoice was written off,
 * its lines are restored first.
 */
export async function payInvoice(tx: Transaction, invoice: LockedInvoice, { scope, paidAtMs }: Payment): Promise<void> {
  const { id, consumerId } = invoice;
  const lines = await readReleaseGroup(tx, invoice);
  const gross = await lockBuilderGross(
    tx,
    lines.map(({ builderId, period }) => ({ builderId, grossKey: grossKeyOf(scope, period) })),
  );
  const plan = planRelease({ scope, lines, gross });
  await setInvoiceStatus(tx, id, { status: 'paid', paidAtMs });
  await insertReleasedLines(tx, plan.lines, { invoiceId: id, releasedAtMs: paidAtMs });
  await setBuilderGross(tx, plan.gross);
  const restored = { invoiceId: id, consumerId, lines, occurredAtMs: paidAtMs };
  await postLedger(tx, [
    ...(invoice.status === 'uncollectible' ? [restorePosting(restored)] : []),
    paidPosting({ ...invoice, paidAtMs }, plan.lines),
  ]);
}
