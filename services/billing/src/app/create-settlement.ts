import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/runtime/postgres/database';
import type { AttemptKind } from '../domain/attempts/attempt.ts';
import type { FeeScope } from '../domain/fee-scope.ts';
import { createApplyRefundOutcome } from './apply-refund-outcome.ts';
import { createAgeInvoices } from './age-invoices.ts';
import { createApplyChargeOutcome } from './apply-charge-outcome.ts';
import { createCollectInvoices } from './collect-invoices.ts';
import { createAttempts } from './create-attempts.ts';
import { createFindCharges, type FindCharges } from './find-charges.ts';
import { createFindRefunds, type FindRefunds } from './find-refunds.ts';
import { createFollowDispute } from './follow-dispute.ts';
import type { Processor } from './processor.ts';
import { createRefundInvoice, type RefundInvoice } from './refund-invoice.ts';
import type { DueStep } from './run-due-work.ts';
import type { ApplyOutcome } from './settle-attempt.ts';
import { createVoidInvoice, type VoidInvoice } from './void-invoice.ts';

export interface SettlementDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processor: Processor;
  readonly scope: FeeScope;
}

/** All that moves money: from consumers, back to them, on to builders. */
export interface Settlement {
  /** What becomes due by itself, in the order in which it is done. */
  readonly steps: readonly DueStep[];
  /** What to do when the processor tells of one of its objects. */
  readonly refresh: Readonly<Record<AttemptKind | 'dispute', (objectId: string) => Promise<void>>>;
  readonly useCases: {
    readonly voidInvoice: VoidInvoice;
    readonly findCharges: FindCharges;
    readonly refundInvoice: RefundInvoice;
    readonly findRefunds: FindRefunds;
  };
}

export function createSettlement({ database, clock, log, processor, scope }: SettlementDeps): Settlement {
  const applyOutcome = {
    charge: createApplyChargeOutcome({ scope, log }),
    refund: createApplyRefundOutcome({ log }),
    transfer: notYet,
  };
  const attempts = createAttempts({ database, clock, log, processor, applyOutcome });
  return {
    steps: [
      createAgeInvoices({ database, log }),
      createCollectInvoices({ database, attempts, processorName: processor.name, log }),
      attempts.resolve,
    ],
    refresh: {
      charge: (objectId) => attempts.refresh('charge', objectId),
      refund: (objectId) => attempts.refresh('refund', objectId),
      transfer: (objectId) => attempts.refresh('transfer', objectId),
      dispute: createFollowDispute({ database, clock, log, processor }),
    },
    useCases: {
      voidInvoice: createVoidInvoice({ database, clock }),
      findCharges: createFindCharges({ database }),
      refundInvoice: createRefundInvoice({ database, clock, attempts }),
      findRefunds: createFindRefunds({ database }),
    },
  };
}

const notYet: ApplyOutcome = async (_tx, attempt) => {
  throw new Error(`nothing begins a ${attempt.kind} yet`);
};
