import { minuteMs } from '@tollgate/kernel/durations';

/** For so long a person may look for the page and sign in. */
export const deviceLoginLifeMs = 10 * minuteMs;
export const intervalSecondsAtFirst = 5;
/** RFC 8628, 3.5: a program that polls too fast waits so much longer from then on. */
const slowerBySeconds = 5;
/** Requests do not arrive as evenly as they are sent. */
const graceMs = 1_000;

export interface DeviceLogin {
  readonly expiresAt: number;
  readonly intervalSeconds: number;
  readonly polledAt: number | undefined;
  /** The session that the approval began. */
  readonly sessionId: string | undefined;
  readonly isRefused: boolean;
  readonly isRedeemed: boolean;
}

export type PollPlan =
  | { readonly kind: 'redeem'; readonly sessionId: string }
  | { readonly kind: 'wait'; readonly intervalSeconds: number; readonly isTooFast: boolean }
  | { readonly kind: 'refused' }
  | { readonly kind: 'expired' };

/** Decides what a program gets that asks for its token. Unknown, used and expired codes have one answer. */
export function planPoll(login: DeviceLogin | undefined, nowMs: number): PollPlan {
  if (login === undefined || login.isRedeemed || nowMs >= login.expiresAt) return { kind: 'expired' };
  if (login.isRefused) return { kind: 'refused' };
  if (login.sessionId !== undefined) return { kind: 'redeem', sessionId: login.sessionId };
  const { polledAt, intervalSeconds } = login;
  const isTooFast = polledAt !== undefined && nowMs < polledAt + intervalSeconds * 1_000 - graceMs;
  return { kind: 'wait', isTooFast, intervalSeconds: isTooFast ? intervalSeconds + slowerBySeconds : intervalSeconds };
}
