import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/database/database';
import type { AttemptKind } from '../processor/attempt.ts';
import type { FeeScope } from '../fees/fee-scope.ts';
import { createApplyRefundOutcome } from '../refunds/apply-refund-outcome.ts';
import { createAgeInvoices } from '../collection/age-invoices.ts';
import { createApplyChargeOutcome } from '../collection/apply-charge-outcome.ts';
import { createCollectInvoices } from '../collection/collect-invoices.ts';
import { createAttempts } from '../processor/create-attempts.ts';
import { createFindCharges, type FindCharges } from '../collection/find-charges.ts';
import { createFindRefunds, type FindRefunds } from '../refunds/find-refunds.ts';
import { createFollowDispute } from '../refunds/follow-dispute.ts';
import type { Processor } from '../processor/processor.ts';
import { createRefundInvoice, type RefundInvoice } from '../refunds/refund-invoice.ts';
import type { DueStep } from './run-due-work.ts';
import { createSchedulePayouts, type PayoutSettings } from '../payouts/schedule-payouts.ts';
import { createVoidInvoice, type VoidInvoice } from '../collection/void-invoice.ts';
import { applyTransferOutcome, createTransferPayouts } from '../payouts/transfer-payouts.ts';

export interface SettlementDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processor: Processor;
  readonly scope: FeeScope;
  readonly payouts: PayoutSettings;
  readonly chargesAtOnce?: number;
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

export function createSettlement(deps: SettlementDeps): Settlement {
  const { database, clock, log, processor, scope } = deps;
  const applyOutcome = {
    charge: createApplyChargeOutcome({ scope, log }),
    refund: createApplyRefundOutcome({ log }),
    transfer: applyTransferOutcome,
  };
  const attempts = createAttempts({ database, clock, log, processor, applyOutcome });
  return {
    steps: [
      createAgeInvoices({ database, log }),
      createCollectInvoices({ database, attempts, processorName: processor.name, log, atOnce: deps.chargesAtOnce }),
      attempts.resolve,
      createSchedulePayouts({ database, processor: processor.name, scope, settings: deps.payouts }),
      createTransferPayouts({ database, attempts, processor: processor.name, scope, log }),
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
