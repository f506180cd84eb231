import { createApplyChargeOutcome } from './collection/apply-charge-outcome.ts';
import { createCollectAtOnce } from './collection/collect-at-once.ts';
import { applyTransferReturn } from './payouts/apply-transfer-return.ts';
import { applyTransferOutcome } from './payouts/transfer-payouts.ts';
import type { ProcessorHooks } from './processor/processor-hooks.ts';
import { createApplyRefundOutcome } from './refunds/apply-refund-outcome.ts';
import { createFollowDispute, type FollowDisputeDeps } from './refunds/follow-dispute.ts';
import { createFollowForeignRefund } from './refunds/follow-foreign-refund.ts';
import type { FeeScope } from './fees/fee-scope.ts';

export interface HooksDeps extends Omit<FollowDisputeDeps, 'database'> {
  readonly settling: FollowDisputeDeps['database'];
  readonly scope: FeeScope;
}

/** Hooks that collection, refunds and payouts pass to the processor's module, which knows none of them. */
export function createProcessorHooks({ settling: database, scope, ...deps }: HooksDeps): ProcessorHooks {
  const { log } = deps;
  return {
    applyOutcome: {
      charge: createApplyChargeOutcome({ scope, log }),
      refund: createApplyRefundOutcome({ log }),
      transfer: applyTransferOutcome,
    },
    applyReturn: applyTransferReturn,
    onNewPaymentMethod: createCollectAtOnce(deps),
    followDispute: createFollowDispute({ database, ...deps }),
    followForeignRefund: createFollowForeignRefund({ database, ...deps }),
  };
}
