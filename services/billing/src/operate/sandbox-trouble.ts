import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import { noSuchInvoice } from '../invoicing/invoice.ts';
import { listChargesOf, findSubjectOfCharge, type ChargeSubject } from '../collection/sql-charges.ts';
import { hasInvoice } from '../invoicing/sql-invoices.ts';
import type { ProcessorDispute, Processor, OwnPayout } from '../processor/processor.ts';
import type { DisputeOrder, SandboxBank, DisputeDecision, OwnPayoutOrder } from '../processor/sandbox/sandbox-bank.ts';

type SubjectDispute = Omit<DisputeOrder, 'chargeObjectId'> & DisputedSubject;

/** Exactly one of them. */
interface DisputedSubject {
  readonly invoiceId?: string | undefined;
  readonly topUpId?: string | undefined;
}

function nothingCharged(topUpId: string | undefined): AppError {
  if (topUpId !== undefined) return new AppError('not_found', `There is no top-up \`${topUpId}\` that succeeded.`);
  return new AppError('invoice_not_paid', 'Nothing was collected for this invoice.');
}

export interface SandboxTroubleDeps {
  readonly database: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly bank: SandboxBank;
}

export interface DecidedDispute {
  readonly dispute: ProcessorDispute;
  readonly subject: ChargeSubject | undefined;
}

/** Creates what a tester does at the sandbox in place of banks and of the platform's owner. */
export function createSandboxTrouble({ database, processor, bank }: SandboxTroubleDeps) {
  return { openDispute, decideDispute, payOutToBank };

  /**
   * Opens a dispute of a paid invoice or of a top-up at the sandbox, as the consumer's bank would. Throws `not_found`,
   * `invoice_not_paid` or `refund_too_large`.
   */
  async function openDispute({ invoiceId, topUpId, ...order }: SubjectDispute): Promise<ProcessorDispute> {
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
  }

  /** Decides an open dispute at the sandbox, as the consumer's bank would. Throws `not_found` or `dispute_decided`. */
  async function decideDispute(disputeId: string, decision: DisputeDecision): Promise<DecidedDispute> {
    const dispute = await bank.decideDispute(disputeId, decision);
    if (!dispute) throw new AppError('dispute_decided', 'The bank has decided this dispute otherwise.');
    const charge = { processor: processor.name, objectId: dispute.chargeObjectId };
    return { dispute, subject: await findSubjectOfCharge(database, charge) };
  }

  /** Pays the platform's balance at the sandbox out to its bank, as its owner would at Stripe. Throws `balance_too_small`. */
  async function payOutToBank(order: OwnPayoutOrder): Promise<OwnPayout> {
    const payout = await bank.payOut(order);
    if (payout) return payout;
    const errors = [{ pointer: '/amount_usd', code: 'too_large', message: 'must be at most the balance' }];
    throw new AppError('balance_too_small', 'The balance at the processor is less than that.', { errors });
  }
}

export type SandboxTrouble = ReturnType<typeof createSandboxTrouble>;
