import { hourMs } from '@tollgate/kernel/durations';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Database, Transaction } from '@tollgate/database/database';
import { gatherInvoiceCharges } from '../balance/gather-charges.ts';
import { planLaying, splitLaid, sumByCredit } from '../balance/plan-laying.ts';
import { listGrants } from '../balance/sql-grants.ts';
import { listPaidByGrants, type PaidByGrants } from './sql-paid-by-grants.ts';
import { differingRows, type ReconcileScope, type ReconcileStep } from './reconciliation.ts';

/**
 * Lays the calls of a period's invoices once more on the grants that paid them, with no more money than each has paid. A grant
 * that pays less now has paid for calls that were not made while it was valid. Calls that were counted late have no hour any
 * more, so invoices with such calls are left out.
 */
export async function reconcileGrants(database: Database, scope: ReconcileScope): Promise<ReconcileStep> {
  const sums = { count: 0n, paidCents: 0n, laidCents: 0n, late: 0, rows: [] as string[] };
  for (const invoice of await database.transaction((tx) => listPaidByGrants(tx, scope))) {
    const laid = await database.transaction((tx) => layAgain(tx, invoice), { isolation: 'snapshot' });
    if (laid === undefined) {
      sums.late += 1;
      continue;
    }
    for (const [creditId, paidCents] of invoice.paid) {
      const laidCents = laid.get(creditId) ?? 0n;
      sums.count += 1n;
      sums.paidCents += paidCents;
      sums.laidCents += laidCents;
      if (laidCents !== paidCents) sums.rows.push(differenceOf(invoice, { creditId, paidCents, laidCents }));
    }
  }
  const { count, paidCents, laidCents, late, rows } = sums;
  return {
    name: 'grants_calls',
    unit: 'usd',
    left: { what: 'parts of invoices that grants have paid', count, sum: formatUsd(centsToMicros(paidCents)) },
    right: { what: 'calls of their time, laid on them again', count, sum: formatUsd(centsToMicros(laidCents)) },
    ...differingRows(rows),
    note: late === 0 ? null : `${late} invoices have calls that were counted late, without their hours.`,
  };
}

async function layAgain(tx: Transaction, invoice: PaidByGrants): Promise<ReadonlyMap<string, bigint> | undefined> {
  const { id, accountId, totalCents, paid } = invoice;
  const grants = await listGrants(tx, accountId, id);
  const pools = grants.map((grant) => ({ ...grant, cents: paid.get(grant.creditId) ?? 0n }));
  const charges = await gatherInvoiceCharges(tx, { id, accountId });
  if (charges.charges.some(({ startMs, endMs }) => endMs - startMs > hourMs)) return undefined;
  return sumByCredit(splitLaid(planLaying({ ...charges, pools }), totalCents).billed);
}

interface Difference {
  readonly creditId: string;
  readonly paidCents: bigint;
  readonly laidCents: bigint;
}

function differenceOf({ number }: PaidByGrants, { creditId, paidCents, laidCents }: Difference): string {
  return `credit ${creditId} paid ${paidCents} cents of invoice ${number}, its calls come to ${laidCents}`;
}
