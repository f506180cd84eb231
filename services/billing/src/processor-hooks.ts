import { createApplyChargeOutcome } from './collection/apply-charge-outcome.ts';
import { createCollectAtOnce } from './collection/collect-at-once.ts';
import { applyTransferOutcome } from './payouts/transfer-payouts.ts';
import type { ProcessorHooks } from './processor/processor-hooks.ts';
import { createApplyRefundOutcome } from './refunds/apply-refund-outcome.ts';
import { createFollowDispute, type FollowDisputeDeps } from './refunds/follow-dispute.ts';
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
    onNewPaymentMethod: createCollectAtOnce(deps),
    followDispute: createFollowDispute({ database, ...deps }),
  };
}
