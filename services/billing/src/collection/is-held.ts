import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { LockedInvoice } from '../invoicing/sql-invoices.ts';
import { holdInvoice, readHold } from './sql-held-invoices.ts';

export interface HoldDeps {
  /** An invoice above this waits for the operator. */
  readonly maxCents: bigint;
  readonly log: Logger;
}

/** Holds an invoice that is above the bound, unless the operator has confirmed it. Says whether it is held. */
export function createIsHeld({ maxCents, log }: HoldDeps) {
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
