import type { ApiApproval } from '@tollgate/contracts/spending/approvals';
import { toIso } from '@tollgate/kernel/clock';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { Approval, ApprovalCap } from './sql-approval.ts';

export function toApiApproval(approval: Approval, ownAddress: string) {
  const { approvalId, cap } = approval;
  return {
    id: approvalId,
    state: approval.state,
    pass_id: approval.passId,
    pass_name: approval.passName,
    tool_id: approval.toolId,
    count: approval.callCount,
    at_most_usd: toUsdNumber(approval.callMicros),
    beyond_cap_usd: toUsdNumber(approval.beyondMicros),
    cap: cap === undefined ? null : toApiCap(cap),
    url: `${ownAddress}/approvals/${approvalId}`,
    created_at: toIso(approval.createdAt),
    expires_at: toIso(approval.expiresAt),
  } satisfies Record<keyof ApiApproval, unknown>;
}

function toApiCap(cap: ApprovalCap) {
  return {
    amount_usd: toUsdNumber(cap.amountMicros),
    window: cap.window,
    spent_usd: toUsdNumber(cap.spentMicros),
    held_usd: toUsdNumber(cap.heldMicros),
    remaining_usd: toUsdNumber(leftOf(cap)),
  };
}

/** Nothing is left of a cap that is exceeded. */
export function leftOf({ amountMicros, spentMicros, heldMicros }: ApprovalCap): Micros {
  const left = amountMicros - spentMicros - heldMicros;
  return left > 0n ? micros(left) : zeroMicros;
}
