import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import { noSuchInvoice } from '../invoicing/no-such-invoice.ts';
import { findChargeOfInvoice } from '../collection/sql-charges.ts';
import { hasInvoice } from '../invoicing/sql-invoices.ts';
import type { ProcessorDispute } from '../processor/processor.ts';
import type { DisputeOrder, SandboxBank } from '../processor/sandbox/sandbox-bank.ts';

export interface OpenDisputeDeps {
  readonly database: Database;
  readonly bank: SandboxBank;
}

type InvoiceDispute = Omit<DisputeOrder, 'chargeObjectId'> & { readonly invoiceId: string };

/** Lets the consumer's bank want money of a paid invoice back, to see what becomes of it. */
export function createOpenDispute({ database, bank }: OpenDisputeDeps) {
  return async function openDispute({ invoiceId, ...wanted }: InvoiceDispute): Promise<ProcessorDispute> {
    if (!(await hasInvoice(database, invoiceId))) throw noSuchInvoice(invoiceId);
    const chargeObjectId = await findChargeOfInvoice(database, invoiceId);
    if (chargeObjectId === undefined) throw new AppError('invoice_not_paid', 'Nothing was collected for this invoice.');
    const dispute = await bank.dispute({ chargeObjectId, ...wanted });
    if (dispute) return dispute;
    const errors = [{ pointer: '/amount_usd', code: 'too_large', message: 'must be at most what the charge has left' }];
    throw new AppError('refund_too_large', 'The charge of this invoice has less left.', { errors });
  };
}

export type OpenDispute = ReturnType<typeof createOpenDispute>;
