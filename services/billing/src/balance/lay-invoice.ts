import type { Transaction } from '@tollgate/database/database';
import { gatherInvoiceCharges } from './gather-charges.ts';
import { planLaying, splitLaid, sumByCredit, type LaidRun } from './plan-laying.ts';
import type { CreditPart } from './plan-spending.ts';
import { listGrants, type Grant } from './sql-grants.ts';

/** An invoice that is locked. */
export interface PayableInvoice {
  readonly id: string;
  readonly consumerId: string;
  readonly totalCents: bigint;
}

export interface Laying {
  /** The parts that grants pay beyond what they have paid. */
  readonly parts: readonly CreditPart[];
  /** The payer of each part that the invoice bills. */
  readonly billed: readonly LaidRun[];
  /** The cent that it began and carries out. */
  readonly carried: LaidRun | undefined;
}

/**
 * Lays the charges of a locked invoice on the grants that were valid when its calls were made. Money that a grant has paid
 * stays where it is. Undefined: nothing has changed. The credits of its consumer must be locked.
 */
export async function layInvoice(tx: Transaction, invoice: PayableInvoice): Promise<Laying | undefined> {
  const { id, consumerId: accountId, totalCents } = invoice;
  const grants = await listGrants(tx, accountId, id);
  if (grants.every(({ cents }) => cents === 0n)) return undefined;
  const charges = await gatherInvoiceCharges(tx, { id, accountId });
  const paying = grants.map((grant) => ({ ...grant, cents: grant.takenCents }));
  const { billed, carried } = splitLaid(planLaying({ ...charges, pools: [...paying, ...grants] }), totalCents);
  const parts = morePaid(grants, sumByCredit(billed));
  return parts && { parts, billed, carried: carried[0] };
}

/** Undefined if a grant would pay less than it has paid: calls were counted since, and a part stays where it is. */
function morePaid(grants: readonly Grant[], laid: ReadonlyMap<string, bigint>): CreditPart[] | undefined {
  const parts = grants.map(({ creditId, takenCents }) => ({
    creditId,
    cents: (laid.get(creditId) ?? 0n) - takenCents,
  }));
  return parts.some(({ cents }) => cents < 0n) ? undefined : parts;
}
