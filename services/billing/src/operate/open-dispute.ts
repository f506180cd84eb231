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

/**
 * Opens a dispute of a paid invoice at the sandbox, as the consumer's bank would. Throws `not_found`,
 * `invoice_not_paid` or `refund_too_large`.
 */
export function createOpenDispute({ database, bank }: OpenDisputeDeps) {
  return async function openDispute({ invoiceId, ...order }: InvoiceDispute): Promise<ProcessorDispute> {
    if (!(await hasInvoice(database, invoiceId))) throw noSuchInvoice(invoiceId);
    const chargeObjectId = await findChargeOfInvoice(database, invoiceId);
    if (chargeObjectId === undefined) throw new AppError('invoice_not_paid', 'Nothing was collected for this invoice.');
    const dispute = await bank.dispute({ chargeObjectId, ...order });
    if (dispute) return dispute;
    const errors = [
      { pointer: '/amount_usd', code: 'too_large', message: 'must be at most the amount that the charge has left' },
    ];
    throw new AppError('refund_too_large', 'The charge of this invoice has less than that left.', { errors });
  };
}

export type OpenDispute = ReturnType<typeof createOpenDispute>;
