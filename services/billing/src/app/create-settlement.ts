import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/runtime/postgres/database';
import type { AttemptKind } from '../domain/attempts/attempt.ts';
import type { FeeScope } from '../domain/fee-scope.ts';
import { createApplyRefundOutcome } from './apply-refund-outcome.ts';
import { createAttempts } from './create-attempts.ts';
import { createFindRefunds, type FindRefunds } from './find-refunds.ts';
import { createFollowDispute } from './follow-dispute.ts';
import type { Processor } from './processor.ts';
import { createRefundInvoice, type RefundInvoice } from './refund-invoice.ts';
import type { DueStep } from './run-due-work.ts';
import type { ApplyOutcome } from './settle-attempt.ts';

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
  readonly useCases: { readonly refundInvoice: RefundInvoice; readonly findRefunds: FindRefunds };
}

export function createSettlement({ database, clock, log, processor }: SettlementDeps): Settlement {
  const applyOutcome = { charge: notYet, refund: createApplyRefundOutcome({ log }), transfer: notYet };
  const attempts = createAttempts({ database, clock, log, processor, applyOutcome });
  return {
    steps: [attempts.resolve],
    refresh: {
      charge: (objectId) => attempts.refresh('charge', objectId),
      refund: (objectId) => attempts.refresh('refund', objectId),
      transfer: (objectId) => attempts.refresh('transfer', objectId),
      dispute: createFollowDispute({ database, clock, log, processor }),
    },
    useCases: {
      refundInvoice: createRefundInvoice({ database, clock, attempts }),
      findRefunds: createFindRefunds({ database }),
    },
  };
}

const notYet: ApplyOutcome = async (_tx, attempt) => {
  throw new Error(`nothing begins a ${attempt.kind} yet`);
};
