import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import { findSubjectOfCharge, type ChargeSubject } from '../collection/sql-charges.ts';
import type { Processor, ProcessorDispute } from '../processor/processor.ts';
import type { DisputeDecision, SandboxBank } from '../processor/sandbox/sandbox-bank.ts';

export interface DecideDisputeDeps {
  readonly database: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly bank: SandboxBank;
}

export interface DecidedDispute {
  readonly dispute: ProcessorDispute;
  readonly subject: ChargeSubject | undefined;
}

/** Decides an open dispute at the sandbox, as the consumer's bank would. Throws `not_found` or `dispute_decided`. */
export function createDecideDispute({ database, processor, bank }: DecideDisputeDeps) {
  return async function decideDispute(disputeId: string, decision: DisputeDecision): Promise<DecidedDispute> {
    const dispute = await bank.decideDispute(disputeId, decision);
    if (!dispute) throw new AppError('dispute_decided', 'The bank has decided this dispute otherwise.');
    const charge = { processor: processor.name, objectId: dispute.chargeObjectId };
    return { dispute, subject: await findSubjectOfCharge(database, charge) };
  };
}

export type DecideDispute = ReturnType<typeof createDecideDispute>;
