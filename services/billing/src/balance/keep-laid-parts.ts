import type { Transaction } from '@tollgate/database/database';
import type { LaidRun } from './plan-laying.ts';
import type { CreditPart } from './plan-spending.ts';
import { replaceLaidParts } from './sql-laid-invoices.ts';

/** Stores which grants pay which parts of an invoice: of what was laid, the first cents that each of them has paid. */
export async function keepLaidParts(
  tx: Transaction,
  invoiceId: string,
  { laid, paid }: { readonly laid: readonly LaidRun[]; readonly paid: readonly CreditPart[] },
): Promise<void> {
  await replaceLaidParts(tx, invoiceId, paidOf(laid, paid));
}

function paidOf(laid: readonly LaidRun[], paid: readonly CreditPart[]): LaidRun[] {
  const left = new Map(paid.map(({ creditId, cents }) => [creditId, cents]));
  return laid.flatMap((run) => {
    const most = run.creditId === null ? 0n : (left.get(run.creditId) ?? 0n);
    const cents = run.cents < most ? run.cents : most;
    if (cents === 0n || run.creditId === null) return [];
    left.set(run.creditId, most - cents);
    return [{ ...run, cents }];
  });
}
