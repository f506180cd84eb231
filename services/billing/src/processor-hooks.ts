import { createApplyTopUpOutcome, forgetAutoTopUpFailures } from './balance/apply-top-up-outcome.ts';
import { createApplyChargeOutcome } from './collection/apply-charge-outcome.ts';
import { createCollectAtOnce } from './collection/collect-invoices.ts';
import { applyTransferReturn, applyTransferOutcome } from './payouts/transfer-payouts.ts';
import type { ProcessorHooks } from './processor/processor-hooks.ts';
import type { ApplyOutcome } from './processor/settle-attempt.ts';
import { createApplyBalanceRefundOutcome, createApplyRefundOutcome } from './refunds/apply-refund-outcome.ts';
import { createFollowDispute, type FollowDisputeDeps } from './refunds/follow-dispute.ts';
import { createFollowForeignRefund } from './refunds/follow-foreign-refund.ts';
import type { FeeBearer, FeeScope } from './fees/fee.ts';

export interface HooksDeps extends Omit<FollowDisputeDeps, 'database'> {
  readonly settling: FollowDisputeDeps['database'];
  readonly scope: FeeScope;
  /** Default: the platform. */
  readonly feeBearer?: FeeBearer | undefined;
}

/** Hooks that collection, refunds and payouts pass to the processor's module, which knows none of them. */
export function createProcessorHooks({
  settling: database,
  scope,
  feeBearer = 'platform',
  ...deps
}: HooksDeps): ProcessorHooks {
  const { log } = deps;
  const collectAtOnce = createCollectAtOnce(deps);
  return {
    applyOutcome: {
      charge: byTopUp(createApplyTopUpOutcome({ collectAtOnce }), createApplyChargeOutcome({ scope, feeBearer, log })),
      refund: byTopUp(createApplyBalanceRefundOutcome({ log }), createApplyRefundOutcome({ log })),
      transfer: applyTransferOutcome,
    },
    applyReturn: applyTransferReturn,
    async onNewPaymentMethod(tx, accountId) {
      await collectAtOnce(tx, accountId);
      await forgetAutoTopUpFailures(tx, accountId);
    },
    followDispute: createFollowDispute({ database, ...deps }),
    followForeignRefund: createFollowForeignRefund({ database, ...deps }),
  };
}

/** Parts the orders of top-ups from those of invoices. */
function byTopUp(ofTopUp: ApplyOutcome, ofInvoice: ApplyOutcome): ApplyOutcome {
  return (tx, attempt, settled) => (attempt.isOfTopUp ? ofTopUp : ofInvoice)(tx, attempt, settled);
}
