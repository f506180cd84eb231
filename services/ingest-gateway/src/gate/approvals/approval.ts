import type { Micros } from '@tollgate/kernel/money';
import { approvalMinutes } from '@tollgate/contracts/spending/approvals';
import { minuteMs } from '@tollgate/kernel/durations';
import type { HoldWish } from '../authorizations/hold.ts';

/** So long an approval waits for its answer. */
export const approvalMs = approvalMinutes * minuteMs;

/** An ask needs this, and the limits of its pass do not give it. */
export interface Missing {
  /** The most that all calls of the ask may come to. */
  readonly callMicros: Micros;
  /** The part of it that the cap of the pass has no room for. */
  readonly beyondMicros: Micros;
}

export interface Approval extends Missing {
  readonly approvalId: string;
  readonly passId: string;
  readonly toolId: string;
  readonly state: 'open' | 'approved' | 'refused' | 'used';
  readonly expiresAtMs: number;
}

/** An approval that waits for the owner's answer. */
export type OfferedApproval = Pick<Approval, 'approvalId' | 'expiresAtMs'>;

export type ApprovedCall = Pick<HoldWish, 'passId' | 'toolId' | 'askedAtMs'>;

/** Whether the owner of the pass has said yes to this call, and nothing has used that yet. */
export function approves(approval: Approval, { passId, toolId, askedAtMs }: ApprovedCall, missing: Missing): boolean {
  if (approval.state !== 'approved' || askedAtMs >= approval.expiresAtMs) return false;
  if (approval.passId !== passId || approval.toolId !== toolId) return false;
  return missing.callMicros <= approval.callMicros && missing.beyondMicros <= approval.beyondMicros;
}
