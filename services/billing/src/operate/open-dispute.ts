import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import { noSuchInvoice } from '../invoicing/no-such-invoice.ts';
import { listChargesOf } from '../collection/sql-charges.ts';
import { hasInvoice } from '../invoicing/sql-invoices.ts';
import type { ProcessorDispute } from '../processor/processor.ts';
import type { DisputeOrder, SandboxBank } from '../processor/sandbox/sandbox-bank.ts';

export interface OpenDisputeDeps {
  readonly database: Database;
  readonly bank: SandboxBank;
}

type SubjectDispute = Omit<DisputeOrder, 'chargeObjectId'> & DisputedSubject;

/** Exactly one of them. */
interface DisputedSubject {
  readonly invoiceId?: string | undefined;
  readonly topUpId?: string | undefined;
}

/**
 * Opens a dispute of a paid invoice or of a top-up at the sandbox, as the consumer's bank would. Throws `not_found`,
 * `invoice_not_paid` or `refund_too_large`.
 */
export function createOpenDispute({ database, bank }: OpenDisputeDeps) {
  return async function openDispute({ invoiceId, topUpId, ...order }: SubjectDispute): Promise<ProcessorDispute> {
    if (invoiceId !== undefined && !(await hasInvoice(database, invoiceId))) throw noSuchInvoice(invoiceId);
    const charges = await listChargesOf(database, invoiceId ?? topUpId ?? '');
    const charge = charges.find(({ leftCents }) => leftCents >= order.amountCents) ?? charges.at(-1);
    if (charge === undefined) throw nothingCharged(topUpId);
    const dispute = await bank.dispute({ chargeObjectId: charge.objectId, ...order });
    if (dispute) return dispute;
    const errors = [
      { pointer: '/amount_usd', code: 'too_large', message: 'must be at most the amount that the charge has left' },
    ];
    throw new AppError('refund_too_large', 'The charge has less than that left.', { errors });
  };
}

function nothingCharged(topUpId: string | undefined): AppError {
  if (topUpId !== undefined) return new AppError('not_found', `There is no top-up \`${topUpId}\` that succeeded.`);
  return new AppError('invoice_not_paid', 'Nothing was collected for this invoice.');
}

export type OpenDispute = ReturnType<typeof createOpenDispute>;
